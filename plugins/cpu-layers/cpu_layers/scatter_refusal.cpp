#include "cpu_layers/scatter_refusal.hpp"

#include "cpu_layers/joined_shape.hpp"

#include <backplane/api/descriptors/scatter_elements.hpp>
#include <backplane/api/descriptors/scatter_nd.hpp>

#include <algorithm>

namespace backplane {
namespace cpu_layers {
namespace {

bool AreUpdatesRight(const Layer& layer, std::uint32_t length) {
  const TensorShape& values = layer.Input(0).shape;
  const TensorShape& indices = layer.Input(1).shape;
  const TensorShape& updates = layer.Input(2).shape;
  const std::uint32_t positions = indices.rank - 1;
  return updates.rank == positions + values.rank - length &&
         std::equal(indices.dims, indices.dims + positions, updates.dims) &&
         std::equal(values.dims + length, values.dims + values.rank, updates.dims + positions);
}

}  // namespace

void RequireScatterElements(const Layer& layer, Refusal& refusal) {
  const auto descriptor = layer.GetDescriptor<ScatterElementsDescriptor>();
  if (!RequireAxis(layer, descriptor.axis, refusal)) return;
  RequireIndicesInside(layer, descriptor.axis, refusal);
  const TensorShape& indices = layer.Input(1).shape;
  if (layer.Input(2).shape != indices) {
    refusal.Add("the updates with shape ", DescribeShape(layer.Input(2).shape),
                " have not the shape of the indices, ", DescribeShape(indices));
  }
  RequireOutputShape(layer, layer.Input(0).shape, refusal);
}

void RequireScatterNd(const Layer& layer, Refusal& refusal) {
  const TensorShape& values = layer.Input(0).shape;
  const TensorShape& indices = layer.Input(1).shape;
  const std::int64_t length = indices.rank == 0 ? 0 : indices[indices.rank - 1];
  if (indices.rank == 0 || length > values.rank) {
    refusal.Add("the indices with shape ", DescribeShape(indices), " do not fit ",
                DescribeShape(values), " of input 0");
  } else if (!AreUpdatesRight(layer, static_cast<std::uint32_t>(length))) {
    refusal.Add("the updates with shape ", DescribeShape(layer.Input(2).shape),
                " do not fit the indices ", DescribeShape(indices), " and ", DescribeShape(values),
                " of input 0");
  }
  RequireOutputShape(layer, values, refusal);
}

}  // namespace cpu_layers
}  // namespace backplane
