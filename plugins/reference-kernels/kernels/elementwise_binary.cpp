#include "cpu_layers/binary_function.hpp"
#include "cpu_layers/refusal.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"
#include "kernels/combine.hpp"
#include "kernels/quantised_binary.hpp"

#include <backplane/api/descriptors/elementwise_binary.hpp>

namespace backplane {
namespace reference {
namespace {

template <typename Number>
class ElementwiseBinaryKernel : public Kernel {
 public:
  explicit ElementwiseBinaryKernel(const Layer& layer)
      : operation_(layer.GetDescriptor<ElementwiseBinaryDescriptor>().operation),
        broadcast_(MakeBroadcast(layer)) {}

  void Run(const RunTensors& tensors) const override {
    VisitBinaryOperation<Number>(
        operation_, [&](auto function) { Combine<Number, Number>(broadcast_, tensors, function); });
  }

 private:
  const BinaryOperation operation_;
  const Broadcast broadcast_;
};

// The enumerators are numbered without a gap.
bool IsKnown(BinaryOperation operation) {
  return operation >= BinaryOperation::kAdd && operation <= BinaryOperation::kSquaredDifference;
}

}  // namespace

std::string FindRefusalOfElementwiseBinary(const Layer& layer) {
  Refusal refusal;
  RequireNumbers(layer, refusal);
  const auto operation = layer.GetDescriptor<ElementwiseBinaryDescriptor>().operation;
  if (!IsKnown(operation)) {
    refusal.Add("binary operation ", static_cast<std::uint32_t>(operation),
                " is not supported, only 1 (Add) to 10 (SquaredDifference)");
  }
  RequireBroadcast(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeElementwiseBinary(const Layer& layer) {
  auto quantised = MakeQuantisedBinary(layer);
  if (quantised != nullptr) return quantised;
  return MakeNumberKernel<ElementwiseBinaryKernel>(layer);
}

}  // namespace reference
}  // namespace backplane
