#pragma once

/// The buffers in which tensors lie: one for each working memory and kind.

#include "context/device_context.hpp"

#include <backplane/api/i_memory_manager.hpp>

#include <map>
#include <memory>
#include <utility>

namespace backplane {
namespace opencl {

/// Blocks are buffers; their token is the cl_mem.
class BufferManager : public IMemoryManager {
 public:
  /// `flags`: CL_MEM_ALLOC_HOST_PTR for buffers that the host maps, or 0.
  BufferManager(std::shared_ptr<DeviceContext> device, cl_mem_flags flags)
      : device_(std::move(device)), flags_(flags) {}

  /// Errors: std::runtime_error with the sizes, when the device has no room for it.
  Status Acquire(const MemoryRequirements& requirements, MemoryBlock* block) override;
  void Release(const MemoryBlock& block) override;

 private:
  std::shared_ptr<DeviceContext> device_;
  cl_mem_flags flags_;
  std::map<std::uint64_t, Owned<cl_mem>> buffers_;  // by token
};

}  // namespace opencl
}  // namespace backplane
