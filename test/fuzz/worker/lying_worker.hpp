#pragma once

#include "lies.hpp"
#include "unit/host/isolation/thread_worker.hpp"

namespace backplane::fuzz {

/// How long a worker that is silent, or a workload that stays away, is waited for.
constexpr int kPatienceMs = 50;

/// Plays the process of the honest backend in a thread, and passes on what it and the host say to
/// each other with what `lies` make of it. Returns when one of both is gone, or was made to be.
void PlayLyingWorker(test::WorkerEnds& ends, Lies& lies);

}  // namespace backplane::fuzz
