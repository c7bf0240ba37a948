#pragma once

#include <onnx/onnx_pb.h>

#include <string>

namespace backplane::onnx {

/// For versions that are known. Of what is newer than libonnx, only the conversion looks at the
/// rules.
/// Errors: DiagnosticException with kInvalidModel; every node that the checker of ONNX refuses is a
/// cause, in its words.
void CheckRules(const ::onnx::ModelProto& model, const std::string& path);

}  // namespace backplane::onnx
