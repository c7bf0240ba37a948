#include "cpu_layers/joined_shape.hpp"
#include "cpu_layers/positions.hpp"
#include "cpu_layers/refusal.hpp"
#include "cpu_layers/scatter_refusal.hpp"
#include "kernel.hpp"
#include "kernels/scatter.hpp"

#include <backplane/api/descriptors/scatter_nd.hpp>

#include <algorithm>

namespace backplane {
namespace reference {
namespace {

template <typename Number>
class ScatterNdKernel : public Kernel {
 public:
  explicit ScatterNdKernel(const Layer& layer)
      : ScatterNdKernel(layer.Input(0).shape, layer.Input(1).shape,
                        layer.GetDescriptor<ScatterNdDescriptor>().reduction) {}

  void Run(const RunTensors& tensors) const override {
    axes_.Check(tensors.Input<std::int64_t>(1), num_positions_);
    std::copy_n(tensors.Input<Number>(0), num_elements_, tensors.Output<Number>());
    WithReduction<Number>(reduction_, [&](auto combine) { Update(tensors, combine); });
  }

 private:
  ScatterNdKernel(const TensorShape& values, const TensorShape& indices, ScatterReduction reduction)
      : reduction_(reduction),
        axes_(values, 0, static_cast<std::uint32_t>(indices[indices.rank - 1])),
        num_elements_(values.GetNumElements()),
        num_positions_(CountElements(indices, 0, indices.rank - 1)) {
    const auto length = static_cast<std::uint32_t>(axes_.GetCount());
    slice_elements_ = CountElements(values, length, values.rank - length);
  }

  template <typename Combine>
  void Update(const RunTensors& tensors, Combine combine) const {
    const auto* position = tensors.Input<std::int64_t>(1);
    const auto* update = tensors.Input<Number>(2);
    for (std::int64_t i = 0; i < num_positions_; ++i) {
      Number* slice = tensors.Output<Number>() + axes_.Find(position);
      for (std::int64_t element = 0; element < slice_elements_; ++element) {
        slice[element] = combine(slice[element], update[element]);
      }
      position += axes_.GetCount();
      update += slice_elements_;
    }
  }

  const ScatterReduction reduction_;
  const PositionAxes axes_;
  const std::int64_t num_elements_;
  const std::int64_t num_positions_;
  std::int64_t slice_elements_ = 0;
};

}  // namespace

std::string FindRefusalOfScatterNd(const Layer& layer) {
  Refusal refusal;
  const ScatterReduction reduction = layer.GetDescriptor<ScatterNdDescriptor>().reduction;
  const TensorShape& indices = layer.Input(1).shape;
  const std::int64_t length = indices.rank == 0 ? 0 : indices[indices.rank - 1];
  CheckScatterTypes(
      layer, reduction,
      [&](std::uint32_t axis) { return axis >= length && indices.rank == length + 1; }, refusal);
  RequireScatterNd(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeScatterNd(const Layer& layer) {
  return MakeScatterKernel<ScatterNdKernel>(layer,
                                            layer.GetDescriptor<ScatterNdDescriptor>().reduction);
}

}  // namespace reference
}  // namespace backplane
