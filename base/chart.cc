#include "base/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

#include "base/check.h"
#include "base/xml.h"

namespace apiary::base {
namespace {

constexpr double kLeft = 72, kTop = 40, kBottom = 52, kRight = 24;
constexpr double kNameWidth = 6.6;  // of a letter at 12 px, a little generous
constexpr double kLabelStep = 14;   // least distance of labels below one another
// Colours that stay apart for colour-blind eyes (Okabe and Ito 2008).
constexpr std::array<const char*, 6> kColors = {"#0072b2", "#d55e00", "#009e73",
                                                "#cc79a7", "#e69f00", "#56b4e9"};

// The minus sign of typography; no digits that are not needed.
std::string Number(double value) {
  if (value == 0) return "0";
  const std::string text = fmt::format("{:.6g}", std::abs(value));
  return value < 0 ? fmt::format("\u2212{}", text) : text;
}

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  bool empty() const { return low > high; }
  void Cover(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  // A little wider, so that no point lies on the frame.
  void Widen(double share) {
    const double size = high - low;
    const double by = size > 0 ? share * size : std::max(1.0, std::abs(high) / 10);
    low -= by;
    high += by;
  }
};

bool Drawable(const ChartPoint& point, bool log_x) {
  return std::isfinite(point.x) && std::isfinite(point.y) && (!log_x || point.x > 0);
}

// Where values lie on the picture.
class Frame {
 public:
  Frame(const ChartPanel& panel, double top, double width, double height) : log_x_(panel.log_x) {
    Range points;
    for (const ChartSeries& series : panel.series) {
      for (const ChartPoint& point : series.points) {
        if (!Drawable(point, log_x_)) continue;
        x_.Cover(log_x_ ? std::log10(point.x) : point.x);
        points.Cover(point.y);
      }
    }
    empty_ = points.empty();
    for (const ChartReference& reference : panel.references) {
      if (std::isfinite(reference.y)) points.Cover(reference.y);
    }
    if (x_.empty()) x_ = {0, 1};
    if (points.empty()) points = {0, 1};
    y_ = RangeWithBars(panel, points);
    x_.Widen(0.03);
    if (!log_x_ && x_.low < 0 && x_.high > 0 && !HasNegativeX(panel)) x_.low = 0;
    std::size_t longest = 0;
    for (const ChartReference& reference : panel.references)
      longest = std::max(longest, reference.name.size());
    left_ = kLeft;
    right_ =
        width - kRight -
        std::min(width / 3, longest == 0 ? 0.0 : kNameWidth * static_cast<double>(longest) + 8);
    top_ = top + kTop;
    bottom_ = top + height - kBottom;
  }

  double left() const { return left_; }
  double right() const { return right_; }
  double top() const { return top_; }
  double bottom() const { return bottom_; }
  bool empty() const { return empty_; }
  double X(double value) const {
    const double x = log_x_ ? std::log10(value) : value;
    return left_ + (x - x_.low) / (x_.high - x_.low) * (right_ - left_);
  }
  double Y(double value) const {
    return bottom_ - (value - y_.low) / (y_.high - y_.low) * (bottom_ - top_);
  }
  std::vector<double> XTicks() const {
    const int wanted = static_cast<int>((right_ - left_) / 80);
    return log_x_ ? LogTicks(std::pow(10, x_.low), std::pow(10, x_.high), wanted)
                  : LinearTicks(x_.low, x_.high, wanted);
  }
  std::vector<double> YTicks() const {
    return LinearTicks(y_.low, y_.high, static_cast<int>((bottom_ - top_) / 45));
  }

 private:
  // Error bars widen the range by half of what the points need, at most.
  static Range RangeWithBars(const ChartPanel& panel, const Range& points) {
    Range all = points;
    for (const ChartSeries& series : panel.series) {
      for (const ChartPoint& point : series.points) {
        if (!Drawable(point, panel.log_x)) continue;
        if (std::isfinite(point.y_low)) all.Cover(point.y_low);
        if (std::isfinite(point.y_high)) all.Cover(point.y_high);
      }
    }
    const double size = points.high - points.low;
    if (size > 0) {
      all.low = std::max(all.low, points.low - size / 2);
      all.high = std::min(all.high, points.high + size / 2);
    }
    all.Widen(0.05);
    return all;
  }
  static bool HasNegativeX(const ChartPanel& panel) {
    for (const ChartSeries& series : panel.series) {
      for (const ChartPoint& point : series.points)
        if (Drawable(point, panel.log_x) && point.x < 0) return true;
    }
    return false;
  }

