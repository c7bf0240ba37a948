#pragma once

/// Tensors in files, as the test data of ONNX has them.

#include <backplane/api/tensor_info.hpp>
#include <backplane/host/diagnostic.hpp>
#include <backplane/onnx/export.hpp>

#include <string>
#include <vector>

namespace backplane::onnx {

/// A tensor with its data and, when it came from a file, the name it has there.
struct NamedTensor {
  std::string name;
  TensorInfo info;
  std::vector<unsigned char> data;  // dense, outermost axis first
};

/// Reads a serialised TensorProto.
/// Errors: DiagnosticException with kTensorFileUnreadable: no such file, no tensor, a data type
/// that Backplane lacks, or data that does not fit the shape.
/// [any thread]
BACKPLANE_ONNX_API NamedTensor ReadTensorFile(const std::string& path);

/// Writes a serialised TensorProto; an existing file is replaced. The data type must not be
/// kUndefined.
/// Errors: DiagnosticException with kOutputUnwritable.
/// [any thread]
BACKPLANE_ONNX_API void WriteTensorFile(const std::string& path, const NamedTensor& tensor);

}  // namespace backplane::onnx
