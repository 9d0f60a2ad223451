// Line charts as self-contained SVG 1.1 text: no scripts, no fonts or files of its own. Values in,
// text out: pure functions; any thread.
#pragma once

#include <string>
#include <vector>

namespace apiary::base {

// y_low and y_high bound its error bar; equal to y (or NaN): none.
struct ChartPoint {
  double x = 0, y = 0, y_low = 0, y_high = 0;
};

struct ChartSeries {
  std::string name;                // in the legend, shown from two series on, and in tooltips
  std::vector<ChartPoint> points;  // joined in this order; those that are not finite are left out
};

// A horizontal line with its name at the right end.
struct ChartReference {
  std::string name;
  double y = 0;
};

struct ChartPanel {
  std::string title, x_title, y_title;
  std::vector<ChartSeries> series;
  std::vector<ChartReference> references;
  bool log_x = false;  // points with x <= 0 are left out
};

// The panels one below the other, each `width` x `panel_height` pixels (at least 360 x 200). The y
// axis covers all points and references; error bars may end at the frame. A panel without points
// says so.
std::string DrawChart(const std::vector<ChartPanel>& panels, int width = 900,
                      int panel_height = 380);

// Round numbers 1, 2 or 5 times a power of ten inside [low, high], about `wanted` of them.
// Precondition: low < high, both finite.
std::vector<double> LinearTicks(double low, double high, int wanted);
// The same times all powers of ten, on a logarithmic axis; of spans below a factor of 4 the linear
// ones. Precondition: 0 < low < high.
std::vector<double> LogTicks(double low, double high, int wanted);

}  // namespace apiary::base