  bool log_x_;
  bool empty_ = false;
  Range x_, y_;
  double left_ = 0, right_ = 0, top_ = 0, bottom_ = 0;
};

class Svg {
 public:
  template <typename... Args>
  void Add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_ += '\n';
  }
  void Line(double x1, double y1, double x2, double y2, const std::string& style) {
    Add(R"(<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}" {}/>)", x1, y1, x2, y2, style);
  }
  void Text(double x, double y, const char* anchor, const std::string& text,
            const std::string& style = "") {
    Add(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="{}"{}{}>{}</text>)", x, y, anchor,
        style.empty() ? "" : " ", style, EscapeXml(text));
  }
  std::string Take() { return std::move(text_); }

 private:
  std::string text_;
};

void DrawAxes(const ChartPanel& panel, const Frame& frame, Svg& svg) {
  const std::string grid = R"(stroke="#e4e4e4")";
  for (const double tick : frame.XTicks()) {
    const double x = frame.X(tick);
    svg.Line(x, frame.top(), x, frame.bottom(), grid);
    svg.Text(x, frame.bottom() + 17, "middle", Number(tick));
  }
  for (const double tick : frame.YTicks()) {
    const double y = frame.Y(tick);
    svg.Line(frame.left(), y, frame.right(), y, grid);
    svg.Text(frame.left() - 8, y + 4, "end", Number(tick));
  }
  svg.Add(
      R"(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" fill="none" stroke="#888"/>)",
      frame.left(), frame.top(), frame.right() - frame.left(), frame.bottom() - frame.top());
  svg.Text(frame.left(), frame.top() - 14, "start", panel.title,
           R"(font-size="15" font-weight="bold")");
  svg.Text((frame.left() + frame.right()) / 2, frame.bottom() + 38, "middle", panel.x_title);
  const double middle = (frame.top() + frame.bottom()) / 2;
  svg.Text(18, middle, "middle", panel.y_title,
           fmt::format(R"svg(transform="rotate(-90 18 {:.1f})")svg", middle));
}

