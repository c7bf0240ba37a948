#include "cpu_layers/index_refusal.hpp"
#include "cpu_layers/indices.hpp"
#include "cpu_layers/joined_shape.hpp"
#include "cpu_layers/run_bytes.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"

#include <backplane/api/descriptors/gather.hpp>

#include <cstring>

namespace backplane {
namespace reference {
namespace {

/// Copies a run of bytes, all that follows the axis, for each index, for each row in front of it.
class GatherKernel : public Kernel {
 public:
  explicit GatherKernel(const Layer& layer) {
    const std::uint32_t axis = layer.GetDescriptor<GatherDescriptor>().axis;
    const TensorShape& values = layer.Input(0).shape;
    num_rows_ = CountElements(values, 0, axis);
    extent_ = values[axis];
    run_bytes_ = static_cast<std::size_t>(CountElements(values, axis + 1, values.rank - axis - 1)) *
                 GetDataTypeSizeBytes(layer.Output().data_type);
    num_indices_ = layer.Input(1).shape.GetNumElements();
  }

  void Run(const RunTensors& tensors) const override {
    CheckIndices(tensors.Input<std::int64_t>(1), num_indices_, extent_);
    WithRun(run_bytes_, [&](auto size) { CopyRuns(tensors, size); });
  }

 private:
  template <typename Size>
  void CopyRuns(const RunTensors& tensors, Size size) const {
    const auto* row_begin = tensors.Input<unsigned char>(0);
    const auto* indices = tensors.Input<std::int64_t>(1);
    auto* output = tensors.Output<unsigned char>();
    for (std::int64_t row = 0; row < num_rows_; ++row) {
      for (std::int64_t i = 0; i < num_indices_; ++i, output += size.GetBytes()) {
        const std::int64_t index = GetIndex(indices[i], extent_);
        CopyRun(output, row_begin + static_cast<std::size_t>(index) * size.GetBytes(), size);
      }
      row_begin += static_cast<std::size_t>(extent_) * size.GetBytes();
    }
  }

  std::int64_t num_rows_ = 1;
  std::int64_t extent_ = 0;
  std::int64_t num_indices_ = 0;
  std::size_t run_bytes_ = 0;
};

}  // namespace

std::string FindRefusalOfGather(const Layer& layer) {
  Refusal refusal;
  RequireGather(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeGather(const Layer& layer) {
  return WithConvertedInputs(layer, {1}, std::make_unique<GatherKernel>(layer));
}

}  // namespace reference
}  // namespace backplane
