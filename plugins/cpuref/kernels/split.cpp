#include "cpu_layers/refusal.hpp"
#include "kernel.hpp"

#include <backplane/api/descriptors/split.hpp>

#include <cstring>
#include <vector>

namespace backplane {
namespace cpuref {
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

// Subtracted from what is left, so that no sum overflows.
bool AreTheWhole(const SplitDescriptor& descriptor, std::int64_t extent) {
  for (std::uint32_t part = 0; part < descriptor.num_parts; ++part) {
    const std::int64_t length = descriptor.extents[part];
    if (length < 0 || length > extent) return false;
    extent -= length;
  }
  return extent == 0;
}

}  // namespace

std::string FindRefusalOfSplit(const Layer& layer) {
  Refusal refusal;
  RequireOneRepresentation(layer, refusal);
  const auto descriptor = layer.GetDescriptor<SplitDescriptor>();
  TensorShape part = layer.Input(0).shape;
  if (descriptor.axis >= part.rank) {
    refusal.Add("axis ", descriptor.axis, " is outside of rank ", part.rank, " of input 0");
  }
  if (descriptor.num_parts != layer.num_outputs) {
    refusal.Add("the descriptor has ", descriptor.num_parts, " parts, but the layer has ",
                layer.num_outputs, " outputs");
  }
  if (!refusal.IsEmpty()) return refusal.GetReason();
  if (!AreTheWhole(descriptor, part[descriptor.axis])) {
    refusal.Add("the extents of the parts must be 0 or more, with the sum ", part[descriptor.axis],
                " along axis ", descriptor.axis);
  }
  for (std::uint32_t i = 0; i < layer.num_outputs; ++i) {
    part[descriptor.axis] = descriptor.extents[i];
    RequireOutputShape(layer, part, refusal, i);
  }
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeSplit(const Layer& layer) {
  return std::make_unique<SplitKernel>(layer);
}

}  // namespace cpuref
}  // namespace backplane
