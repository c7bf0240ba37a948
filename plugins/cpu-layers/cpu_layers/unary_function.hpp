#pragma once

/// The unary operations on numbers, one by one.

#include "cpu_layers/arithmetic.hpp"

#include <backplane/api/descriptors/elementwise_unary.hpp>

#include <cmath>

namespace backplane {
namespace cpu_layers {

/// NaN stays NaN.
template <typename Number>
Number GetSign(Number x) {
  return x > 0 ? Number{1} : x < 0 ? static_cast<Number>(-1) : x;
}

/// Calls visit(function), where function(x) is the operation; not at all when real numbers do not
/// have it.
template <typename Number, typename Visit>
void VisitUnaryOperation(UnaryOperation operation, const Visit& visit) {
  switch (operation) {
#define BACKPLANE_UNARY(name, result) \
  case UnaryOperation::k##name:       \
    return visit([](Number x) { return result; });
    BACKPLANE_UNARY(Abs, std::fabs(x))
    BACKPLANE_UNARY(Negate, -x)
    BACKPLANE_UNARY(Sign, GetSign(x))
    BACKPLANE_UNARY(Sqrt, std::sqrt(x))
    BACKPLANE_UNARY(Reciprocal, 1 / x)
    BACKPLANE_UNARY(Exp, std::exp(x))
    BACKPLANE_UNARY(Log, std::log(x))
    BACKPLANE_UNARY(Sin, std::sin(x))
    BACKPLANE_UNARY(Cos, std::cos(x))
    BACKPLANE_UNARY(Tan, std::tan(x))
    BACKPLANE_UNARY(Asin, std::asin(x))
    BACKPLANE_UNARY(Acos, std::acos(x))
    BACKPLANE_UNARY(Atan, std::atan(x))
    BACKPLANE_UNARY(Sinh, std::sinh(x))
    BACKPLANE_UNARY(Cosh, std::cosh(x))
    BACKPLANE_UNARY(Asinh, std::asinh(x))
    BACKPLANE_UNARY(Acosh, std::acosh(x))
    BACKPLANE_UNARY(Atanh, std::atanh(x))
    BACKPLANE_UNARY(Erf, std::erf(x))
    BACKPLANE_UNARY(Ceil, std::ceil(x))
    BACKPLANE_UNARY(Floor, std::floor(x))
    BACKPLANE_UNARY(Round, std::nearbyint(x))
#undef BACKPLANE_UNARY
    default:
      return;
  }
}

/// The same of integers, which wrap around: Abs, Negate, Sign and BitwiseNot.
template <typename Number, typename Visit>
void VisitUnaryOperationOnIntegers(UnaryOperation operation, const Visit& visit) {
  switch (operation) {
    case UnaryOperation::kAbs:
      return visit([](Number x) { return x < 0 ? Subtract<Number>(0, x) : x; });
    case UnaryOperation::kNegate:
      return visit([](Number x) { return Subtract<Number>(0, x); });
    case UnaryOperation::kSign:
      return visit([](Number x) { return GetSign(x); });
    case UnaryOperation::kBitwiseNot:
      return visit([](Number x) { return static_cast<Number>(~x); });
    default:
      return;
  }
}

}  // namespace cpu_layers
}  // namespace backplane
