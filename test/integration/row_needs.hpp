#pragma once

#include "mock_rows.hpp"

#include <string>

namespace backplane::test {

/// Why the deed of a row cannot be done here, by what its recipe needs; "" when it can.
std::string FindObstacle(const MockRow& row);

}  // namespace backplane::test
