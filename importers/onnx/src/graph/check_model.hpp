#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <string>

namespace backplane::onnx {

/// The version of the default operator set. Errors: DiagnosticException with kUnsupportedOpset when
/// it, or the IR version, is not one that this importer knows.
std::int64_t ReadOpset(const ::onnx::ModelProto& model, const std::string& path);

/// Errors: DiagnosticException with kUnsupportedOperator; every operator that cannot be imported is
/// a cause, with the number of its nodes and the name of the first.
void CheckOperators(const ::onnx::GraphProto& graph, std::int64_t opset, const std::string& path);

/// Errors: DiagnosticException with kInvalidModel for what the checker of ONNX refuses, whose text
/// is the cause, and for data in other files.
void CheckRules(const ::onnx::ModelProto& model, const std::string& path);

}  // namespace backplane::onnx
