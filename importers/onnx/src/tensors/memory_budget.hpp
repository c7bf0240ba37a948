#pragma once

#include <cstdint>

namespace backplane::onnx {

/// How much memory one import may take for tensors that the file does not hold: what is folded,
/// sparse tensors made dense, and constants of functions. A small file can ask for any amount.
class MemoryBudget {
 public:
  static constexpr std::uint64_t kMaxFoldedBytes = std::uint64_t{16} << 20U;  // one folded tensor
  static constexpr std::uint64_t kMaxBytes = std::uint64_t{512} << 20U;       // together

  /// False, and takes nothing, when so much is not left.
  bool Take(std::uint64_t size_bytes) {
    if (size_bytes > left_) return false;
    left_ -= size_bytes;
    return true;
  }

 private:
  std::uint64_t left_ = kMaxBytes;
};

}  // namespace backplane::onnx
