#include "cpu_layers/arithmetic.hpp"
#include "cpu_layers/refusal.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"
#include "kernels/combine.hpp"
#include "kernels/quantised_binary.hpp"

#include <backplane/api/descriptors/elementwise_binary.hpp>

namespace backplane {
namespace cpuref {
namespace {

template <typename Number>
Number SquareDifference(Number a, Number b) {
  const Number difference = Subtract(a, b);
  return Multiply(difference, difference);
}

template <typename Number>
class ElementwiseBinaryKernel : public Kernel {
 public:
  explicit ElementwiseBinaryKernel(const Layer& layer)
      : operation_(layer.GetDescriptor<ElementwiseBinaryDescriptor>().operation),
        broadcast_(MakeBroadcast(layer)) {}

  void Run(const RunTensors& tensors) const override {
    switch (operation_) {
      case BinaryOperation::kAdd:
        return Apply(tensors, [](Number a, Number b) { return Add(a, b); });
      case BinaryOperation::kSub:
        return Apply(tensors, [](Number a, Number b) { return Subtract(a, b); });
      case BinaryOperation::kMul:
        return Apply(tensors, [](Number a, Number b) { return Multiply(a, b); });
      case BinaryOperation::kDiv:
        return Apply(tensors, [](Number a, Number b) { return Divide(a, b); });
      case BinaryOperation::kMaximum:
        return Apply(tensors, [](Number a, Number b) { return GetMaximum(a, b); });
      case BinaryOperation::kMinimum:
        return Apply(tensors, [](Number a, Number b) { return GetMinimum(a, b); });
      case BinaryOperation::kPower:
        return Apply(tensors, [](Number a, Number b) { return RaiseToPower(a, b); });
      case BinaryOperation::kModulo:
        return Apply(tensors, [](Number a, Number b) { return GetModulo(a, b); });
      case BinaryOperation::kRemainder:
        return Apply(tensors, [](Number a, Number b) { return GetRemainder(a, b); });
      case BinaryOperation::kSquaredDifference:
        return Apply(tensors, [](Number a, Number b) { return SquareDifference(a, b); });
    }
  }

 private:
  template <typename Operation>
  void Apply(const RunTensors& tensors, Operation operation) const {
    Combine<Number, Number>(broadcast_, tensors, operation);
  }

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

}  // namespace cpuref
}  // namespace backplane
