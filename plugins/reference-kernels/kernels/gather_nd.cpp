#include "cpu_layers/index_refusal.hpp"
#include "cpu_layers/joined_shape.hpp"
#include "cpu_layers/positions.hpp"
#include "cpu_layers/run_bytes.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"

#include <backplane/api/descriptors/gather_nd.hpp>

#include <algorithm>
#include <cstring>

namespace backplane {
namespace reference {
namespace {

class GatherNdKernel : public Kernel {
 public:
  explicit GatherNdKernel(const Layer& layer)
      : GatherNdKernel(layer.Input(0).shape, layer.Input(1).shape,
                       layer.GetDescriptor<GatherNdDescriptor>().batch_dims,
                       GetDataTypeSizeBytes(layer.Output().data_type)) {}

  void Run(const RunTensors& tensors) const override {
    axes_.Check(tensors.Input<std::int64_t>(1), num_batches_ * positions_in_batch_);
    const std::size_t slice_bytes = static_cast<std::size_t>(slice_elements_) * element_bytes_;
    WithRun(slice_bytes, [&](auto size) { CopySlices(tensors, size); });
  }

 private:
  GatherNdKernel(const TensorShape& values, const TensorShape& indices, std::uint32_t batch_dims,
                 std::size_t element_bytes)
      : axes_(values, batch_dims, static_cast<std::uint32_t>(indices[indices.rank - 1])),
        num_batches_(CountElements(values, 0, batch_dims)),
        batch_elements_(CountElements(values, batch_dims, values.rank - batch_dims)),
        positions_in_batch_(CountElements(indices, batch_dims, indices.rank - 1 - batch_dims)),
        element_bytes_(element_bytes) {
    const auto behind = batch_dims + static_cast<std::uint32_t>(axes_.GetCount());
    slice_elements_ = CountElements(values, behind, values.rank - behind);
  }

  template <typename Size>
  void CopySlices(const RunTensors& tensors, Size size) const {
    const auto* values = tensors.Input<unsigned char>(0);
    const auto* position = tensors.Input<std::int64_t>(1);
    auto* output = tensors.Output<unsigned char>();
    for (std::int64_t batch = 0; batch < num_batches_; ++batch) {
      for (std::int64_t i = 0; i < positions_in_batch_; ++i, output += size.GetBytes()) {
        const std::int64_t from = batch * batch_elements_ + axes_.Find(position);
        CopyRun(output, values + static_cast<std::size_t>(from) * element_bytes_, size);
        position += axes_.GetCount();
      }
    }
  }

  const PositionAxes axes_;
  const std::int64_t num_batches_;
  const std::int64_t batch_elements_;
  const std::int64_t positions_in_batch_;
  const std::size_t element_bytes_;
  std::int64_t slice_elements_ = 0;
};

}  // namespace

std::string FindRefusalOfGatherNd(const Layer& layer) {
  Refusal refusal;
  RequireGatherNd(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeGatherNd(const Layer& layer) {
  return WithConvertedInputs(layer, {1}, std::make_unique<GatherNdKernel>(layer));
}

}  // namespace reference
}  // namespace backplane
