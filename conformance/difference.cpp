#include "conformance/difference.hpp"

#include <cstdio>

namespace backplane {
namespace conformance {

std::string ToText(const Difference& difference) {
  char text[200];
  std::snprintf(text, sizeof(text), "element %zu: %.9Lg instead of %.9Lg, which may be %.3Lg apart",
                difference.element, difference.found, difference.expected, difference.allowed);
  return text;
}

}  // namespace conformance
}  // namespace backplane
