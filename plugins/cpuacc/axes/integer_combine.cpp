#include "axes/integer_combine.hpp"

#include "axes/combine.hpp"
#include "axes/visit_integers.hpp"
#include "cpu_layers/arithmetic.hpp"
#include "simd/comparison_functions.hpp"

#include <cstdint>

namespace backplane {
namespace cpuacc {
namespace {

using Wide = std::int64_t;
using WideOperation = Wide (*)(Wide, Wide);

Wide SquareDifference(Wide a, Wide b) {
  const Wide difference = cpu_layers::Subtract(a, b);
  return cpu_layers::Multiply(difference, difference);
}

template <typename Integer, WideOperation kOperation>
void CombineIntegers(OperandRow a, OperandRow b, void* y, std::int64_t count) {
  const auto* first = static_cast<const Integer*>(a.begin);
  const auto* second = static_cast<const Integer*>(b.begin);
  auto* result = static_cast<Integer*>(y);
  for (std::int64_t i = 0; i < count; ++i) {
    result[i] = static_cast<Integer>(kOperation(Wide{first[i * a.step]}, Wide{second[i * b.step]}));
  }
}

template <typename Integer>
CombineRows FindOperation(BinaryOperation operation) {
  switch (operation) {
    case BinaryOperation::kAdd:
      return &CombineIntegers<Integer, &cpu_layers::Add<Wide>>;
    case BinaryOperation::kSub:
      return &CombineIntegers<Integer, &cpu_layers::Subtract<Wide>>;
    case BinaryOperation::kMul:
      return &CombineIntegers<Integer, &cpu_layers::Multiply<Wide>>;
    case BinaryOperation::kDiv:
      return &CombineIntegers<Integer, &cpu_layers::Divide<Wide>>;
    case BinaryOperation::kMaximum:
      return &CombineIntegers<Integer, &cpu_layers::GetMaximum<Wide>>;
    case BinaryOperation::kMinimum:
      return &CombineIntegers<Integer, &cpu_layers::GetMinimum<Wide>>;
    case BinaryOperation::kPower:
      return &CombineIntegers<Integer, &cpu_layers::RaiseToPower<Wide>>;
    case BinaryOperation::kModulo:
      return &CombineIntegers<Integer, &cpu_layers::GetModulo<Wide>>;
    case BinaryOperation::kRemainder:
      return &CombineIntegers<Integer, &cpu_layers::GetRemainder<Wide>>;
    default:
      return &CombineIntegers<Integer, &SquareDifference>;
  }
}

}  // namespace

std::unique_ptr<const Kernel> MakeIntegerCombine(KernelMaker& maker, BinaryOperation operation) {
  CombineRows combine = nullptr;
  VisitIntegers(maker.GetInput(0).info.data_type,
                [&](auto integer) { combine = FindOperation<decltype(integer)>(operation); });
  return MakeCombine(maker, combine);
}

}  // namespace cpuacc
}  // namespace backplane
