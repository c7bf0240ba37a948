#include "cpu_layers/broadcast.hpp"
#include "cpu_layers/refusal.hpp"
#include "kernel.hpp"

namespace backplane {
namespace reference {
namespace {

/// Moves elements of one size, whatever they are.
template <typename Element>
class WhereKernel : public Kernel {
 public:
  explicit WhereKernel(const Layer& layer) : broadcast_(MakeBroadcast(layer)) {}

  void Run(const RunTensors& tensors) const override {
    const auto* condition = tensors.Input<std::uint8_t>(0);
    const auto* a = tensors.Input<Element>(1);
    const auto* b = tensors.Input<Element>(2);
    auto* output = tensors.Output<Element>();
    const std::uint32_t last = broadcast_.rank - 1;
    const auto& steps = broadcast_.steps;
    VisitLeadingAxes(broadcast_, last, [&](std::int64_t at, std::int64_t at_a, std::int64_t at_b) {
      for (std::int64_t i = 0; i < broadcast_.extents[last]; ++i) {
        *output++ = condition[at + i * steps[0][last]] != 0 ? a[at_a + i * steps[1][last]]
                                                            : b[at_b + i * steps[2][last]];
      }
    });
  }

 private:
  const Broadcast broadcast_;
};

/// The scales of an input that is repeated, or gains axes in front, would be those of another axis.
void RequireKeptScales(const Layer& layer, std::uint32_t index, Refusal& refusal) {
  const TensorInfo& info = layer.Input(index);
  const TensorShape& output = layer.Output().shape;
  if (!info.quantization.IsPerAxis()) return;
  const auto axis = static_cast<std::uint32_t>(info.quantization.axis);
  if (info.shape.rank == output.rank && axis < output.rank && info.shape[axis] == output[axis]) {
    return;
  }
  refusal.Add("input ", index, " of shape ", DescribeShape(info.shape), " is quantised along axis ",
              axis, ", along which the output ", DescribeShape(output), " is another");
}

}  // namespace

std::string FindRefusalOfWhere(const Layer& layer) {
  Refusal refusal;
  RequireOneRepresentation(layer, refusal, {{TensorRole::kBool}, {}});
  RequireBroadcast(layer, refusal);
  RequireKeptScales(layer, 1, refusal);
  RequireKeptScales(layer, 2, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeWhere(const Layer& layer) {
  switch (GetDataTypeSizeBytes(layer.Output().data_type)) {
    case 1:
      return std::make_unique<WhereKernel<std::uint8_t>>(layer);
    case 2:
      return std::make_unique<WhereKernel<std::uint16_t>>(layer);
    case 4:
      return std::make_unique<WhereKernel<std::uint32_t>>(layer);
    default:
      return std::make_unique<WhereKernel<std::uint64_t>>(layer);
  }
}

}  // namespace reference
}  // namespace backplane
