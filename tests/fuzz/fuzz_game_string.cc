// libFuzzer target: a GameString (tests/fuzz/inputs.h).
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "tests/fuzz/inputs.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string broken =
      apiary::fuzz::CheckGameString({reinterpret_cast<const char*>(data), size});
  APIARY_CHECK(broken.empty(), "{}", broken);
  return 0;
}
