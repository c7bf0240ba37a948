#pragma once

namespace backplane {
namespace cpuacc {

/// How many processors this process may use; at least 1.
int CountProcessors();

}  // namespace cpuacc
}  // namespace backplane
