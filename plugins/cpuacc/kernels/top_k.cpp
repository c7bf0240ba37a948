#include "cpu_layers/reduction_refusal.hpp"
#include "kernels/kernel_table.hpp"
#include "kernels/top_k_columns.hpp"
#include "kernels/top_k_lines.hpp"
#include "simd/selection_functions.hpp"

#include <backplane/api/descriptors/top_k.hpp>

namespace backplane {
namespace cpuacc {

std::string FindRefusalOfTopK(const Layer& layer) {
  Refusal refusal;
  RequireOneRepresentation(layer, refusal, {{}, {TensorRole::kValue, TensorRole::kInt64}});
  RequireNumberType(layer.Input(0), "input 0", refusal);
  if (layer.Input(0).data_type == DataType::kBool) {
    refusal.Add("data type bool of input 0 is not supported, only numbers");
  }
  RequireTopK(layer, refusal);
  if (!refusal.IsEmpty()) return refusal.GetReason();
  const std::uint32_t axis = layer.GetDescriptor<TopKDescriptor>().axis;
  const std::int64_t extent = layer.Input(0).shape[axis];
  if (extent > SelectionFunctions::kMostElements) {
    refusal.Add("axis ", axis, " has extent ", extent, ", more than ",
                SelectionFunctions::kMostElements);
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
