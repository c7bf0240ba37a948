#include "memory/memory_manager.hpp"

#include "library/errors.hpp"

#include <string>

namespace backplane {
namespace opencl {

Status BufferManager::Acquire(const MemoryRequirements& requirements, MemoryBlock* block) {
  const Device& device = device_->GetDevice();
  const std::uint64_t most = device.limits.max_allocation_bytes;
  if (requirements.size_bytes > most) {
    Report("tensors need a buffer of " + std::to_string(requirements.size_bytes) +
           " bytes, but \"" + device.name + "\" allocates at most " + std::to_string(most) +
           " at once (CL_DEVICE_MAX_MEM_ALLOC_SIZE)");
    return Status::kOutOfMemory;
  }
  Owned<cl_mem> buffer;
  try {
    buffer = device_->CreateBuffer(CL_MEM_READ_WRITE | flags_, requirements.size_bytes);
  } catch (const OpenClError& error) {
    Report(error.what());
    return ToStatus(error.GetError());
  }
  *block = {};
  block->size_bytes = requirements.size_bytes;
  block->token = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(buffer.get()));
  buffers_[block->token] = std::move(buffer);
  return Status::kSuccess;
}

void BufferManager::Report(const std::string& text) const {
  static_cast<void>(logger_.Log(LogLevel::kError, text.c_str()));
}

void BufferManager::Release(const MemoryBlock& block) {
  buffers_.erase(block.token);
}

}  // namespace opencl
}  // namespace backplane
