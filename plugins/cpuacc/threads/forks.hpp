#pragma once

#include <cstdint>

namespace backplane {
namespace cpuacc {

/// How often this process, and those that it is a copy of, were copied by fork since this was
/// called first. Only the thread that forks is in the copy.
///
/// Threads: any.
std::uint32_t CountForks();

}  // namespace cpuacc
}  // namespace backplane
