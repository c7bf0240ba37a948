#include "axes/combine.hpp"
#include "cpu_layers/broadcast.hpp"
#include "cpu_layers/enumerators.hpp"
#include "kernels/kernel_table.hpp"
#include "simd/simd.hpp"

#include <backplane/api/descriptors/comparison.hpp>

namespace backplane {
namespace cpuacc {
namespace {

bool IsEquality(ComparisonOperation operation) {
  return operation == ComparisonOperation::kEqual || operation == ComparisonOperation::kNotEqual;
}

}  // namespace

std::string FindRefusalOfComparison(const Layer& layer) {
  Refusal refusal;
  RequireTypesOfRoles(layer, {{TensorRole::kOwn, TensorRole::kOwn}, {TensorRole::kBool}}, refusal);
  const auto operation = layer.GetDescriptor<ComparisonDescriptor>().operation;
  RequireNumberType(layer.Input(0), "input 0", refusal);
  if (layer.Input(0).data_type == DataType::kBool && !IsEquality(operation)) {
    refusal.Add("of bool only Equal (1) and NotEqual (2) are supported, but the comparison is ",
                static_cast<std::uint32_t>(operation));
  }
  if (layer.Input(1).data_type != layer.Input(0).data_type ||
      layer.Input(1).quantization.IsQuantized()) {
    refusal.Add("the type of input 1 differs from that of input 0, ",
                GetDataTypeName(layer.Input(0).data_type));
  }
  RequireEnumerator("comparison", operation, ComparisonOperation::kLessOrEqual,
                    "1 (Equal) to 6 (LessOrEqual)", refusal);
  RequireBroadcast(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeComparison(KernelMaker& maker) {
  const auto operation = maker.GetNode().GetDescriptor<ComparisonDescriptor>().operation;
  auto type = NumberType::kFloat32;
  FindNumberType(maker.GetInput(0).info.data_type, &type);
  return MakeCombine(maker, GetSimdFunctions().comparisons.GetComparison(type, operation));
}

}  // namespace cpuacc
}  // namespace backplane
