#pragma once

#include <backplane/host/diagnostic.hpp>
#include <backplane/onnx/tensor_file.hpp>

#include <onnx/onnx_pb.h>

namespace backplane::onnx {

/// Where a tensor stands, for messages, and the code of what is wrong with it.
struct TensorOrigin {
  DiagnosticCode code;
  Subject subject;   // the file or model
  std::string name;  // "initializer w of m.onnx"
};

/// Throws DiagnosticException with the code of `origin`: the tensor cannot be read.
[[noreturn]] void RefuseTensor(const TensorOrigin& origin, const std::string& why,
                               const std::string& fix = "export it again");

/// Data type and shape.
/// Errors: as DecodeTensor, as far as they concern those.
TensorInfo DecodeInfo(const ::onnx::TensorProto& proto, const TensorOrigin& origin);

/// The shape of these dimensions.
/// Errors: as DecodeInfo.
TensorShape CheckDims(const std::vector<std::int64_t>& dims, DataType type,
                      const TensorOrigin& origin);

/// What DecodeInfo gives of a tensor whose data is in the message, and is checked.
/// Errors: as DecodeTensor, except for values that their type cannot hold.
TensorInfo CheckTensor(const ::onnx::TensorProto& proto, const TensorOrigin& origin);

/// How many bytes a tensor of ONNX has: those of fewer bits than a byte are packed.
std::uint64_t GetStoredBytes(const TensorInfo& info);

/// Sets the elements of a tensor, whose info is known, from as many bytes as ONNX has for it.
void SetStoredData(const void* data, NamedTensor& tensor);

/// Where the message holds the data as it lies in memory, aligned for its type; null when it has to
/// be converted or copied. The tensor must have been checked.
const void* FindDataInPlace(const ::onnx::TensorProto& proto, const TensorInfo& info);

/// Errors: DiagnosticException with the code of `origin` when bytes of bool are neither 0 nor 1.
void CheckBools(const TensorInfo& info, const void* data, const TensorOrigin& origin);

/// The content of a tensor. Nothing that the message states of itself is trusted: memory is taken
/// only for data that is there.
/// Errors: DiagnosticException with the code of `origin`: a data type that Backplane lacks, a rank
/// above kMaxRank, negative or absurd dimensions, more or less data than the shape needs, data in
/// the wrong field, values that their type cannot hold, data in other files.
NamedTensor DecodeTensor(const ::onnx::TensorProto& proto, const TensorOrigin& origin);

/// The tensor in the content of a tensor file.
/// Errors: DiagnosticException with kTensorFileUnreadable, as ReadTensorFile.
NamedTensor ParseTensor(const std::string& content, const std::string& path);

/// The message for a tensor whose data type is not kUndefined.
::onnx::TensorProto EncodeTensor(const NamedTensor& tensor);

}  // namespace backplane::onnx
