#pragma once

#include "execution/fence_fault.hpp"

#include <backplane/api/i_workload_factory.hpp>
#include <backplane/host/plugin_object.hpp>

#include <memory>

namespace backplane {

/// How waiting for a fence ended.
struct AwaitOutcome {
  FenceFault fault;
  std::unique_ptr<Diagnostic> thrown;  // when WaitForFence threw
};

/// Waits on this thread until a fence has passed, however long that takes. `factory` is that of the
/// backend which gave the fence.
AwaitOutcome AwaitFence(const FenceView& fence,
                        const PluginObject<IWorkloadFactory>& factory) noexcept;

}  // namespace backplane
