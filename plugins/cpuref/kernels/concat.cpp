#include "cpu_layers/refusal.hpp"
#include "kernel.hpp"

#include <backplane/api/descriptors/concat.hpp>

#include <cstring>
#include <vector>

namespace backplane {
namespace cpuref {
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

void CheckInput(const Layer& layer, std::uint32_t index, std::uint32_t axis, Refusal& refusal) {
  const TensorShape& first = layer.Input(0).shape;
  const TensorShape& shape = layer.Input(index).shape;
  bool fits = shape.rank == first.rank;
  for (std::uint32_t i = 0; fits && i < shape.rank; ++i) {
    fits = i == axis || shape[i] == first[i];
  }
  if (fits) return;
  refusal.Add("input ", index, " has shape ", DescribeShape(shape), ", but must be like ",
              DescribeShape(first), " of input 0 in all axes but ", axis);
}

}  // namespace

std::string FindRefusalOfConcat(const Layer& layer) {
  Refusal refusal;
  RequireOneRepresentation(layer, refusal);
  const std::uint32_t axis = layer.GetDescriptor<ConcatDescriptor>().axis;
  TensorShape expected = layer.Input(0).shape;
  if (axis >= expected.rank) {
    refusal.Add("axis ", axis, " is outside of rank ", expected.rank, " of input 0");
    return refusal.GetReason();
  }
  for (std::uint32_t i = 1; i < layer.num_inputs; ++i) CheckInput(layer, i, axis, refusal);
  if (!refusal.IsEmpty()) return refusal.GetReason();
  for (std::uint32_t i = 1; i < layer.num_inputs; ++i) expected[axis] += layer.Input(i).shape[axis];
  RequireOutputShape(layer, expected, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeConcat(const Layer& layer) {
  return std::make_unique<ConcatKernel>(layer);
}

}  // namespace cpuref
}  // namespace backplane
