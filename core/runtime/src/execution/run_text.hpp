#pragma once

#include <chrono>
#include <string>

namespace backplane {

/// "125 ms".
std::string GetTimeText(std::chrono::nanoseconds time);

/// backend "A", or the core for "".
std::string DescribeRunner(const std::string& backend_id);

}  // namespace backplane
