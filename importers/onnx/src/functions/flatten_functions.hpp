#pragma once

#include "nodes/scope.hpp"

#include <onnx/onnx_pb.h>

#include <memory>
#include <string>

namespace backplane::onnx {

/// Puts the nodes of the functions of a model in the place of the nodes that call them, also within
/// graphs of nodes and within each other. Names of nodes and tensors begin with that of the call;
/// large constants become initializers. `opsets` are those of the model. The path is for messages.
/// Gives the versions of all nodes.
/// Errors: DiagnosticException with kInvalidModel for a function that calls itself, that gives
/// fewer outputs than a call has, or that is wrong; and when it becomes too much, or lies too deep.
std::shared_ptr<const NodeVersions> FlattenFunctions(::onnx::ModelProto& model, Opsets opsets,
                                                     const std::string& path);

}  // namespace backplane::onnx
