#include "cpu_layers/index_refusal.hpp"
#include "cpu_layers/indices.hpp"
#include "cpu_layers/joined_shape.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"
#include "kernels/run_bytes.hpp"
#include "kernels/strided_copy.hpp"

#include <backplane/api/descriptors/gather_nd.hpp>

#include <algorithm>
#include <cstring>
#include <vector>

namespace backplane {
namespace cpuref {
namespace {

class GatherNdKernel : public Kernel {
 public:
  explicit GatherNdKernel(const Layer& layer) {
    const std::uint32_t batch_dims = layer.GetDescriptor<GatherNdDescriptor>().batch_dims;
    const TensorShape& values = layer.Input(0).shape;
    const TensorShape& indices = layer.Input(1).shape;
    const auto length = static_cast<std::uint32_t>(indices[indices.rank - 1]);
    const std::uint32_t behind = batch_dims + length;
    slice_elements_ = CountElements(values, behind, values.rank - behind);
    batch_elements_ = CountElements(values, batch_dims, values.rank - batch_dims);
    num_batches_ = CountElements(values, 0, batch_dims);
    positions_in_batch_ = CountElements(indices, batch_dims, indices.rank - 1 - batch_dims);
    const DenseSteps steps(values);
    for (std::uint32_t axis = batch_dims; axis < behind; ++axis) {
      axes_.push_back({values[axis], steps[axis]});
    }
    element_bytes_ = GetDataTypeSizeBytes(layer.Output().data_type);
  }

  void Run(const RunTensors& tensors) const override {
    const std::size_t slice_bytes = static_cast<std::size_t>(slice_elements_) * element_bytes_;
    WithRunBytes(slice_bytes, [&](auto size) { CopySlices(tensors, size); });
  }

 private:
  struct Axis {
    std::int64_t extent;
    std::int64_t step;
  };

  std::int64_t FindOffset(const std::int64_t* position) const {
    std::int64_t offset = 0;
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      offset += GetNearestIndex(position[i], axes_[i].extent) * axes_[i].step;
    }
    return offset;
  }

  template <typename Size>
  void CopySlices(const RunTensors& tensors, Size size) const {
    const auto* values = tensors.Input<unsigned char>(0);
    const auto* position = tensors.Input<std::int64_t>(1);
    auto* output = tensors.Output<unsigned char>();
    for (std::int64_t batch = 0; batch < num_batches_; ++batch) {
      for (std::int64_t i = 0; i < positions_in_batch_; ++i, output += size()) {
        const std::int64_t from = batch * batch_elements_ + FindOffset(position);
        std::memcpy(output, values + static_cast<std::size_t>(from) * element_bytes_, size());
        position += axes_.size();
      }
    }
  }

  std::vector<Axis> axes_;  // that a position has indices for
  std::int64_t num_batches_ = 1;
  std::int64_t batch_elements_ = 1;
  std::int64_t positions_in_batch_ = 1;
  std::int64_t slice_elements_ = 1;
  std::size_t element_bytes_ = 0;
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

}  // namespace cpuref
}  // namespace backplane
