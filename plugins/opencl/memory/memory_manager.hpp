#pragma once

/// The buffers in which tensors lie: one for each working memory and kind.

#include "context/device_context.hpp"

#include <backplane/api/i_logger.hpp>
#include <backplane/api/i_memory_manager.hpp>

#include <map>
#include <memory>
#include <string>
#include <utility>

namespace backplane {
namespace opencl {

/// Blocks are buffers; their token is the cl_mem.
class BufferManager : public IMemoryManager {
 public:
  /// `flags`: CL_MEM_ALLOC_HOST_PTR for buffers that the host maps, or 0.
  /// `logger` stays as long as the manager.
  BufferManager(std::shared_ptr<DeviceContext> device, cl_mem_flags flags, ILogger& logger)
      : device_(std::move(device)), flags_(flags), logger_(logger) {}

  /// Errors: kOutOfMemory when the device has no room for it; the log has the sizes.
  Status Acquire(const MemoryRequirements& requirements, MemoryBlock* block) override;
  void Release(const MemoryBlock& block) override;

 private:
  void Report(const std::string& text) const;

  std::shared_ptr<DeviceContext> device_;
  cl_mem_flags flags_;
  ILogger& logger_;
  std::map<std::uint64_t, Owned<cl_mem>> buffers_;  // by token
};

}  // namespace opencl
}  // namespace backplane
