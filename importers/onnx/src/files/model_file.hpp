#pragma once

#include <onnx/onnx_pb.h>

#include <string>

namespace backplane::onnx {

/// Reads a model; nothing of it is checked but that it has a graph.
/// Errors: DiagnosticException with kModelNotFound, and as ParseModel.
::onnx::ModelProto ReadModelFile(const std::string& path);

/// As ReadModelFile, of the content of a file.
/// Errors: DiagnosticException with kNotAModel, which says what the file looks like.
::onnx::ModelProto ParseModel(const std::string& content, const std::string& path);

}  // namespace backplane::onnx
