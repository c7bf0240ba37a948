#pragma once

/// Descriptors of other backends as events for which commands of the device wait. OpenCL 1.2 waits
/// for none by itself, so a thread of this library polls them.

#include "execution/job_thread.hpp"
#include "library/library.hpp"

#include <backplane/api/status.hpp>

namespace backplane {
namespace opencl {

/// The descriptors for which one execution state waits.
///
/// Threads: one at a time.
class DescriptorEvents {
 public:
  explicit DescriptorEvents(const Library& library) : library_(library), thread_(library) {}

  /// Gives an event that completes when the descriptor is readable, and with it all descriptors
  /// that were given before; it fails when the descriptor can be polled no more. Null: there is
  /// nothing to wait for.
  /// Errors: kFailure for a descriptor that cannot be waited for; OpenClError; std::system_error.
  Status Make(cl_context context, int descriptor, Owned<cl_event>& event);

 private:
  const Library& library_;
  JobThread thread_;
};

}  // namespace opencl
}  // namespace backplane
