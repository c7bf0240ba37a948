#include "cpu_layers/reduction_refusal.hpp"
#include "cpu_layers/scales.hpp"
#include "kernels/kernel_table.hpp"
#include "kernels/top_k_columns.hpp"
#include "kernels/top_k_lines.hpp"
#include "simd/selection_functions.hpp"

#include <backplane/api/descriptors/top_k.hpp>

#include <utility>

namespace backplane {
namespace cpuacc {

std::string FindRefusalOfTopK(const Layer& layer) {
  Refusal refusal;
  RequireOneRepresentation(layer, refusal, {{}, {TensorRole::kValue, TensorRole::kInt64}});
  const TensorInfo& input = layer.Input(0);
  auto type = NumberType::kFloat32;
  if (!FindNumberType(input.data_type, &type) || type == NumberType::kBool) {
    refusal.Add("data type ", GetDataTypeName(input.data_type),
                " of input 0 is not supported, only float32, int32, int64, uint8 and int8");
  }
  // The greatest of integers are the greatest of what they stand for, where all have one scale.
  if (input.quantization.IsQuantized() && !cpu_layers::IsByteWithOneScale(input)) {
    refusal.Add("quantised ", GetDataTypeName(input.data_type), " with ",
                input.quantization.scales.size(),
                " scales is not supported as input 0, only int8 and uint8 with one scale");
  }
  RequireTopK(layer, refusal);
  if (!refusal.IsEmpty()) return refusal.GetReason();
  const std::uint32_t axis = layer.GetDescriptor<TopKDescriptor>().axis;
  const std::int64_t extent = input.shape[axis];
  if (extent > SelectionFunctions::kMostElements) {
    refusal.Add("axis ", axis, " of input 0 has extent ", extent, ", but only ",
                SelectionFunctions::kMostElements, " and less are supported");
  }
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeTopK(KernelMaker& maker) {
  maker.WantPlain(0);
  std::unique_ptr<const Kernel> kernel = MakeTopKColumns(maker);
  return kernel ? std::move(kernel) : MakeTopKLines(maker);
}

}  // namespace cpuacc
}  // namespace backplane
