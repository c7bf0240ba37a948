#include "graph/operator_check.hpp"

#include "graph/layer_error.hpp"
#include "graph/type_set.hpp"
#include "tensors/tensor_size.hpp"
#include "tensors/tensor_text.hpp"

#include <algorithm>
#include <cmath>

namespace backplane {

namespace {

void CheckDataType(const Layer& layer, const TensorInfo& info, const std::string& role) {
  if (GetDataTypeSizeBytes(info.data_type) != 0) return;
  const auto number = static_cast<std::uint32_t>(info.data_type);
  ThrowLayerError(layer, DiagnosticCode::kWrongDataType, role + " has no known data type",
                  "found data type number " + std::to_string(number) +
                      "; expected one of those in data_types.def, for example float32",
                  "set the data type of the tensor");
}

void CheckShape(const Layer& layer, const TensorInfo& info, const std::string& role) {
  if (info.shape.rank > kMaxRank) {
    ThrowLayerError(layer, DiagnosticCode::kWrongRank,
                    role + " has rank " + std::to_string(info.shape.rank),
                    "found rank " + std::to_string(info.shape.rank) + "; expected at most " +
                        std::to_string(kMaxRank),
                    "join axes until the rank is at most " + std::to_string(kMaxRank));
  }
  for (std::uint32_t axis = 0; axis < info.shape.rank; ++axis) {
    if (info.shape[axis] >= 0) continue;
    ThrowLayerError(layer, DiagnosticCode::kWrongShape, role + " has a negative extent",
                    "found " + std::to_string(info.shape[axis]) + " at axis " +
                        std::to_string(axis) + " of " + DescribeShape(info.shape) +
                        "; expected 0 or more",
                    "give every extent its value before adding the layer");
  }
  if (ComputeSizeBytes(info.shape, info.data_type)) return;
  ThrowLayerError(layer, DiagnosticCode::kTensorTooLarge, role + " is too large",
                  "found " + DescribeTensor(info) +
                      "; expected a size that fits 63 bits, counting extents of 0 as 1",
                  "check the extents; split the tensor when they are right");
}

bool CanHold(DataType type, std::int32_t value) {
  const bool is_unsigned = type == DataType::kUInt8 || type == DataType::kUInt16;
  const std::uint32_t bits = 8 * GetDataTypeSizeBytes(type);
  const std::int64_t count = std::int64_t{1} << bits;
  const std::int64_t least = is_unsigned ? 0 : -count / 2;
  return value >= least && value < least + count;
}

void CheckQuantizedType(const Layer& layer, const TensorInfo& info, const std::string& role) {
  if (!info.quantization.IsQuantized() || kQuantizableTypes.Has(info.data_type)) return;
  ThrowLayerError(layer, DiagnosticCode::kWrongDataType, role + " cannot be quantized",
                  "found scales with " + std::string(GetDataTypeName(info.data_type)) +
                      "; expected " + DescribeTypes(kQuantizableTypes),
                  "leave the scales out, or convert the tensor to one of these types");
}

void CheckQuantization(const Layer& layer, const TensorInfo& info, const std::string& role) {
  const QuantizationInfo& quantization = info.quantization;
  const auto fail = [&](const std::string& why) {
    ThrowLayerError(layer, DiagnosticCode::kWrongShape, role + " has inconsistent quantization",
                    why, "correct the scales and zero points of the tensor");
  };
  CheckQuantizedType(layer, info, role);
  const std::size_t num_scales = quantization.scales.size();
  const std::size_t num_zero_points = quantization.zero_points.size();
  if (num_zero_points != 0 && num_zero_points != num_scales) {
    fail("found " + std::to_string(num_zero_points) + " zero points and " +
         std::to_string(num_scales) + " scales; expected no zero points or as many as scales");
  }
  const bool are_scales_positive =
      std::all_of(quantization.scales.begin(), quantization.scales.end(),
                  [](float scale) { return std::isfinite(scale) && scale > 0.0F; });
  if (!are_scales_positive) fail("found a scale that is not finite and greater than 0");
  for (const std::int32_t zero_point : quantization.zero_points) {
    if (CanHold(info.data_type, zero_point)) continue;
    fail("found the zero point " + std::to_string(zero_point) + "; expected one that " +
         GetDataTypeName(info.data_type) + " can hold");
  }
  if (!quantization.IsPerAxis()) return;
  if (quantization.axis < 0 || quantization.axis >= static_cast<std::int32_t>(info.shape.rank)) {
    fail("found quantization along axis " + std::to_string(quantization.axis) +
         "; expected an axis of " + DescribeShape(info.shape));
  }
  const std::int64_t extent = info.shape[static_cast<std::uint32_t>(quantization.axis)];
  if (extent != static_cast<std::int64_t>(num_scales)) {
    fail("found " + std::to_string(num_scales) + " scales; expected " + std::to_string(extent) +
         ", the extent of axis " + std::to_string(quantization.axis));
  }
}

}  // namespace

void CheckTensor(const Layer& layer, const TensorInfo& info, const std::string& role) {
  CheckDataType(layer, info, role);
  CheckShape(layer, info, role);
  CheckQuantization(layer, info, role);
}

}  // namespace backplane
