#include "cpu_layers/joined_shape.hpp"

namespace backplane {
namespace cpu_layers {

void RequireJoinedOutput(const Layer& layer, std::initializer_list<AxisRange> ranges,
                         Refusal& refusal) {
  TensorShape joined;
  std::uint32_t rank = 0;
  for (const AxisRange& range : ranges) {
    rank += range.count;
    for (std::uint32_t axis = 0; axis < range.count; ++axis) {
      joined.Append(range.shape[range.begin + axis]);
    }
  }
  if (rank > kMaxRank) {
    refusal.Add("the inputs give an output of rank ", rank, ", which is more than ", kMaxRank);
    return;
  }
  RequireOutputShape(layer, joined, refusal);
}

std::int64_t CountElements(const TensorShape& shape, std::uint32_t begin, std::uint32_t count) {
  std::int64_t elements = 1;
  for (std::uint32_t axis = 0; axis < count; ++axis) elements *= shape[begin + axis];
  return elements;
}

void RequireElementsToIndex(const Layer& layer, std::uint32_t axis, Refusal& refusal) {
  const TensorShape& values = layer.Input(0).shape;
  if (values[axis] != 0 || layer.Input(1).shape.GetNumElements() == 0) return;
  refusal.Add("there are indices, but input 0 has extent 0 along axis ", axis);
}

void RequireIndicesInside(const Layer& layer, std::uint32_t axis, Refusal& refusal) {
  const TensorShape& values = layer.Input(0).shape;
  const TensorShape& indices = layer.Input(1).shape;
  bool are_inside = values.rank == indices.rank;
  for (std::uint32_t i = 0; are_inside && i < values.rank; ++i) {
    are_inside = i == axis || indices[i] <= values[i];
  }
  if (are_inside) return;
  refusal.Add("the indices with shape ", DescribeShape(indices), " do not fit ",
              DescribeShape(values), " of input 0 in all axes but ", axis);
}

}  // namespace cpu_layers
}  // namespace backplane
