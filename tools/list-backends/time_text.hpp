#pragma once

#include <chrono>
#include <string>

namespace backplane::list_backends {

/// "2026-01-31 23:59:59 UTC".
std::string GetTimeText(std::chrono::system_clock::time_point time);

}  // namespace backplane::list_backends
