#pragma once

#include <cstdint>

namespace backplane::onnx {

/// How much memory one import may take for tensors that the file does not hold: what is folded,
/// sparse tensors made dense, and constants of functions; and how much may be read to evaluate
/// nodes whose results are small. A small file can ask for any amount of both.
class MemoryBudget {
 public:
  static constexpr std::uint64_t kMaxFoldedBytes = std::uint64_t{16} << 20U;  // one folded tensor
  static constexpr std::uint64_t kMaxBytes = std::uint64_t{512} << 20U;       // together
  static constexpr std::uint64_t kMaxBytesRead = std::uint64_t{4} << 30U;     // together

  /// For what is evaluated while a model runs, on its data: as much as it takes.
  static MemoryBudget MakeUnbounded() {
    MemoryBudget budget;
    budget.is_bounded_ = false;
    return budget;
  }

  bool IsBounded() const { return is_bounded_; }

  /// False, and takes nothing, when so much is not left.
  bool Take(std::uint64_t size_bytes) {
    if (!is_bounded_) return true;
    if (size_bytes > left_) return false;
    left_ -= size_bytes;
    return true;
  }

  /// As Take, of what is read.
  bool TakeReading(std::uint64_t size_bytes) {
    if (!is_bounded_) return true;
    if (size_bytes > reading_left_) return false;
    reading_left_ -= size_bytes;
    return true;
  }

 private:
  bool is_bounded_ = true;
  std::uint64_t left_ = kMaxBytes;
  std::uint64_t reading_left_ = kMaxBytesRead;
};

}  // namespace backplane::onnx
