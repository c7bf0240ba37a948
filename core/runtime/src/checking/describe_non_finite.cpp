#include <backplane/runtime/number_scan.hpp>

#include <cmath>
#include <string>

namespace backplane {

namespace {

std::string DescribeNumber(std::uint64_t count, const char* one, const char* many) {
  return std::to_string(count) + ' ' + (count == 1 ? one : many);
}

const char* GetNonFiniteName(double value) {
  if (std::isnan(value)) return "NaN";
  return value > 0 ? "infinity" : "-infinity";
}

std::string DescribeIndices(const std::vector<std::int64_t>& indices) {
  std::string text;
  for (const std::int64_t index : indices) {
    text += (text.empty() ? "" : ", ") + std::to_string(index);
  }
  return '[' + text + ']';
}

}  // namespace

std::string DescribeNonFinite(const NumberScan& scan) {
  std::string text;
  const auto add = [&](std::uint64_t count, const char* one, const char* many) {
    if (count == 0) return;
    text += (text.empty() ? "" : " and ") + DescribeNumber(count, one, many);
  };
  add(scan.num_nan, "NaN", "NaN");
  add(scan.num_infinities, "infinity", "infinities");
  add(scan.num_negative_infinities, "-infinity", "-infinities");
  if (text.empty()) return "";
  return text + " of " + DescribeNumber(scan.num_elements, "element", "elements") + ", first " +
         GetNonFiniteName(scan.first_value) + " at " + DescribeIndices(scan.first);
}

}  // namespace backplane
