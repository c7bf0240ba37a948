#include "tensors/aligned_memory.hpp"

#include <algorithm>
#include <cstdlib>

namespace backplane::onnx {

std::shared_ptr<unsigned char> AllocateAligned(std::uint64_t size_bytes) {
  constexpr std::uint64_t kAlignment = 64;
  const std::uint64_t rounded =
      std::max((size_bytes + kAlignment - 1) / kAlignment * kAlignment, kAlignment);
  void* memory = std::aligned_alloc(kAlignment, rounded);
  if (memory == nullptr) return nullptr;
  return {static_cast<unsigned char*>(memory), &std::free};
}

}  // namespace backplane::onnx
