#pragma once

/// Memory that is refused. The operators new of this program are those of the backend too, unless
/// it has its own. Drivers and other libraries that the backend opens by itself always get theirs:
/// whatever they do without is not the backend's to foresee.

#include <cstdint>

namespace backplane::check_backend {

/// From now on the n-th allocation of this thread with an operator new fails, counted from 1, until
/// StopRefusing.
void RefuseAllocation(std::uint64_t number);

/// Whether one was refused.
bool StopRefusing();

}  // namespace backplane::check_backend
