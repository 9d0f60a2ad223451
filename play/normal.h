// The standard normal distribution, as error bars and likelihoods of superiority use it.
#pragma once

#include <cmath>

namespace apiary::play {

// Two-sided 95 %.
inline constexpr double kZ95 = 1.959963984540054;

// The probability of a value below z.
inline double NormalBelow(double z) { return std::erfc(-z / std::sqrt(2.0)) / 2; }

}  // namespace apiary::play
