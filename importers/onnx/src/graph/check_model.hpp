#pragma once

#include <backplane/host/diagnostic.hpp>

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace backplane::onnx {

/// For what version of ONNX a model was written.
struct ModelVersion {
  std::int64_t opset = 0;            // of the default domain
  std::vector<Diagnostic> warnings;  // when the version is newer than what this importer knows
};

/// Errors: DiagnosticException with kUnsupportedOpset when the model states no version, or none
/// that there could be.
ModelVersion ReadVersion(const ::onnx::ModelProto& model, const std::string& path);

/// kUnsupportedOperator with every operator of the graph, and of the functions that it calls, that
/// can never be imported as a cause, with its nodes; nothing when there is none.
std::optional<Diagnostic> FindUnsupportedOperators(const ::onnx::ModelProto& model,
                                                   std::int64_t opset, const std::string& path);

/// For versions that the checker knows. Models that leave out the shape of an input or output, as
/// they may, are passed over: the checker refuses them.
/// Errors: DiagnosticException with kInvalidModel for what the checker of ONNX refuses, whose text
/// is the cause.
void CheckRules(const ::onnx::ModelProto& model, const std::string& path);

}  // namespace backplane::onnx
