#pragma once

/// The ends of the number line, for tests.

#include <cstdint>
#include <limits>

namespace backplane {
namespace conformance {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

}  // namespace conformance
}  // namespace backplane
