#include "cpu_layers/refusal.hpp"
#include "cpu_layers/window.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"

#include <backplane/api/descriptors/max_unpooling.hpp>

#include <algorithm>
#include <array>

namespace backplane {
namespace reference {
namespace {

/// Depth, height and width; fewer axes are filled up in front.
using Extents = std::array<std::int64_t, kMaxSpatialRank>;

Extents MakeExtents(const std::int64_t* extents, std::uint32_t spatial_rank) {
  Extents filled = {1, 1, 1};
  std::copy_n(extents, spatial_rank, filled.end() - spatial_rank);
  return filled;
}

template <typename Number>
class MaxUnpoolingKernel : public Kernel {
 public:
  explicit MaxUnpoolingKernel(const Layer& layer)
      : MaxUnpoolingKernel(layer, layer.GetDescriptor<MaxUnpoolingDescriptor>()) {}

  void Run(const RunTensors& tensors) const override {
    const Number* input = tensors.Input<Number>(0);
    const auto* indices = tensors.Input<std::int64_t>(1);
    Number* output = tensors.Output<Number>();
    std::fill_n(output, num_outputs_, Number{});
    for (std::int64_t i = 0; i < num_inputs_; ++i) {
      if (indices[i] < 0 || indices[i] >= num_indices_) continue;
      const std::int64_t position = FindPosition(indices[i]);
      if (position >= 0) output[position] = input[i];
    }
  }

 private:
  MaxUnpoolingKernel(const Layer& layer, const MaxUnpoolingDescriptor& descriptor)
      : index_extents_(MakeExtents(descriptor.index_extents, descriptor.spatial_rank)),
        extents_(MakeExtents(descriptor.extents, descriptor.spatial_rank)),
        num_inputs_(layer.Input(0).shape.GetNumElements()),
        num_outputs_(layer.Output().shape.GetNumElements()),
        num_indices_(layer.Input(0).shape[0] * layer.Input(0).shape[1] * index_extents_[0] *
                     index_extents_[1] * index_extents_[2]) {}

  /// In the output; -1 when it lies outside.
  std::int64_t FindPosition(std::int64_t index) const {
    if (index_extents_ == extents_) return index;
    const std::int64_t w = index % index_extents_[2];
    index /= index_extents_[2];
    const std::int64_t h = index % index_extents_[1];
    index /= index_extents_[1];
    const std::int64_t d = index % index_extents_[0];
    const std::int64_t plane = index / index_extents_[0];
    if (d >= extents_[0] || h >= extents_[1] || w >= extents_[2]) return -1;
    return ((plane * extents_[0] + d) * extents_[1] + h) * extents_[2] + w;
  }

  const Extents index_extents_;
  const Extents extents_;
  const std::int64_t num_inputs_;
  const std::int64_t num_outputs_;
  const std::int64_t num_indices_;
};

void CheckMaxima(const Layer& layer, const MaxUnpoolingDescriptor& descriptor, Refusal& refusal) {
  const TensorShape& input = layer.Input(0).shape;
  if (layer.Input(1).shape != input) {
    refusal.Add("input 1 (indices) has shape ", DescribeShape(layer.Input(1).shape),
                ", but must have ", DescribeShape(input), " as input 0");
  }
  std::int64_t count = input[0] * input[1];
  for (std::uint32_t i = 0; i < descriptor.spatial_rank; ++i) {
    const std::int64_t extent = descriptor.index_extents[i];
    if (extent < 0 || __builtin_mul_overflow(count, extent, &count)) {
      refusal.Add("index extent ", extent, " of spatial axis ", i,
                  " must be 0 or more, with a product that fits 63 bits");
      return;
    }
  }
}

}  // namespace

std::string FindRefusalOfMaxUnpooling(const Layer& layer) {
  Refusal refusal;
  const auto descriptor = layer.GetDescriptor<MaxUnpoolingDescriptor>();
  RequireNumbers(layer, refusal, {{TensorRole::kValue, TensorRole::kIndex}, {}});
  RequireSpatialRank(descriptor.spatial_rank, layer.Input(0), "input 0", refusal);
  if (!refusal.IsEmpty()) return refusal.GetReason();
  CheckMaxima(layer, descriptor, refusal);
  TensorShape expected = {layer.Input(0).shape[0], layer.Input(0).shape[1]};
  for (std::uint32_t i = 0; i < descriptor.spatial_rank; ++i) {
    expected.Append(descriptor.extents[i]);
  }
  RequireOutputShape(layer, expected, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeMaxUnpooling(const Layer& layer) {
  return MakeNumberKernel<MaxUnpoolingKernel>(layer);
}

}  // namespace reference
}  // namespace backplane
