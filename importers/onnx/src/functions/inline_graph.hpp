#pragma once

#include <backplane/runtime/i_network.hpp>

#include <onnx/onnx_pb.h>

#include <string>

namespace backplane::onnx {

class Node;

/// Converts the nodes of a graph within a node, such as a branch of an If, in the place of the
/// node. They see the tensors around it; their own names stay within. Errors: as the conversion of
/// any node; AlreadyReported when a node within fails.
void InlineBranch(Node& node, const ::onnx::GraphProto& branch);

/// Converts a graph within a node of one input and one output, which is given its input, and gives
/// its output. The names of its layers have `suffix` behind the name of the node.
/// Errors: as InlineBranch; kInvalidModel for other numbers of inputs and outputs.
OutputSlot InlineStep(Node& node, const ::onnx::GraphProto& graph, OutputSlot input,
                      const std::string& suffix);

}  // namespace backplane::onnx