// Names sit at their lines' heights, moved apart where they would overlap.
void DrawReferences(const ChartPanel& panel, const Frame& frame, Svg& svg) {
  std::vector<ChartReference> references;
  for (const ChartReference& reference : panel.references) {
    if (std::isfinite(reference.y)) references.push_back(reference);
  }
  std::stable_sort(references.begin(), references.end(),
                   [](const auto& a, const auto& b) { return a.y > b.y; });
  std::vector<double> labels;
  for (const ChartReference& reference : references) {
    const double y = frame.Y(reference.y);
    labels.push_back(labels.empty() ? y : std::max(y, labels.back() + kLabelStep));
  }
  double limit = frame.bottom();
  for (std::size_t i = labels.size(); i-- > 0; limit = labels[i] - kLabelStep)
    labels[i] = std::min(labels[i], limit);
  for (std::size_t i = 0; i < references.size(); ++i) {
    const double y = frame.Y(references[i].y);
    svg.Line(frame.left(), y, frame.right(), y, R"(stroke="#777" stroke-dasharray="5 4")");
    svg.Line(frame.right(), y, frame.right() + 6, labels[i], R"(stroke="#777")");
    svg.Text(frame.right() + 9, labels[i] + 4, "start", references[i].name, R"(fill="#444")");
  }
}

std::string Tooltip(const ChartSeries& series, const ChartPoint& point) {
  std::string text = fmt::format("{}: {}, {}", series.name, Number(point.x),
                                 Number(std::round(point.y * 10) / 10));
  if (point.y_low < point.y_high)
    text += fmt::format(" ({} to {})", Number(std::round(point.y_low * 10) / 10),
                        Number(std::round(point.y_high * 10) / 10));
  return text;
}

void DrawSeries(const ChartPanel& panel, std::size_t number, const Frame& frame, Svg& svg) {
  const ChartSeries& series = panel.series[number];
  const std::string color = kColors[number % kColors.size()];
  std::string path;
  for (const ChartPoint& point : series.points) {
    if (Drawable(point, panel.log_x))
      path += fmt::format("{:.1f},{:.1f} ", frame.X(point.x), frame.Y(point.y));
  }
  if (path.empty()) return;
  path.pop_back();
  const double cap = series.points.size() > 60 ? 0 : 3;  // half the width of an error bar's ends
  for (const ChartPoint& point : series.points) {
    if (!Drawable(point, panel.log_x) || !(point.y_low < point.y_high)) continue;
    const double x = frame.X(point.x);
    const double high = std::max(frame.Y(point.y_high), frame.top());
    const double low = std::min(frame.Y(point.y_low), frame.bottom());
    const std::string style = fmt::format(R"(stroke="{}" stroke-opacity="0.55")", color);
    svg.Line(x, high, x, low, style);
    if (cap == 0) continue;
    if (frame.Y(point.y_high) >= frame.top()) svg.Line(x - cap, high, x + cap, high, style);
    if (frame.Y(point.y_low) <= frame.bottom()) svg.Line(x - cap, low, x + cap, low, style);
  }
  svg.Add(R"(<polyline points="{}" fill="none" stroke="{}" stroke-width="2"/>)", path, color);
  for (const ChartPoint& point : series.points) {
    if (!Drawable(point, panel.log_x)) continue;
    svg.Add(R"(<circle cx="{:.1f}" cy="{:.1f}" r="3.5" fill="{}"><title>{}</title></circle>)",
            frame.X(point.x), frame.Y(point.y), color, EscapeXml(Tooltip(series, point)));
  }
}

// In the title's row, at the right.
void DrawLegend(const ChartPanel& panel, const Frame& frame, Svg& svg) {
  if (panel.series.size() < 2) return;
  double x = frame.right();
  for (std::size_t i = panel.series.size(); i-- > 0;) {
    const std::string& name = panel.series[i].name;
    svg.Text(x, frame.top() - 14, "end", name);
    x -= kNameWidth * static_cast<double>(name.size()) + 6;
    svg.Line(x - 18, frame.top() - 18, x, frame.top() - 18,
             fmt::format(R"(stroke="{}" stroke-width="3")", kColors[i % kColors.size()]));
    x -= 34;
  }
}

void DrawPanel(const ChartPanel& panel, const Frame& frame, Svg& svg) {
  DrawAxes(panel, frame, svg);
  DrawReferences(panel, frame, svg);
  for (std::size_t i = 0; i < panel.series.size(); ++i) DrawSeries(panel, i, frame, svg);
  DrawLegend(panel, frame, svg);
  if (frame.empty())
    svg.Text((frame.left() + frame.right()) / 2, (frame.top() + frame.bottom()) / 2, "middle",
             "no points", R"(fill="#888")");
}

}  // namespace

std::vector<double> LinearTicks(double low, double high, int wanted) {
  APIARY_CHECK(std::isfinite(low) && std::isfinite(high) && low < high, "range {} to {}", low,
               high);
  const double raw = (high - low) / std::max(1, wanted);
  const double decade = std::pow(10, std::floor(std::log10(raw)));
  // A hair less than 1, 2 and 5, so that rounding does not choose the next one.
  const double share = raw / decade * (1 - 1e-9);
  const double step = decade * (share <= 1 ? 1 : share <= 2 ? 2 : share <= 5 ? 5 : 10);
  std::vector<double> ticks;
  const double first = std::ceil(low / step - 1e-9);
  for (double i = first; i * step <= high + 1e-9 * step; ++i)
    ticks.push_back(i == 0 ? 0 : i * step);
  return ticks;
}

std::vector<double> LogTicks(double low, double high, int wanted) {
  APIARY_CHECK(0 < low && low < high && std::isfinite(high), "range {} to {}", low, high);
  if (high / low < 4) return LinearTicks(low, high, wanted);
  const double decades = std::log10(high / low);
  std::vector<double> factors = {1};
  if (3 * decades <= std::max(4, wanted)) factors = {1, 2, 5};
  const double step = std::max(1.0, std::ceil(decades / std::max(1, wanted)));
  std::vector<double> ticks;
  for (double power = std::floor(std::log10(low)); power <= std::log10(high); power += step) {
    for (const double factor : factors) {
      const double tick = factor * std::pow(10, power);
      if (tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9)) ticks.push_back(tick);
    }
  }
  return ticks;
}

std::string DrawChart(const std::vector<ChartPanel>& panels, int width, int panel_height) {
  width = std::max(width, 360);
  panel_height = std::max(panel_height, 200);
  const int height = panel_height * static_cast<int>(panels.size());
  Svg svg;
  svg.Add(
      R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" )"
      R"(font-family="sans-serif" font-size="12">)",
      width, height);
  svg.Add(R"(<rect width="{}" height="{}" fill="white"/>)", width, height);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const Frame frame(panels[i], static_cast<double>(i) * panel_height, width, panel_height);
    DrawPanel(panels[i], frame, svg);
  }
  svg.Add("</svg>");
  return svg.Take();
}

}  // namespace apiary::base
