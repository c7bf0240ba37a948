#pragma once

/// Every ONNX operator that can be imported, from the table operators.def.

#include <string>
#include <vector>

namespace backplane::onnx {

class Node;

/// Adds the layers of one node to the network.
using ConvertFunction = void (*)(Node&);

/// Null when the operator is not in the table. Only operators of the default domain are.
ConvertFunction FindConverter(const std::string& op_type);

std::vector<std::string> GetSupportedOperators();

#define BACKPLANE_ONNX_OPERATOR(family, op) void Convert##op(Node& node);
#include "operators.def"
#undef BACKPLANE_ONNX_OPERATOR

}  // namespace backplane::onnx
