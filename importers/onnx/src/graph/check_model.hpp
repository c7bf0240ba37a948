#pragma once

#include <backplane/host/diagnostic.hpp>

#include "nodes/scope.hpp"

#include <onnx/onnx_pb.h>

#include <optional>
#include <string>
#include <vector>

namespace backplane::onnx {

/// The operators of a graph, and of the functions that it calls, that can never be imported.
struct UnsupportedOperators {
  Diagnostic error;  // kUnsupportedOperator: each is a cause, with its nodes
  OperatorNames names;
};

/// Nothing when there are none. `may_be_staged`: those between stages can be imported.
std::optional<UnsupportedOperators> FindUnsupportedOperators(const ::onnx::ModelProto& model,
                                                             const Opsets& opsets,
                                                             const std::string& path,
                                                             bool may_be_staged);

}  // namespace backplane::onnx
