#pragma once

#include <backplane/host/diagnostic.hpp>

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <string>
#include <vector>

namespace backplane::onnx {

/// For what version of ONNX a model was written.
struct ModelVersion {
  std::int64_t opset = 0;            // of the default domain
  std::vector<Diagnostic> warnings;  // when the version is newer than what this importer knows
};

/// Errors: DiagnosticException with kUnsupportedOpset when the model states no version, or none
/// that there could be; kInvalidModel when it states more of them than there are domains.
ModelVersion ReadVersion(const ::onnx::ModelProto& model, const std::string& path);

}  // namespace backplane::onnx
