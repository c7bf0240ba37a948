#pragma once

/// Tensors in files, as the test data of ONNX has them.

#include <backplane/api/tensor_info.hpp>
#include <backplane/host/diagnostic.hpp>
#include <backplane/onnx/export.hpp>
#include <backplane/runtime/stage_value.hpp>

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

/// What a file is to have besides a tensor. Nothing in a file says it.
struct ValueForm {
  bool is_sequence = false;
  bool is_optional = false;
};

/// Reads a serialised TensorProto, SequenceProto or OptionalProto, with memory of its own. A file
/// for an optional may have what is in it instead.
/// Errors: as ReadTensorFile; also for sequences of anything but tensors.
/// [any thread] Since: 0.1
BACKPLANE_ONNX_API StageValue ReadValueFile(const std::string& path, const ValueForm& form);

/// Writes a serialised TensorProto; an existing file is replaced. The data type must not be
/// kUndefined.
/// Errors: DiagnosticException with kOutputUnwritable.
/// [any thread]
BACKPLANE_ONNX_API void WriteTensorFile(const std::string& path, const NamedTensor& tensor);

/// Writes a value as ReadValueFile reads it: a serialised SequenceProto, an OptionalProto around
/// what an optional has, or a TensorProto, which `name` names; an existing file is replaced. The
/// value is of that form, and has data.
/// Errors: as WriteTensorFile.
/// [any thread] Since: 0.1
BACKPLANE_ONNX_API void WriteValueFile(const std::string& path, const std::string& name,
                                       const StageValue& value, const ValueForm& form);

}  // namespace backplane::onnx
