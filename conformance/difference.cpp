#include "conformance/difference.hpp"

#include <cmath>
#include <cstdio>

namespace backplane {
namespace conformance {

std::string ToText(const Difference& difference) {
  char text[200];
  std::snprintf(text, sizeof(text), "element %zu: %.9Lg instead of %.9Lg", difference.element,
                difference.found, difference.expected);
  const std::string values = text;
  if (!std::isfinite(difference.expected) || difference.allowed == 0) return values;
  std::snprintf(text, sizeof(text), ", which may be %.3Lg apart", difference.allowed);
  return values + text;
}

}  // namespace conformance
}  // namespace backplane
