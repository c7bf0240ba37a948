#include "elements/padded_operand.hpp"

#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

/// The extents of an operand along the axes of the output; 0 where it repeats.
std::vector<std::int64_t> AlignDims(const TensorShape& operand, const TensorShape& output) {
  std::vector<std::int64_t> dims(output.rank, 0);
  for (std::uint32_t axis = 0; axis < operand.rank; ++axis) {
    if (operand[axis] != 1) dims[output.rank - operand.rank + axis] = operand[axis];
  }
  return dims;
}

/// Of a dense array; 0 along axes that it does not have.
std::vector<std::int64_t> GetDenseStrides(const std::vector<std::int64_t>& extents) {
  std::vector<std::int64_t> strides(extents.size(), 0);
  std::int64_t stride = 1;
  for (std::size_t axis = extents.size(); axis-- > 0;) {
    if (extents[axis] == 0) continue;
    strides[axis] = stride;
    stride *= extents[axis];
  }
  return strides;
}

/// With the padding, along one axis of the tensor.
std::int64_t GetPaddedExtent(std::uint32_t axis, const std::vector<PhysicalAxis>& axes) {
  std::int64_t extent = 1;
  for (const PhysicalAxis& physical : axes) {
    if (physical.axis == axis) extent *= physical.extent;
  }
  return extent;
}

}  // namespace

PaddedOperand::PaddedOperand(const TensorShape& operand, const TensorShape& output,
                             const std::vector<PhysicalAxis>& axes)
    : PaddedOperand(AlignDims(operand, output), axes) {}

PaddedOperand PaddedOperand::OfPadding(const TensorShape& output,
                                       const std::vector<PhysicalAxis>& axes) {
  std::vector<std::int64_t> dims(output.rank, 0);
  for (std::uint32_t axis = 0; axis < output.rank; ++axis) {
    if (GetPaddedExtent(axis, axes) != output[axis]) dims[axis] = output[axis];
  }
  return PaddedOperand(std::move(dims), axes);
}

PaddedOperand::PaddedOperand(std::vector<std::int64_t> dims, const std::vector<PhysicalAxis>& axes)
    : dims_(std::move(dims)) {
  const std::vector<std::int64_t> plain_strides = GetDenseStrides(dims_);
  std::vector<std::int64_t> extents;
  for (const PhysicalAxis& physical : axes) {
    const bool repeats = dims_[physical.axis] == 0;
    extents.push_back(repeats ? 0 : physical.extent);
    if (repeats) continue;
    num_elements_ *= physical.extent;
    axes_.push_back({physical.axis, physical.step, physical.extent, plain_strides[physical.axis]});
  }
  strides_ = GetDenseStrides(extents);
}

void PaddedOperand::Copy(const float* plain, float* padded) const {
  for (std::int64_t element = 0; element < num_elements_; ++element) {
    std::int64_t indices[kMaxRank] = {};
    std::int64_t rest = element;
    std::int64_t offset = 0;
    bool is_inside = true;
    for (std::size_t axis = axes_.size(); axis-- > 0;) {
      const std::int64_t index = rest % axes_[axis].extent * axes_[axis].step;
      rest /= axes_[axis].extent;
      indices[axes_[axis].axis] += index;
      offset += index * axes_[axis].plain_stride;
      is_inside = is_inside && indices[axes_[axis].axis] < dims_[axes_[axis].axis];
    }
    padded[element] = is_inside ? plain[offset] : 0.0F;
  }
}

std::vector<std::int64_t> FindPlainStrides(const TensorShape& operand, const TensorShape& output,
                                           const std::vector<PhysicalAxis>& axes) {
  const std::vector<std::int64_t> dims = AlignDims(operand, output);
  const std::vector<std::int64_t> plain_strides = GetDenseStrides(dims);
  std::vector<std::int64_t> strides;
  for (const PhysicalAxis& physical : axes) {
    const std::int64_t dim = dims[physical.axis];
    if (dim != 0 && GetPaddedExtent(physical.axis, axes) != dim) return {};
    strides.push_back(plain_strides[physical.axis] * physical.step);
  }
  return strides;
}

bool VariesAlongPadding(const TensorShape& operand, const TensorShape& output,
                        const std::vector<PhysicalAxis>& axes) {
  const std::vector<std::int64_t> dims = AlignDims(operand, output);
  for (std::uint32_t axis = 0; axis < output.rank; ++axis) {
    if (dims[axis] == 0 && GetPaddedExtent(axis, axes) != output[axis]) return false;
  }
  return true;
}

bool HasPadding(const TensorShape& shape, const std::vector<PhysicalAxis>& axes) {
  for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
    if (GetPaddedExtent(axis, axes) != shape[axis]) return true;
  }
  return false;
}

}  // namespace cpuacc
}  // namespace backplane
