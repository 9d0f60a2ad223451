// Text for XML. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

namespace apiary::base {

// & < > " escaped; what XML 1.0 does not allow, control characters but line breaks and tabs, and
// bytes that are no UTF-8, replaced by '?'.
std::string EscapeXml(std::string_view text);

}  // namespace apiary::base
