#pragma once

#include <backplane/api/data_type.hpp>

#include <cstdint>
#include <string>

namespace backplane::onnx {

/// The type of a number of TensorProto::DataType; kUndefined for those that Backplane lacks, and
/// for any other number, as attributes may have it.
DataType FromOnnxType(std::int64_t onnx_type);

/// The number in TensorProto::DataType. `type` must not be kUndefined.
std::int32_t ToOnnxType(DataType type);

/// The name of a number of TensorProto::DataType as ONNX writes it, also for what Backplane lacks:
/// "FLOAT", "STRING", "type 99".
std::string GetOnnxTypeName(std::int64_t onnx_type);

/// Whether lists of axes and extents may have the type.
inline bool IsListType(DataType type) {
  return type == DataType::kInt64 || type == DataType::kInt32;
}

inline bool IsFloat(DataType type) {
  return type == DataType::kFloat32 || type == DataType::kFloat16 || type == DataType::kBFloat16 ||
         type == DataType::kFloat64;
}

}  // namespace backplane::onnx
