#pragma once

#include "nodes/attributes.hpp"

#include <onnx/onnx_pb.h>

#include <memory>

namespace backplane::onnx {

class Node;

/// Converts the nodes of a graph within a node, such as a branch of an If, in the place of the
/// node. They see the tensors around it; their own names stay within. Errors: as the conversion of
/// any node; AlreadyReported when a node within fails.
void InlineBranch(Node& node, const ::onnx::GraphProto& branch);

/// Converts the body of a function in the place of the node that calls it. The body sees only the
/// inputs and attributes of the call.
/// Ownership: see Scope::owner, of the body.
/// Errors: as InlineBranch.
void InlineFunction(Node& call, const ::onnx::FunctionProto& function,
                    const BoundAttributes& attributes, std::shared_ptr<const void> owner);

}  // namespace backplane::onnx
