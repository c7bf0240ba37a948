#include "operators/stated_attributes.hpp"

#include "tensors/data_types.hpp"

#include <string>

namespace backplane::onnx {

std::uint32_t ReadAxis(Node& node, std::int64_t when_absent, const char* name) {
  const std::int64_t stated = node.GetAttributes().FindInt(name).value_or(when_absent);
  return node.ResolveAxis(stated, node.GetInputShape(0).rank);
}

std::int64_t ReadNeededInt(Node& node, const char* name) {
  const auto stated = node.GetAttributes().FindInt(name);
  if (stated) return *stated;
  node.RefuseAsInvalid(std::string(name) + " is absent, but is needed");
}

std::int64_t ReadStatedCount(Node& node, const char* name) {
  constexpr std::int64_t kMost = std::int64_t{1} << 30;
  const std::int64_t count = node.GetAttributes().FindInt(name).value_or(0);
  if (count > 0 && count <= kMost) return count;
  node.RefuseAsInvalid(std::string(name) + " is " + std::to_string(count) +
                       "; a number from 1 to 2^30 is expected");
}

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
