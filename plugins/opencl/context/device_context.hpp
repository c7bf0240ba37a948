#pragma once

/// A device in use: its cl_context and what is shared by everything that runs there.

#include "cpu_layers/timeline.hpp"
#include "devices/device.hpp"
#include "library/library.hpp"
#include "options/options.hpp"
#include "plan/shared_contents.hpp"
#include "programs/kernels.hpp"
#include "programs/programs.hpp"

#include <backplane/api/i_logger.hpp>

#include <atomic>
#include <cstdint>
#include <memory>

namespace backplane {
namespace opencl {

/// A buffer is found by its content, as long as a workload has it.
using SharedBuffers = WeakTable<std::weak_ptr<const Bytes>, std::remove_pointer_t<cl_mem>,
                                std::owner_less<std::weak_ptr<const Bytes>>>;

/// Shared by workloads and handles, which may outlive the runtime's context.
///
/// Threads: any.
class DeviceContext {
 public:
  /// Errors: BackendUnavailableException when the device does not let itself be used.
  /// `logger` may be null; else it stays as long as this.
  DeviceContext(const Device& device, std::shared_ptr<const cpu_layers::Timeline> timeline,
                ILogger* logger);

  const Device& GetDevice() const { return device_; }
  const Library& GetLibrary() const { return *device_.library; }
  Programs& GetPrograms() { return programs_; }
  SharedContents& GetContents() { return contents_; }
  SharedBuffers& GetBuffers() { return buffers_; }
  Kernels& GetKernels() const { return *kernels_; }
  const cpu_layers::Timeline& GetTimeline() const { return *timeline_; }

  /// Told of errors of runs. After one with which drivers say that the device is gone, or was
  /// reset, nothing made here works any more; whatever is loaded afterwards gets a context of its
  /// own.
  void NoteError(cl_int error);
  bool IsLost() const { return is_lost_.load(std::memory_order_relaxed); }

  cl_context GetContext() const { return context_.get(); }

  /// For what the host does beside runs: mapping, and copies to and from its memory.
  cl_command_queue GetHostQueue() const { return host_queue_.get(); }

  /// A queue that carries out its commands in order. A priority is passed over where the device
  /// knows none.
  /// Errors: OpenClError.
  Owned<cl_command_queue> CreateQueue(cl_command_queue_properties properties,
                                      QueuePriority priority = QueuePriority::kDefault) const;

  /// A buffer of at least one byte. `host_memory` as `flags` say.
  /// Errors: OpenClError, which has the size.
  Owned<cl_mem> CreateBuffer(cl_mem_flags flags, std::uint64_t size_bytes,
                             void* host_memory = nullptr) const;

 private:
  Device device_;
  std::atomic<bool> is_lost_{false};
  std::shared_ptr<const cpu_layers::Timeline> timeline_;
  Owned<cl_context> context_;
  Programs programs_;
  SharedContents contents_;
  SharedBuffers buffers_;
  std::shared_ptr<Kernels> kernels_;
  Owned<cl_command_queue> host_queue_;
};

}  // namespace opencl
}  // namespace backplane
