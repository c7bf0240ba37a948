#include "memory/memory_manager.hpp"

#include <stdexcept>
#include <string>

namespace backplane {
namespace opencl {

Status BufferManager::Acquire(const MemoryRequirements& requirements, MemoryBlock* block) {
  const Device& device = device_->GetDevice();
  const std::uint64_t most = device.limits.max_allocation_bytes;
  if (requirements.size_bytes > most) {
    throw std::runtime_error("tensors need a buffer of " + std::to_string(requirements.size_bytes) +
                             " bytes, but \"" + device.name + "\" allocates at most " +
                             std::to_string(most) + " at once (CL_DEVICE_MAX_MEM_ALLOC_SIZE)");
  }
  auto buffer = device_->CreateBuffer(CL_MEM_READ_WRITE | flags_, requirements.size_bytes);
  *block = {};
  block->size_bytes = requirements.size_bytes;
  block->token = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(buffer.get()));
  buffers_[block->token] = std::move(buffer);
  return Status::kSuccess;
}

void BufferManager::Release(const MemoryBlock& block) {
  buffers_.erase(block.token);
}

}  // namespace opencl
}  // namespace backplane
