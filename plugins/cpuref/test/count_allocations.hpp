#pragma once

#include <cstdint>

namespace backplane {
namespace cpuref_test {

/// How often this program has called operator new, from any thread.
std::int64_t CountAllocations();

}  // namespace cpuref_test
}  // namespace backplane
