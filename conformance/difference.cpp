#include "conformance/difference.hpp"

#include <cmath>
#include <cstdio>

namespace backplane {
namespace conformance {

std::string ToText(const Difference& difference) {
  const auto write = [](long double number) {
    char text[80];
    std::snprintf(text, sizeof(text), "%.9Lg", number);
    return std::isnan(number) ? std::string("NaN") : std::string(text);
  };
  std::string text = "element " + std::to_string(difference.element) + ": " +
                     write(difference.found) + " instead of " + write(difference.expected);
  if (!std::isfinite(difference.expected)) return text;
  char allowed[80];
  std::snprintf(allowed, sizeof(allowed), ", which may be %.3Lg apart", difference.allowed);
  return text + allowed;
}

}  // namespace conformance
}  // namespace backplane
