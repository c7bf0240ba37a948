#include "tensors/data_types.hpp"

#include <onnx/onnx_pb.h>

namespace backplane::onnx {
namespace {

using ::onnx::TensorProto;

struct TypeRow {
  DataType type;
  std::int32_t onnx_type;
};

constexpr TypeRow kTypeRows[] = {
    {DataType::kFloat32, TensorProto::FLOAT},
    {DataType::kFloat16, TensorProto::FLOAT16},
    {DataType::kBFloat16, TensorProto::BFLOAT16},
    {DataType::kFloat64, TensorProto::DOUBLE},
    {DataType::kInt8, TensorProto::INT8},
    {DataType::kUInt8, TensorProto::UINT8},
    {DataType::kInt16, TensorProto::INT16},
    {DataType::kUInt16, TensorProto::UINT16},
    {DataType::kInt32, TensorProto::INT32},
    {DataType::kUInt32, TensorProto::UINT32},
    {DataType::kInt64, TensorProto::INT64},
    {DataType::kUInt64, TensorProto::UINT64},
    {DataType::kBool, TensorProto::BOOL},
    // By their numbers: older headers of ONNX do not have them.
    {DataType::kFloat8E4M3FN, 17},
    {DataType::kFloat8E4M3FNUZ, 18},
    {DataType::kFloat8E5M2, 19},
    {DataType::kFloat8E5M2FNUZ, 20},
    {DataType::kUInt4, 21},
    {DataType::kInt4, 22},
    {DataType::kFloat4E2M1FN, 23},
    {DataType::kFloat8E8M0FNU, 24},
    {DataType::kUInt2, 25},
    {DataType::kInt2, 26},
};

}  // namespace

DataType FromOnnxType(std::int64_t onnx_type) {
  for (const TypeRow& row : kTypeRows) {
    if (row.onnx_type == onnx_type) return row.type;
  }
  return DataType::kUndefined;
}

std::int32_t ToOnnxType(DataType type) {
  for (const TypeRow& row : kTypeRows) {
    if (row.type == type) return row.onnx_type;
  }
  return TensorProto::UNDEFINED;
}

std::string GetOnnxTypeName(std::int64_t onnx_type) {
  const auto number = static_cast<int>(onnx_type);
  if (number != onnx_type || !TensorProto::DataType_IsValid(number)) {
    return "type " + std::to_string(onnx_type);
  }
  return TensorProto::DataType_Name(static_cast<TensorProto::DataType>(number));
}

}  // namespace backplane::onnx
