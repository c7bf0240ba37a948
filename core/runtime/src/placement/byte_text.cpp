#include "placement/byte_text.hpp"

#include <array>
#include <cstdio>
#include <iterator>

namespace backplane {

namespace {

/// " (588 KiB)", or "" for what is read at a glance.
std::string Round(std::uint64_t bytes) {
  constexpr std::uint64_t kLeastRounded = 10240;
  constexpr double kUnit = 1024;
  constexpr const char* kUnits[] = {"KiB", "MiB", "GiB", "TiB"};
  if (bytes < kLeastRounded) return "";
  double value = static_cast<double>(bytes) / kUnit;
  std::size_t unit = 0;
  // Three digits are shown; what needs a fourth is a part of the next unit.
  constexpr double kMostShown = 999.5;
  for (; value >= kMostShown && unit + 1 < std::size(kUnits); ++unit) value /= kUnit;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), value < kMostShown ? " (%.3g %s)" : " (%.0f %s)", value,
                kUnits[unit]);
  return text.data();
}

}  // namespace

std::string DescribeByteCount(std::uint64_t bytes) {
  return std::to_string(bytes) + Round(bytes);
}

std::string DescribeBytes(std::uint64_t bytes) {
  return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes") + Round(bytes);
}

}  // namespace backplane
