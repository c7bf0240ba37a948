#pragma once

/// The devices of this machine among what the backend says of itself, so that users see what they
/// can choose.

#include <backplane/api/backend_options.hpp>

namespace backplane {
namespace opencl {

/// Adds a line for each device, by the indices that the options platform and device take: none
/// where there is no driver, which CreateBackendContext tells with the reason.
void AppendDevices(BackendCapabilities& capabilities);

}  // namespace opencl
}  // namespace backplane
