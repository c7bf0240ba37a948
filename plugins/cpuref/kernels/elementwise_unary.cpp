#include "cpu_layers/refusal.hpp"
#include "elements/arithmetic.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"

#include <backplane/api/descriptors/elementwise_unary.hpp>

#include <cmath>

namespace backplane {
namespace cpuref {
namespace {

template <typename Number>
Number GetAbsolute(Number x) {
  if constexpr (std::is_floating_point<Number>::value) return std::fabs(x);
  return x < 0 ? Subtract<Number>(0, x) : x;
}

template <typename Number>
Number Negate(Number x) {
  if constexpr (std::is_floating_point<Number>::value) return -x;
  return Subtract<Number>(0, x);
}

/// NaN stays NaN.
template <typename Number>
Number GetSign(Number x) {
  return x > 0 ? Number{1} : x < 0 ? static_cast<Number>(-1) : x;
}

template <typename Number>
class ElementwiseUnaryKernel : public Kernel {
 public:
  explicit ElementwiseUnaryKernel(const Layer& layer)
      : operation_(layer.GetDescriptor<ElementwiseUnaryDescriptor>().operation),
        num_elements_(layer.Output().shape.GetNumElements()) {}

  void Run(const RunTensors& tensors) const override {
    switch (operation_) {
      case UnaryOperation::kAbs:
        return Apply(tensors, [](Number x) { return GetAbsolute(x); });
      case UnaryOperation::kNegate:
        return Apply(tensors, [](Number x) { return Negate(x); });
      case UnaryOperation::kSign:
        return Apply(tensors, [](Number x) { return GetSign(x); });
      default:
        if constexpr (std::is_floating_point<Number>::value) {
          RunOnFloats(tensors);
        } else {
          Apply(tensors, [](Number x) { return ~x; });
        }
    }
  }

 private:
  void RunOnFloats(const RunTensors& tensors) const {
    switch (operation_) {
#define CPUREF_UNARY(name, result) \
  case UnaryOperation::k##name:    \
    return Apply(tensors, [](Number x) { return result; });
      CPUREF_UNARY(Sqrt, std::sqrt(x))
      CPUREF_UNARY(Reciprocal, 1 / x)
      CPUREF_UNARY(Exp, std::exp(x))
      CPUREF_UNARY(Log, std::log(x))
      CPUREF_UNARY(Sin, std::sin(x))
      CPUREF_UNARY(Cos, std::cos(x))
      CPUREF_UNARY(Tan, std::tan(x))
      CPUREF_UNARY(Asin, std::asin(x))
      CPUREF_UNARY(Acos, std::acos(x))
      CPUREF_UNARY(Atan, std::atan(x))
      CPUREF_UNARY(Sinh, std::sinh(x))
      CPUREF_UNARY(Cosh, std::cosh(x))
      CPUREF_UNARY(Asinh, std::asinh(x))
      CPUREF_UNARY(Acosh, std::acosh(x))
      CPUREF_UNARY(Atanh, std::atanh(x))
      CPUREF_UNARY(Erf, std::erf(x))
      CPUREF_UNARY(Ceil, std::ceil(x))
      CPUREF_UNARY(Floor, std::floor(x))
      CPUREF_UNARY(Round, std::nearbyint(x))
#undef CPUREF_UNARY
      default:
        return;
    }
  }

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

}  // namespace cpuref
}  // namespace backplane
