#pragma once

#include <onnx/onnx_pb.h>

#include <string>

namespace backplane::onnx {

/// Reads a model; nothing of it is checked but that it has a graph.
/// Errors: DiagnosticException with kModelNotFound or kNotAModel, which says what the file looks
/// like.
::onnx::ModelProto ReadModelFile(const std::string& path);

}  // namespace backplane::onnx
