#include "play/svg_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/xml.h"

namespace apiary::play {
namespace {

std::string Attributes(const Paint& paint) {
  std::string text = fmt::format("fill=\"{}\" stroke=\"{}\"", paint.fill, paint.stroke);
  if (paint.stroke != "none")
    text += fmt::format(" stroke-width=\"{:.1f}\" stroke-linejoin=\"round\"", paint.width);
  if (paint.dashed) text += " stroke-dasharray=\"7 5\"";
  if (paint.opacity < 1) text += fmt::format(" opacity=\"{:.2f}\"", paint.opacity);
  return text;
}

std::string_view NameOf(Anchor anchor) {
  switch (anchor) {
    case Anchor::kStart:
      return "start";
    case Anchor::kMiddle:
      return "middle";
    case Anchor::kEnd:
      return "end";
  }
  return "start";
}

}  // namespace

double Length(Point vector) { return std::hypot(vector.x, vector.y); }

void SvgPage::Hexagon(Point center, double radius, const Paint& paint) {
  constexpr int kCorners = 6;
  shapes_ += "<polygon points=\"";
  for (int i = 0; i < kCorners; ++i) {
    const double angle = std::numbers::pi / 6 + i * std::numbers::pi / 3;
    shapes_ +=
        fmt::format("{}{:.1f},{:.1f}", i == 0 ? "" : " ", center.x + radius * std::cos(angle),
                    center.y + radius * std::sin(angle));
  }
  shapes_ += fmt::format("\" {}/>\n", Attributes(paint));
}

void SvgPage::Circle(Point center, double radius, const Paint& paint) {
  shapes_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" {}/>\n", center.x,
                         center.y, radius, Attributes(paint));
}

void SvgPage::Rectangle(Point corner, double width, double height, const Paint& paint) {
  shapes_ +=
      fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" {}/>\n",
                  corner.x, corner.y, width, height, Attributes(paint));
}

void SvgPage::Text(Point place, std::string_view text, const Lettering& lettering) {
  constexpr double kHalfCapital = 0.36;  // of the size: viewers do not agree on central baselines
  shapes_ += fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:.1f}\" fill=\"{}\" text-anchor=\"{}\"{}>{}"
      "</text>\n",
      place.x, place.y + kHalfCapital * lettering.size, lettering.size, lettering.color,
      NameOf(lettering.anchor), lettering.bold ? " font-weight=\"bold\"" : "",
      base::EscapeXml(text));
}

void SvgPage::Arrow(Point from, Point to, double width, std::string_view color, double opacity) {
  const double length = Length(to - from);
  if (length <= 0) return;
  const Point along = (to - from) * (1 / length);
  const Point across{-along.y, along.x};
  const double head = std::min(6 + 1.3 * width, length);
  const Point neck = to - along * head;
  const double half = width / 2;
  const double wide = half + 3 + width / 3;
  const Point corners[] = {from + across * half, neck + across * half, neck + across * wide, to,
                           neck - across * wide, neck - across * half, from - across * half};
  shapes_ += "<polygon points=\"";
  for (const Point& corner : corners)
    shapes_ += fmt::format("{}{:.1f},{:.1f}", &corner == corners ? "" : " ", corner.x, corner.y);
  shapes_ += fmt::format("\" {}/>\n",
                         Attributes({.fill = color, .stroke = "#ffffff", .opacity = opacity}));
}

std::string SvgPage::ToString(Point origin, double width, double height,
                              std::string_view title) const {
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"{2:.0f}\" "
      "height=\"{3:.0f}\" viewBox=\"{0:.1f} {1:.1f} {2:.1f} {3:.1f}\" "
      "font-family=\"DejaVu Sans, Verdana, Arial, sans-serif\">\n<title>{4}</title>\n"
      "<rect x=\"{0:.1f}\" y=\"{1:.1f}\" width=\"{2:.1f}\" height=\"{3:.1f}\" fill=\"#ffffff\"/>\n"
      "{5}</svg>\n",
      origin.x, origin.y, width, height, base::EscapeXml(title), shapes_);
}

}  // namespace apiary::play
