#pragma once

/// Tensors in memory of the host, as buffers for as long as one workload runs.

#include "context/device_context.hpp"
#include "library/library.hpp"
#include "memory/buffer_handle.hpp"

#include <cstdint>
#include <vector>

namespace backplane {
namespace opencl {

/// For devices that share the memory of the CPU, where such a buffer is no copy.
class HostBuffers {
 public:
  enum class Use { kRead, kWrite };

  /// `queue`: that of the workload.
  HostBuffers(const DeviceContext& device, cl_command_queue queue)
      : device_(device), queue_(queue) {}

  /// A buffer over memory that stays until the work has finished.
  /// Errors: OpenClError.
  BufferPlace Wrap(void* data, std::uint64_t size_bytes, Use use);

  /// Makes what the commands before write visible to the host.
  /// Errors: OpenClError.
  void GiveBack() const;

 private:
  struct Wrapped {
    void* data = nullptr;
    std::uint64_t size_bytes = 0;
    Use use = Use::kRead;
    Owned<cl_mem> buffer;
  };

  const DeviceContext& device_;
  const cl_command_queue queue_;
  std::vector<Wrapped> buffers_;
};

}  // namespace opencl
}  // namespace backplane
