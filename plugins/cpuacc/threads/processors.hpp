#pragma once

#include <string>
#include <vector>

namespace backplane {
namespace cpuacc {

/// How many processors this process may use, by its affinity and the limits of its container; at
/// least 1.
int CountProcessors();

/// Processors by the numbers that the system gives them, each once, rising.
using Processors = std::vector<int>;

/// Reads a list such as "0,2-3". Empty: none.
/// Errors: std::invalid_argument, with what was found and what is expected, for any other text and
/// for processors that this process may not use.
Processors ReadProcessors(const std::string& text);

/// Keeps the calling thread on these processors. Without any it stays where it may run now, and so
/// it does where the system has taken them away since they were read.
void StayOn(const Processors& processors);

}  // namespace cpuacc
}  // namespace backplane
