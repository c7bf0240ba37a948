#include "cpu_layers/element_fill.hpp"
#include "cpu_layers/refusal.hpp"
#include "kernel.hpp"

#include <backplane/api/descriptors/fill.hpp>

namespace backplane {
namespace reference {
namespace {

class FillKernel : public Kernel {
 public:
  explicit FillKernel(const TensorInfo& output)
      : count_(output.shape.GetNumElements()),
        element_bytes_(GetDataTypeSizeBytes(output.data_type)) {}

  void Run(const RunTensors& tensors) const override {
    FillElements(tensors.Output<void>(), count_, tensors.Input<void>(0), element_bytes_);
  }

 private:
  const std::int64_t count_;
  const std::size_t element_bytes_;
};

}  // namespace

std::string FindRefusalOfFill(const Layer& layer) {
  Refusal refusal;
  RequireOneRepresentation(layer, refusal);
  const auto descriptor = layer.GetDescriptor<FillDescriptor>();
  if (layer.Input(0).shape.GetNumElements() != 1) {
    refusal.Add("input 0 has shape ", DescribeShape(layer.Input(0).shape),
                ", but must have one element");
  }
  if (descriptor.rank > kMaxRank) {
    refusal.Add("rank ", descriptor.rank, " is more than ", kMaxRank);
    return refusal.GetReason();
  }
  TensorShape wanted;
  for (std::uint32_t axis = 0; axis < descriptor.rank; ++axis) wanted.Append(descriptor.dims[axis]);
  RequireOutputShape(layer, wanted, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeFill(const Layer& layer) {
  return std::make_unique<FillKernel>(layer.Output());
}

}  // namespace reference
}  // namespace backplane
