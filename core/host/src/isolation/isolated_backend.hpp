#pragma once

#include "isolation/worker_life.hpp"

#include <backplane/api/i_backend_internal.hpp>

#include <memory>

namespace backplane::isolation {

/// A backend whose plugin runs in a process of its own, as the host calls it. For everything it
/// asks the process that has what is given, or else the one that runs. What it throws is what the
/// plugin throws, and DiagnosticException with kWorkerEnded, kWorkerNotStarted and kWorkerStaysOut.
std::unique_ptr<IBackendInternal> MakeIsolatedBackend(std::shared_ptr<WorkerLife> life);

}  // namespace backplane::isolation
