#include "base/contains.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace apiary::base {
namespace {

TEST(Contains, FindsAValueAtEveryPlaceOfEveryLength) {
  for (std::size_t size = 0; size < 100; ++size) {
    std::vector<std::uint16_t> values(size);
    std::iota(values.begin(), values.end(), std::uint16_t{1});
    const std::span<const std::uint16_t> all(values);
    for (const std::uint16_t value : values) EXPECT_TRUE(Contains(all, value)) << size;
    EXPECT_FALSE(Contains(all, std::uint16_t{0})) << size;
    EXPECT_FALSE(Contains(all, static_cast<std::uint16_t>(size + 1))) << size;
  }
}

}  // namespace
}  // namespace apiary::base
