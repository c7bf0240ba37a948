#pragma once

#include <string>

namespace backplane::onnx {

class Node;

/// Is the operator in the table foldings.def? `domain` is normalised.
bool CanFold(const std::string& domain, const std::string& op_type);

/// Evaluates a node whose inputs are constants: its outputs become constants and it adds no layer.
/// False, with nothing changed, when the operator is not in the table, an input that it needs is
/// not constant, a result is larger than the budget allows, or the node breaks a rule of its
/// operator; the conversion of the node then says which.
/// Errors: of an operator without a conversion, what is wrong with the node.
bool FoldNode(Node& node);

}  // namespace backplane::onnx
