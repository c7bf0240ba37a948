#include "axes/combine.hpp"
#include "axes/visit_integers.hpp"
#include "cpu_layers/binary_function.hpp"
#include "cpu_layers/broadcast.hpp"
#include "cpu_layers/enumerators.hpp"
#include "kernel_builders/kernel_maker.hpp"
#include "kernels/kernel_table.hpp"
#include "quantised/quantised_binary.hpp"
#include "quantised/quantised_types.hpp"
#include "simd/comparison_functions.hpp"

#include <backplane/api/descriptors/elementwise_binary.hpp>

#include <cstdint>
#include <memory>

namespace backplane {
namespace cpuacc {
namespace {

template <typename Integer, std::int64_t (*kOperation)(std::int64_t, std::int64_t)>
void CombineIntegers(OperandRow a, OperandRow b, void* y, std::int64_t count) {
  const auto* first = static_cast<const Integer*>(a.begin);
  const auto* second = static_cast<const Integer*>(b.begin);
  auto* result = static_cast<Integer*>(y);
  for (std::int64_t i = 0; i < count; ++i) {
    result[i] = static_cast<Integer>(
        kOperation(std::int64_t{first[i * a.step]}, std::int64_t{second[i * b.step]}));
  }
}

template <typename Integer>
CombineRows FindOperation(BinaryOperation operation) {
  CombineRows combine = nullptr;
  cpu_layers::VisitBinaryOperation<std::int64_t>(operation, [&](auto function) {
    combine = &CombineIntegers<Integer, decltype(function)::value>;
  });
  return combine;
}

/// Combines plain integers, inputs 0 and 1, as cpu_layers/arithmetic.hpp says.
std::unique_ptr<const Kernel> MakeIntegerCombine(KernelMaker& maker, BinaryOperation operation) {
  CombineRows combine = nullptr;
  VisitIntegers(maker.GetInput(0).info.data_type,
                [&](auto integer) { combine = FindOperation<decltype(integer)>(operation); });
  return MakeCombine(maker, combine);
}

}  // namespace

std::string FindRefusalOfElementwiseBinary(const Layer& layer) {
  Refusal refusal;
  if (IsQuantised(layer)) {
    RequireBytesWithOneScale(layer, refusal);
  } else {
    RequireFloat32OrIntegers(layer, refusal);
  }
  RequireEnumerator(
      "binary operation", layer.GetDescriptor<ElementwiseBinaryDescriptor>().operation,
      BinaryOperation::kSquaredDifference, "1 (Add) to 10 (SquaredDifference)", refusal);
  RequireBroadcast(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeElementwiseBinary(KernelMaker& maker) {
  if (IsPlainInteger(maker.GetInput(0).info)) {
    return MakeIntegerCombine(
        maker, maker.GetNode().GetDescriptor<ElementwiseBinaryDescriptor>().operation);
  }
  return MakeQuantisedBinary(maker);
}

}  // namespace cpuacc
}  // namespace backplane
