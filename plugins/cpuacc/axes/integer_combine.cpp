#include "axes/integer_combine.hpp"

#include "axes/combine.hpp"
#include "axes/visit_integers.hpp"
#include "cpu_layers/binary_function.hpp"
#include "simd/comparison_functions.hpp"

#include <cstdint>

namespace backplane {
namespace cpuacc {
namespace {

using Wide = std::int64_t;
using WideOperation = Wide (*)(Wide, Wide);

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
  CombineRows combine = nullptr;
  cpu_layers::VisitBinaryOperation<Wide>(operation, [&](auto function) {
    combine = &CombineIntegers<Integer, decltype(function)::value>;
  });
  return combine;
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
