#pragma once

#include <string>

namespace backplane::test {

/// Why the deed of a row cannot be done here, by the words needs=What of its recipe; "" when it
/// can.
std::string FindObstacle(const std::string& recipe);

}  // namespace backplane::test
