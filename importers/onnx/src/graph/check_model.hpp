#pragma once

#include <backplane/host/diagnostic.hpp>

#include "nodes/scope.hpp"

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
/// that there could be; kInvalidModel when it states more of them than there are domains.
ModelVersion ReadVersion(const ::onnx::ModelProto& model, const std::string& path);

/// The operators of a graph, and of the functions that it calls, that can never be imported.
struct UnsupportedOperators {
  Diagnostic error;  // kUnsupportedOperator: each is a cause, with its nodes
  OperatorNames names;
};

/// Nothing when there are none. `may_be_staged`: those between stages can be imported.
std::optional<UnsupportedOperators> FindUnsupportedOperators(const ::onnx::ModelProto& model,
                                                             std::int64_t opset,
                                                             const std::string& path,
                                                             bool may_be_staged);

/// For versions that the checker knows.
/// Errors: DiagnosticException with kInvalidModel; every node that the checker of ONNX refuses is a
/// cause, in its words.
void CheckRules(const ::onnx::ModelProto& model, const std::string& path);

}  // namespace backplane::onnx
