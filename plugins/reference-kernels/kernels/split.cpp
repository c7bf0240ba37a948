#include "cpu_layers/join_refusal.hpp"
#include "kernel.hpp"

#include <backplane/api/descriptors/split.hpp>

#include <cstring>
#include <vector>

namespace backplane {
namespace reference {
namespace {

/// Each output takes one run of bytes from every row of the input, where a row is all that follows
/// one combination of the indices in front of the axis.
class SplitKernel : public Kernel {
 public:
  explicit SplitKernel(const Layer& layer) {
    const std::uint32_t axis = layer.GetDescriptor<SplitDescriptor>().axis;
    const TensorShape& input = layer.Input(0).shape;
    for (std::uint32_t i = 0; i < axis; ++i) num_rows_ *= static_cast<std::size_t>(input[i]);
    std::size_t bytes_behind_axis = GetDataTypeSizeBytes(layer.Input(0).data_type);
    for (std::uint32_t i = axis + 1; i < input.rank; ++i) {
      bytes_behind_axis *= static_cast<std::size_t>(input[i]);
    }
    row_bytes_ = static_cast<std::size_t>(input[axis]) * bytes_behind_axis;
    for (std::uint32_t i = 0; i < layer.num_outputs; ++i) {
      const auto extent = static_cast<std::size_t>(layer.Output(i).shape[axis]);
      run_bytes_.push_back(extent * bytes_behind_axis);
    }
  }

  void Run(const RunTensors& tensors) const override {
    const auto* begin = tensors.Input<unsigned char>(0);
    for (std::size_t i = 0; i < run_bytes_.size(); ++i) {
      const std::size_t bytes = run_bytes_[i];
      if (bytes == 0) continue;
      auto* output = tensors.Output<unsigned char>(static_cast<std::uint32_t>(i));
      for (std::size_t row = 0; row < num_rows_; ++row) {
        std::memcpy(output + row * bytes, begin + row * row_bytes_, bytes);
      }
      begin += bytes;
    }
  }

 private:
  std::size_t num_rows_ = 1;
  std::size_t row_bytes_ = 0;
  std::vector<std::size_t> run_bytes_;
};

}  // namespace

std::string FindRefusalOfSplit(const Layer& layer) {
  Refusal refusal;
  RequireSplit(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeSplit(const Layer& layer) {
  return std::make_unique<SplitKernel>(layer);
}

}  // namespace reference
}  // namespace backplane
