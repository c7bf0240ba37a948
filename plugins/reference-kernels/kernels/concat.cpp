#include "cpu_layers/join_refusal.hpp"
#include "kernel.hpp"

#include <backplane/api/descriptors/concat.hpp>

#include <cstring>
#include <vector>

namespace backplane {
namespace reference {
namespace {

/// Each input gives one run of bytes to every row of the output, where a row is all that follows
/// one combination of the indices in front of the axis.
class ConcatKernel : public Kernel {
 public:
  explicit ConcatKernel(const Layer& layer) {
    const std::uint32_t axis = layer.GetDescriptor<ConcatDescriptor>().axis;
    const TensorShape& output = layer.Output().shape;
    for (std::uint32_t i = 0; i < axis; ++i) num_rows_ *= output[i];
    std::size_t bytes_behind_axis = GetDataTypeSizeBytes(layer.Output().data_type);
    for (std::uint32_t i = axis + 1; i < output.rank; ++i) {
      bytes_behind_axis *= static_cast<std::size_t>(output[i]);
    }
    for (std::uint32_t i = 0; i < layer.num_inputs; ++i) {
      const auto extent = static_cast<std::size_t>(layer.Input(i).shape[axis]);
      run_bytes_.push_back(extent * bytes_behind_axis);
      row_bytes_ += run_bytes_.back();
    }
  }

  void Run(const RunTensors& tensors) const override {
    unsigned char* begin = tensors.Output<unsigned char>();
    for (std::size_t i = 0; i < run_bytes_.size(); ++i) {
      const std::size_t bytes = run_bytes_[i];
      if (bytes == 0) continue;
      const auto* input = tensors.Input<unsigned char>(static_cast<std::uint32_t>(i));
      for (std::int64_t row = 0; row < num_rows_; ++row) {
        const auto index = static_cast<std::size_t>(row);
        std::memcpy(begin + index * row_bytes_, input + index * bytes, bytes);
      }
      begin += bytes;
    }
  }

 private:
  std::int64_t num_rows_ = 1;
  std::size_t row_bytes_ = 0;
  std::vector<std::size_t> run_bytes_;
};

}  // namespace

std::string FindRefusalOfConcat(const Layer& layer) {
  Refusal refusal;
  RequireConcat(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeConcat(const Layer& layer) {
  return std::make_unique<ConcatKernel>(layer);
}

}  // namespace reference
}  // namespace backplane
