#include "execution/constants.hpp"

#include <stdexcept>
#include <string>

namespace backplane {
namespace opencl {

Owned<cl_mem> Constants::GetShared(const std::shared_ptr<const Bytes>& content) {
  return device_->GetBuffers().Find(content,
                                    [&] { return Make(content->data(), content->size()); });
}

Owned<cl_mem> Constants::GetShared(const ConstantData& constant) {
  if (constant.owner != nullptr) return GetShared(constant.owner);
  Owned<cl_mem>& buffer = shared_[{constant.data, constant.size_bytes}];
  if (buffer == nullptr) buffer = Make(constant.data, constant.size_bytes);
  return buffer;
}

Owned<cl_mem> Constants::Make(const void* data, std::uint64_t size_bytes) {
  const Device& device = device_->GetDevice();
  if (size_bytes > device.limits.max_allocation_bytes ||
      size_bytes > device.global_memory_bytes - used_bytes_) {
    throw std::runtime_error("a constant of " + std::to_string(size_bytes) +
                             " bytes does not fit on \"" + device.name + "\" beside " +
                             std::to_string(used_bytes_) + " bytes of others: it has " +
                             std::to_string(device.global_memory_bytes) +
                             " bytes (CL_DEVICE_GLOBAL_MEM_SIZE) and "
                             "allocates at most " +
                             std::to_string(device.limits.max_allocation_bytes) +
                             " at once (CL_DEVICE_MAX_MEM_ALLOC_SIZE)");
  }
  used_bytes_ += size_bytes;
  if (size_bytes == 0) return device_->CreateBuffer(CL_MEM_READ_ONLY, 0);
  // OpenCL only reads it; its interface has one pointer for both directions.
  return device_->CreateBuffer(CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, size_bytes,
                               const_cast<void*>(data));
}

}  // namespace opencl
}  // namespace backplane
