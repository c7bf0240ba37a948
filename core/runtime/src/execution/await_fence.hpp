#pragma once

#include "execution/fence_fault.hpp"
#include "execution/run_limit.hpp"

#include <backplane/api/i_workload_factory.hpp>
#include <backplane/host/plugin_object.hpp>

#include <memory>

namespace backplane {

/// How waiting for a fence ended.
struct AwaitOutcome {
  FenceFault fault;
  std::unique_ptr<Diagnostic> thrown;  // when WaitForFence threw
  RunStop stop = RunStop::kNone;       // when the fence has not passed
};

/// Waits on this thread until a fence has passed, or the limit ends that. `factory` is that of the
/// backend which gave the fence. Whether it has passed is looked at once, whatever the limit says.
/// Null: without `limit`, however long it takes.
AwaitOutcome AwaitFence(const FenceView& fence, const PluginObject<IWorkloadFactory>& factory,
                        const RunLimit* limit) noexcept;

}  // namespace backplane
