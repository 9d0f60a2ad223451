#include "app/run_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/run_warnings.h"

namespace apiary::app {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// Thirty generations of a run in which nothing is wrong.
base::MetricsHistory Healthy() {
  base::MetricsHistory metrics;
  for (int generation = 1; generation <= 30; ++generation) {
    metrics.lines.push_back({{"generation", generation},
                             {"step", 200.0 * generation},
                             {"cpu_s", 60.0 * generation},
                             {"elapsed_s", 40.0 * generation},
                             {"games", 300.0 * generation},
                             {"decisive_500", 0.95},
                             {"share_surround", 0.9},
                             {"share_both", 0.04},
                             {"share_repetition", 0.01},
                             {"share_draw", 0.05},
                             {"share_cap", 0.01},
                             {"value_loss", 0.6},
                             {"value_loss_of_base_rate", 0.8},
                             {"value_bias", 0.002},
                             {"policy_kl", 0.7},
                             {"policy_loss", 2.0},
                             {"selfplay_positions_per_s", 500}});
    if (generation % 5 == 0) metrics.lines.back()["strength_crowd"] = 0.97;
  }
  return metrics;
}

// `name` goes in a line from `first` to `last`.
void Set(base::MetricsHistory& metrics, const char* name, double first, double last) {
  const double steps = static_cast<double>(metrics.lines.size()) - 1;
  for (std::size_t i = 0; i < metrics.lines.size(); ++i)
    metrics.lines[i][name] = first + (last - first) * static_cast<double>(i) / steps;
}

TEST(RunWarningsTest, AHealthyOrAnEmptyRunHasNone) {
  EXPECT_THAT(RunWarnings(Healthy()), IsEmpty());
  EXPECT_THAT(RunWarnings({}), IsEmpty());
}

TEST(RunWarningsTest, EachTroubleIsNamedWithItsCauses) {
  struct Trouble {
    const char* metric;
    double first, last;
    const char* expected;
  };
  for (const Trouble& trouble : std::initializer_list<Trouble>{
           {"decisive_500", 0.95, 0.35,
            "only 35 % of the last 500 games were decisive; usual causes: "},
           {"decisive_500", 0.95, 0.60,
            "fell from 94 to 60 % of the last 500 games; usual causes: "},
           {"value_loss", 0.8, 0.8, "hardly more than the base rate"},
           {"value_bias", 0, -0.2, "The value head is off by -0."},
           {"policy_kl", 0.05, 0, "hardly changes the policy"},
           {"share_cap", 0, 0.3, "end at the length cap"},
           {"selfplay_positions_per_s", 900, 90, "Self-play makes"}}) {
    base::MetricsHistory metrics = Healthy();
    Set(metrics, trouble.metric, trouble.first, trouble.last);
    EXPECT_THAT(RunWarnings(metrics), ElementsAre(HasSubstr(trouble.expected))) << trouble.metric;
  }
}

TEST(RunWarningsTest, RisingDrawsSayWhichKind) {
  base::MetricsHistory metrics = Healthy();
  Set(metrics, "share_draw", 0.02, 0.3);
  Set(metrics, "share_both", 0.01, 0.28);
  EXPECT_THAT(RunWarnings(metrics), ElementsAre(HasSubstr("both queens surrounded at once")));
  Set(metrics, "share_both", 0.01, 0.01);
  Set(metrics, "share_repetition", 0.01, 0.29);
  EXPECT_THAT(RunWarnings(metrics), ElementsAre(HasSubstr("most of it by repetition")));
}

TEST(RunWarningsTest, OneBadMeasurementIsNoFall) {
  base::MetricsHistory metrics = Healthy();
  metrics.lines[29]["strength_crowd"] = 0.7;
  EXPECT_THAT(RunWarnings(metrics), IsEmpty());
  metrics.lines[24]["strength_crowd"] = 0.7;
  EXPECT_THAT(RunWarnings(metrics), ElementsAre(HasSubstr("fell from 97 to 70 %")));
}

TEST(RunReportTest, HoldsSummaryCurvesAndConfiguration) {
  RunReport report;
  report.run = "runs/<b>";
  report.config = "seed = 7\n[net]\nchannels = 8 # \"a\" & b\n";
  report.metrics = Healthy();
  report.metrics.skipped = 2;
  const std::string html = RunReportAsHtml(report);
  EXPECT_THAT(html, HasSubstr("<h1>Training run runs/&lt;b&gt;</h1>"));
  EXPECT_THAT(html, HasSubstr("<th>CPU time</th><td>0.50 h</td>"));
  EXPECT_THAT(html, HasSubstr("<th>games</th><td>9000</td>"));
  EXPECT_THAT(html, HasSubstr("could not be read</th><td>2</td>"));
  EXPECT_THAT(html, HasSubstr("How self-play games end"));
  EXPECT_THAT(html, HasSubstr("apiary rate --run runs/&lt;b&gt;"));
  EXPECT_THAT(html, HasSubstr("seed = 7\n[net]\nchannels = 8 # &quot;a&quot; &amp; b\n"));
  EXPECT_THAT(html, Not(HasSubstr("no points")));
  EXPECT_THAT(html, Not(HasSubstr("<script")));
}

TEST(RunReportTest, AYoungRunHasNoCurves) {
  RunReport report;
  report.run = "runs/new";
  EXPECT_THAT(RunReportAsHtml(report), HasSubstr("No metrics yet."));
}

TEST(RunReportTest, RatedGenerationsAreDrawnOverCpuHours) {
  play::PairRecord record;
  record.a.text = "random";
  record.b = {GenerationText(3), "(sims=32)", std::string(64, 'a'), 3};
  record.conditions = {"Base", 400, 4};
  record.asked = 2;
  record.games = {{true, 0, "surround", 30, ""}, {false, 0, "surround", 31, ""}};
  RunReport report;
  report.run = "runs/first";
  report.metrics = Healthy();
  report.ratings = RateRecords({record}, record.conditions, "random");
  report.ratings->cpu_hours = {{3, 0.05}};
  const std::string html = RunReportAsHtml(report);
  EXPECT_THAT(html, HasSubstr("Strength over CPU time"));
  EXPECT_THAT(html, HasSubstr("gen-000003"));
  EXPECT_THAT(html, Not(HasSubstr("Not rated yet")));
}

}  // namespace
}  // namespace apiary::app
