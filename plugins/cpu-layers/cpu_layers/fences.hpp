#pragma once

#include <backplane/api/fence.hpp>
#include <backplane/api/status.hpp>

#include <cstdint>

namespace backplane {
namespace cpu_layers {

/// Waits on the CPU for fences that are files and events.
/// Errors: kUnsupported for an opaque fence; kFailure for one that cannot be waited for.
Status WaitForFences(const FenceView* fences, std::uint32_t count);

}  // namespace cpu_layers
}  // namespace backplane
