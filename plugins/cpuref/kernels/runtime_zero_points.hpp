#pragma once

#include "kernel.hpp"
#include "kernels/byte_lines.hpp"
#include "layer.hpp"

namespace backplane {
namespace cpuref {

/// Zero points that are an input of the layer, as int32_t in scratch memory.
class RuntimeZeroPoints {
 public:
  /// Of input `input`, which may be missing: all zero points are 0 then.
  RuntimeZeroPoints(const Layer& layer, std::uint32_t input);

  std::uint64_t GetScratchBytes() const;
  bool IsOne() const { return count_ == 1; }

  /// Reads them into `scratch`.
  ZeroPoints Read(const RunTensors& tensors, unsigned char* scratch) const;

 private:
  std::uint32_t input_;
  std::int64_t count_;
  bool is_missing_;
  bool is_signed_;
};

/// Refuses operands, zero points and results that have not the types of a product of plain bytes.
void RequireByteProduct(const Layer& layer, Refusal& refusal);

}  // namespace cpuref
}  // namespace backplane
