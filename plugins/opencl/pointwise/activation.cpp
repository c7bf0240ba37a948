#include "plan/layer.hpp"
#include "pointwise/expression.hpp"
#include "pointwise/statements.hpp"

namespace backplane {
namespace opencl {
namespace {

/// Writes the definition of one result; names of its own begin with that of the result.
class ActivationWriter {
 public:
  ActivationWriter(const ActivationDescriptor& descriptor, std::string x, std::string result)
      : a_(WriteFloat(descriptor.alpha)),
        b_(WriteFloat(descriptor.beta)),
        x_(std::move(x)),
        result_(std::move(result)) {}

  std::string Write(ActivationFunction function) const {
    switch (function) {
      case ActivationFunction::kRelu:
        return Define(Text(x_, " < 0.0f ? 0.0f : ", x_));
      case ActivationFunction::kBoundedRelu:
        return Bound(x_, b_, a_, result_);
      case ActivationFunction::kLeakyRelu:
        return Define(Text(x_, " >= 0.0f ? ", x_, " : ", a_, " * ", x_));
      case ActivationFunction::kTanH:
        return Define(Text(a_, " * tanh(", b_, " * ", x_, ")"));
      case ActivationFunction::kHardSigmoid:
        return Local("y", Text(a_, " * ", x_, " + ", b_)) +
               Bound(Name("y"), "0.0f", "1.0f", result_);
      case ActivationFunction::kThresholdedRelu:
        return Define(Text(x_, " > ", a_, " ? ", x_, " : 0.0f"));
      case ActivationFunction::kShrink:
        return Define(Text(x_, " < -(", a_, ") ? ", x_, " + ", b_, " : ", x_, " > ", a_, " ? ", x_,
                           " - ", b_, " : 0.0f"));
      case ActivationFunction::kLinear:
        return Define(Text(a_, " * ", x_, " + ", b_));
      default:
        return WriteWithExponential(function);
    }
  }

 private:
  std::string WriteWithExponential(ActivationFunction function) const {
    switch (function) {
      case ActivationFunction::kSigmoid:
        return Sigmoid(x_, result_);
      case ActivationFunction::kElu:
        return Define(Text(x_, " >= 0.0f ? ", x_, " : ", a_, " * GetExpm1(", x_, ")"));
      case ActivationFunction::kSelu:
        return Define(
            Text(x_, " > 0.0f ? ", b_, " * ", x_, " : ", b_, " * ", a_, " * GetExpm1(", x_, ")"));
      case ActivationFunction::kCelu:
        return Define(Text(x_, " >= 0.0f ? ", x_, " : ", a_, " * GetExpm1(", x_, " / ", a_, ")"));
      case ActivationFunction::kSoftplus:
        return Softplus(result_);
      case ActivationFunction::kSoftsign:
        return Define(Text("isinf(", x_, ") ? copysign(1.0f, ", x_, ") : ", x_, " / (1.0f + fabs(",
                           x_, "))"));
      default:
        return WriteGated(function);
    }
  }

  // x * gate, where a closed gate is 0 also for an infinite x.
  std::string WriteGated(ActivationFunction function) const {
    return WriteGate(function) +
           Define(Text(Name("gate"), " == 0.0f ? 0.0f : ", x_, " * ", Name("gate")));
  }

  std::string WriteGate(ActivationFunction function) const {
    const std::string gate = Name("gate");
    switch (function) {
      case ActivationFunction::kGelu:
        return Local("gate", Text("0.5f + 0.5f * GetErf(0.70710678118654752440f * ", x_, ")"));
      case ActivationFunction::kGeluTanH:
        return Local("y", Text("1.59576912160573071176f * (", x_, " + 0.044715f * ", x_, " * ", x_,
                               " * ", x_, ")")) +
               Sigmoid(Name("y"), gate);
      case ActivationFunction::kHardSwish:
        return Local("y", Text(x_, " / 6.0f + 0.5f")) + Bound(Name("y"), "0.0f", "1.0f", gate);
      case ActivationFunction::kMish:
        return Softplus(Name("softplus")) + Local("gate", Text("tanh(", Name("softplus"), ")"));
      default:
        return Local("y", Text(a_, " * ", x_)) + Sigmoid(Name("y"), gate);
    }
  }

  static std::string DefineAs(const std::string& name, const std::string& value) {
    return Text("const float ", name, " = ", value, ";\n");
  }
  std::string Define(const std::string& value) const { return DefineAs(result_, value); }
  std::string Local(const char* name, const std::string& value) const {
    return DefineAs(Name(name), value);
  }
  std::string Name(const char* name) const { return Text(result_, "_", name); }

  // The comparisons keep NaN.
  static std::string Bound(const std::string& x, const std::string& least,
                           const std::string& greatest, const std::string& result) {
    const std::string bounded = result + "_bounded";
    return DefineAs(bounded, Text(x, " < ", least, " ? ", least, " : ", x)) +
           DefineAs(result, Text(bounded, " > ", greatest, " ? ", greatest, " : ", bounded));
  }

  // The exponential is at most 1, so that it cannot overflow.
  static std::string Sigmoid(const std::string& x, const std::string& result) {
    const std::string exponential = result + "_exponential";
    return DefineAs(exponential, Text("exp(-fabs(", x, "))")) +
           DefineAs(result, Text("(", x, " < 0.0f ? ", exponential, " : 1.0f) / (1.0f + ",
                                 exponential, ")"));
  }

  std::string Softplus(const std::string& result) const {
    return DefineAs(result,
                    Text("(", x_, " > 0.0f ? ", x_, " : 0.0f) + GetLog1p(exp(-fabs(", x_, ")))"));
  }

  const std::string a_;
  const std::string b_;
  const std::string x_;
  const std::string result_;
};

}  // namespace

std::string WriteActivation(const ActivationDescriptor& descriptor, const std::string& x,
                            const std::string& result) {
  return ActivationWriter(descriptor, x, result).Write(descriptor.function);
}

}  // namespace opencl
}  // namespace backplane
