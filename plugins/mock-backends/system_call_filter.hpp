#pragma once

#include <cstdint>

namespace backplane::mock {

/// Makes this process and all its threads get `answer` (SECCOMP_RET_...) for one system call.
void FilterSystemCall(std::uint32_t number, std::uint32_t answer);

}  // namespace backplane::mock
