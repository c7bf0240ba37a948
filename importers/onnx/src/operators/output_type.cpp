#include "operators/output_type.hpp"

#include "tensors/data_types.hpp"

namespace backplane::onnx {

DataType ReadOutputType(Node& node) {
  const auto stated = node.GetAttributes().FindInt("output_datatype");
  if (!stated) return DataType::kFloat32;
  const DataType type = FromOnnxType(*stated);
  if (type != DataType::kUndefined && type != DataType::kBool) return type;
  node.GetAttributes().Refuse("output_datatype", GetOnnxTypeName(*stated),
                              "types of numbers are supported");
}

}  // namespace backplane::onnx
