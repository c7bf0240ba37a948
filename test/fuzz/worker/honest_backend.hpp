#pragma once

#include <backplane/api/i_backend_internal.hpp>

#include <functional>
#include <memory>

namespace backplane::fuzz {

constexpr char kBackendId[] = "Honest";
constexpr char kBoundFactoryId[] = "Fuzz/Honest/Bound";
constexpr char kOwningFactoryId[] = "Fuzz/Honest/Owning";

/// What is done in the middle of a workload; its status is that of the workload, unless that is
/// kSuccess.
using DuringRun = std::function<Status()>;

/// A backend that answers everything truthfully, and uses each function of the API that a host
/// offers. Its workloads add up their inputs, floats or else bytes. It has two kinds of tensor
/// memory: one is bound to blocks and imports, the other has files of its own.
std::unique_ptr<IBackendInternal> MakeHonestBackend(DuringRun during_run);

}  // namespace backplane::fuzz
