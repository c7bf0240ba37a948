#pragma once

namespace backplane {
namespace cpuacc {

/// How many processors this process may use, by its affinity and the limits of its container; at
/// least 1.
int CountProcessors();

}  // namespace cpuacc
}  // namespace backplane
