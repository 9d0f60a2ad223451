// SVG 1.1 as text: the few shapes that pictures of positions are made of. Lengths are in pixels, y
// grows downwards. Plain value; any thread.
#pragma once

#include <string>
#include <string_view>

namespace apiary::play {

struct Point {
  double x = 0;
  double y = 0;
};
inline Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
inline Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
inline Point operator*(Point a, double factor) { return {a.x * factor, a.y * factor}; }
double Length(Point vector);

// How a shape is painted; "" leaves a thing out.
struct Paint {
  std::string_view fill = "none";
  std::string_view stroke = "none";
  double width = 1;
  double opacity = 1;
  bool dashed = false;
};

enum class Anchor { kStart, kMiddle, kEnd };
struct Lettering {
  double size = 14;
  std::string_view color = "#222222";
  Anchor anchor = Anchor::kStart;
  bool bold = false;
};

class SvgPage {
 public:
  // A pointy-top hexagon; `radius`: from its centre to a corner.
  void Hexagon(Point center, double radius, const Paint& paint);
  void Circle(Point center, double radius, const Paint& paint);
  void Rectangle(Point corner, double width, double height, const Paint& paint);
  // Vertically centred at `place`. Any text; what XML does not allow is escaped or replaced.
  void Text(Point place, std::string_view text, const Lettering& lettering);
  // A shaft with a head that ends at `to`; `width` of the shaft.
  void Arrow(Point from, Point to, double width, std::string_view color, double opacity);

  // The whole file: `origin` is the corner of what is seen, `title` its name for readers of
  // screens.
  std::string ToString(Point origin, double width, double height, std::string_view title) const;

 private:
  std::string shapes_;
};

}  // namespace apiary::play
