#include "tensors/host_memory.hpp"

#include <backplane/runtime/i_network.hpp>

#include <cstring>

namespace backplane {

std::shared_ptr<const void> CopyConstantData(const void* data, std::size_t size_bytes) {
  std::shared_ptr<void> copy = AllocateHostMemory(size_bytes);
  if (size_bytes != 0) std::memcpy(copy.get(), data, size_bytes);
  return copy;
}

}  // namespace backplane
