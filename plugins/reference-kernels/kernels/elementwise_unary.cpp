#include "cpu_layers/refusal.hpp"
#include "cpu_layers/unary_function.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"

#include <backplane/api/descriptors/elementwise_unary.hpp>

namespace backplane {
namespace reference {
namespace {

template <typename Number>
class ElementwiseUnaryKernel : public Kernel {
 public:
  explicit ElementwiseUnaryKernel(const Layer& layer)
      : operation_(layer.GetDescriptor<ElementwiseUnaryDescriptor>().operation),
        num_elements_(layer.Output().shape.GetNumElements()) {}

  void Run(const RunTensors& tensors) const override {
    const auto apply = [&](auto function) { Apply(tensors, function); };
    if constexpr (std::is_floating_point<Number>::value) {
      VisitUnaryOperation<Number>(operation_, apply);
    } else {
      VisitUnaryOperationOnIntegers<Number>(operation_, apply);
    }
  }

 private:
  template <typename Function>
  void Apply(const RunTensors& tensors, Function function) const {
    const Number* input = tensors.Input<Number>(0);
    Number* output = tensors.Output<Number>();
    const std::int64_t count = num_elements_;
    for (std::int64_t i = 0; i < count; ++i) output[i] = function(input[i]);
  }

  const UnaryOperation operation_;
  const std::int64_t num_elements_;
};

/// Every byte but 0 is true.
class LogicalNotKernel : public Kernel {
 public:
  explicit LogicalNotKernel(const Layer& layer)
      : num_elements_(layer.Output().shape.GetNumElements()) {}

  void Run(const RunTensors& tensors) const override {
    const auto* input = tensors.Input<std::uint8_t>(0);
    auto* output = tensors.Output<std::uint8_t>();
    const std::int64_t count = num_elements_;
    for (std::int64_t i = 0; i < count; ++i) output[i] = input[i] == 0;
  }

 private:
  const std::int64_t num_elements_;
};

// The enumerators are numbered without a gap.
bool IsKnown(UnaryOperation operation) {
  return operation >= UnaryOperation::kAbs && operation <= UnaryOperation::kLogicalNot;
}

void RequireTypes(const Layer& layer, UnaryOperation operation, Refusal& refusal) {
  switch (operation) {
    case UnaryOperation::kAbs:
    case UnaryOperation::kNegate:
    case UnaryOperation::kSign:
      return RequireNumbers(layer, refusal);
    case UnaryOperation::kBitwiseNot:
      return RequireIntegers(layer, refusal);
    case UnaryOperation::kLogicalNot:
      return RequireTypesOfRoles(layer, {{TensorRole::kBool}, {TensorRole::kBool}}, refusal);
    default:
      return RequireFloats(layer, refusal);
  }
}

}  // namespace

std::string FindRefusalOfElementwiseUnary(const Layer& layer) {
  Refusal refusal;
  const auto operation = layer.GetDescriptor<ElementwiseUnaryDescriptor>().operation;
  RequireTypes(layer, operation, refusal);
  if (!IsKnown(operation)) {
    refusal.Add("unary operation ", static_cast<std::uint32_t>(operation),
                " is not supported, only 1 (Abs) to 24 (LogicalNot)");
  }
  RequireOutputShape(layer, layer.Input(0).shape, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeElementwiseUnary(const Layer& layer) {
  if (layer.GetDescriptor<ElementwiseUnaryDescriptor>().operation == UnaryOperation::kLogicalNot) {
    return std::make_unique<LogicalNotKernel>(layer);
  }
  return MakeNumberKernel<ElementwiseUnaryKernel>(layer);
}

}  // namespace reference
}  // namespace backplane
