#include "operators/stated_type.hpp"

#include "tensors/data_types.hpp"

namespace backplane::onnx {

DataType ReadStashType(Node& node) {
  // Numbers of TensorProto.DataType.
  constexpr std::int64_t kFloat = 1;
  constexpr std::int64_t kBFloat16 = 16;
  const std::int64_t stated = node.GetAttributes().FindInt("stash_type").value_or(kFloat);
  if (stated == kFloat) return DataType::kFloat32;
  if (stated == kBFloat16) return DataType::kBFloat16;
  node.GetAttributes().Refuse("stash_type", std::to_string(stated), "only 1 and 16 are supported");
}

DataType ReadOutputType(Node& node) {
  const auto stated = node.GetAttributes().FindInt("output_datatype");
  if (!stated) return DataType::kFloat32;
  const DataType type = FromOnnxType(*stated);
  if (type != DataType::kUndefined && type != DataType::kBool) return type;
  node.GetAttributes().Refuse("output_datatype", GetOnnxTypeName(*stated),
                              "types of numbers are supported");
}

}  // namespace backplane::onnx
