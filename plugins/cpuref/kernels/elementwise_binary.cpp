#include "elements/arithmetic.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"
#include "kernels/broadcast.hpp"
#include "kernels/quantised_binary.hpp"
#include "refusal.hpp"

#include <backplane/api/descriptors/elementwise_binary.hpp>

#include <optional>

namespace backplane {
namespace cpuref {
namespace {

/// Along the last axis an operand goes on by one element or repeats; a loop for each case can be
/// vectorised.
template <typename Number, typename Operation>
void CombineRows(std::int64_t length, const Number* a, std::int64_t step_a, const Number* b,
                 std::int64_t step_b, Number* output, Operation operation) {
  if (step_a == 0) {
    const Number repeated = *a;
    for (std::int64_t i = 0; i < length; ++i) output[i] = operation(repeated, b[i]);
  } else if (step_b == 0) {
    const Number repeated = *b;
    for (std::int64_t i = 0; i < length; ++i) output[i] = operation(a[i], repeated);
  } else {
    for (std::int64_t i = 0; i < length; ++i) output[i] = operation(a[i], b[i]);
  }
}

template <typename Number>
class ElementwiseBinaryKernel : public Kernel {
 public:
  explicit ElementwiseBinaryKernel(const Layer& layer)
      : operation_(layer.GetDescriptor<ElementwiseBinaryDescriptor>().operation),
        broadcast_(
            MakeBroadcast(layer.Input(0).shape, layer.Input(1).shape, layer.Output().shape)) {}

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
    }
  }

 private:
  template <typename Operation>
  void Apply(const RunTensors& tensors, Operation operation) const {
    const Number* a = tensors.Input<Number>(0);
    const Number* b = tensors.Input<Number>(1);
    Number* output = tensors.Output<Number>();
    const std::uint32_t last = broadcast_.rank - 1;
    const std::int64_t length = broadcast_.extents[last];
    VisitLeadingAxes(broadcast_, last, [&](std::int64_t offset_a, std::int64_t offset_b) {
      CombineRows(length, a + offset_a, broadcast_.steps_a[last], b + offset_b,
                  broadcast_.steps_b[last], output, operation);
      output += length;
    });
  }

  const BinaryOperation operation_;
  const Broadcast broadcast_;
};

bool IsKnown(BinaryOperation operation) {
  switch (operation) {
    case BinaryOperation::kAdd:
    case BinaryOperation::kSub:
    case BinaryOperation::kMul:
    case BinaryOperation::kDiv:
    case BinaryOperation::kMaximum:
    case BinaryOperation::kMinimum:
      return true;
  }
  return false;
}

}  // namespace

std::string FindRefusalOfElementwiseBinary(const Layer& layer) {
  Refusal refusal;
  RequireNumbers(layer, refusal);
  const auto operation = layer.GetDescriptor<ElementwiseBinaryDescriptor>().operation;
  if (!IsKnown(operation)) {
    refusal.Add("binary operation ", static_cast<std::uint32_t>(operation),
                " is not supported, only Add (1), Sub (2), Mul (3), Div (4), Maximum (5) and "
                "Minimum (6)");
  }
  const TensorShape& a = layer.Input(0).shape;
  const TensorShape& b = layer.Input(1).shape;
  const std::optional<TensorShape> result = BroadcastShapes(a, b);
  if (result) {
    RequireOutputShape(layer, *result, refusal);
  } else {
    refusal.Add("the shapes ", DescribeShape(a), " of input 0 and ", DescribeShape(b),
                " of input 1 do not broadcast");
  }
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeElementwiseBinary(const Layer& layer) {
  auto quantised = MakeQuantisedBinary(layer);
  if (quantised != nullptr) return quantised;
  return MakeNumberKernel<ElementwiseBinaryKernel>(layer);
}

}  // namespace cpuref
}  // namespace backplane
