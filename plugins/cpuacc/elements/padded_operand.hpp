#pragma once

/// Operands brought into the order of a blocked output, with padding of zeros where that has some.

#include "layout/physical_axes.hpp"

#include <cstdint>
#include <vector>

namespace backplane {
namespace cpuacc {

/// How a plain operand that broadcasts to an output is copied into that order. Axes along which it
/// repeats have one element.
class PaddedOperand {
 public:
  PaddedOperand(const TensorShape& operand, const TensorShape& output,
                const std::vector<PhysicalAxis>& axes);

  /// What it copies from ones is 1 where the output has elements, and 0 in its padding.
  static PaddedOperand OfPadding(const TensorShape& output, const std::vector<PhysicalAxis>& axes);

  std::int64_t GetNumElements() const { return num_elements_; }
  /// Along the axes of the output, in the copy.
  const std::vector<std::int64_t>& GetStrides() const { return strides_; }

  void Copy(const float* plain, float* padded) const;

 private:
  struct Axis {
    std::uint32_t axis;
    std::int64_t step;
    std::int64_t extent;
    std::int64_t plain_stride;
  };

  /// `dims`: the extents of the operand along the axes of the output; 0 where it repeats.
  PaddedOperand(std::vector<std::int64_t> dims, const std::vector<PhysicalAxis>& axes);

  std::vector<Axis> axes_;
  std::vector<std::int64_t> dims_;
  std::vector<std::int64_t> strides_;
  std::int64_t num_elements_ = 1;
};

/// The strides of a plain operand along the axes of the output; empty when it has not all elements
/// that the padding of the output would read.
std::vector<std::int64_t> FindPlainStrides(const TensorShape& operand, const TensorShape& output,
                                           const std::vector<PhysicalAxis>& axes);

/// Whether an operand has an element for each index along every axis that is padded.
bool VariesAlongPadding(const TensorShape& operand, const TensorShape& output,
                        const std::vector<PhysicalAxis>& axes);

/// Whether the memory of a tensor has more elements than it.
bool HasPadding(const TensorShape& shape, const std::vector<PhysicalAxis>& axes);

}  // namespace cpuacc
}  // namespace backplane
