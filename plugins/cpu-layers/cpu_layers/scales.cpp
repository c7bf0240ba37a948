#include "cpu_layers/scales.hpp"

namespace backplane {
namespace cpu_layers {

void RequireScalesThatFit(const TensorInfo& info, const std::string& tensor, Refusal& refusal) {
  const QuantizationInfo& quantization = info.quantization;
  if (!quantization.zero_points.empty() &&
      quantization.zero_points.size() != quantization.scales.size()) {
    refusal.Add(tensor, " has ", quantization.scales.size(), " scales, but ",
                quantization.zero_points.size(), " zero points");
  }
  if (!quantization.IsPerAxis()) return;
  const auto axis = static_cast<std::uint32_t>(quantization.axis);
  if (axis < info.shape.rank &&
      info.shape[axis] == static_cast<std::int64_t>(quantization.scales.size())) {
    return;
  }
  refusal.Add(tensor, " has ", quantization.scales.size(), " scales along axis ", quantization.axis,
              ", which do not fit the shape ", DescribeShape(info.shape));
}

}  // namespace cpu_layers
}  // namespace backplane
