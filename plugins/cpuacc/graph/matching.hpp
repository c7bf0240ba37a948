#pragma once

/// What is asked of nodes and tensors when patterns are looked for.

#include "graph/graph_editor.hpp"

#include <backplane/api/descriptors/transpose.hpp>

#include <cstdint>
#include <optional>

namespace backplane {
namespace cpuacc {

bool IsFloat32(const TensorInfo& info);

/// A layer of this type, with or without a chain.
bool IsLayer(const Node& node, LayerType type);
/// A layer of this type without a chain.
bool IsBareLayer(const Node& node, LayerType type);

/// The only operation of a node that is a chain of one; null for other nodes.
const ElementOp* FindOnlyOp(const Node& node);

/// The node that makes a tensor, when it is a layer of this type without a chain; else null.
const Node* FindLayer(const GraphEditor& editor, TensorId tensor, LayerType type);
/// The node that makes a tensor, when it is a chain of this one operation; else null.
const Node* FindBinary(const GraphEditor& editor, TensorId tensor, BinaryOperation operation);
const Node* FindUnary(const GraphEditor& editor, TensorId tensor, UnaryOperation operation);

/// Which tensor this one is alpha * x + beta of.
struct LinearMatch {
  TensorId variable = kNoTensor;
  float alpha = 1.0F;
  float beta = 0.0F;
};
/// Empty when the tensor is not made so.
std::optional<LinearMatch> FindLinear(const GraphEditor& editor, TensorId tensor);

/// x, of which a tensor is x * x or x to the power of 2; kNoTensor when it is neither.
TensorId FindSquared(const GraphEditor& editor, TensorId tensor);

/// The tensor of which this one is but another shape, through Reshape.
TensorId SkipReshapes(const GraphEditor& editor, TensorId tensor);

/// A Transpose that exchanges the last two axes; null when the tensor is made otherwise.
const Node* FindExchange(const GraphEditor& editor, TensorId tensor);

/// Whether axes of more than one element keep their order.
bool KeepsOrder(const TensorShape& shape, const TransposeDescriptor& transpose);

/// Whether shapes differ in nothing but extents of 1.
bool HasSameExtents(const TensorShape& a, const TensorShape& b);

}  // namespace cpuacc
}  // namespace backplane
