#pragma once

#include "nodes/attributes.hpp"

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <optional>
#include <string>

namespace backplane::onnx {

class Node;

/// Does ONNX define the operator as a function of others?
bool HasSchemaFunction(const std::string& domain, const std::string& op_type, std::int64_t opset);

/// What an operator is in terms of others, for one node.
struct SchemaFunction {
  ::onnx::FunctionProto function;
  BoundAttributes attributes;  // of the node, and the defaults of those that it lacks
};

/// Nothing when ONNX defines no function, or none for inputs of these types.
std::optional<SchemaFunction> FindSchemaFunction(Node& node);

}  // namespace backplane::onnx
