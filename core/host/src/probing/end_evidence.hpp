#pragma once

#include "probing/probe_account.hpp"

#include <sys/types.h>

#include <cstdint>

namespace backplane::probing {

/// How many processes of this one's control group the kernel has killed for lack of memory; -1: not
/// known.
std::int64_t CountOomKills();

/// What the kernel still tells of a process that has ended and was not waited for yet. `oom_kills`
/// were counted before it began.
EndEvidence CollectEndEvidence(pid_t process, std::int64_t oom_kills);

}  // namespace backplane::probing
