#pragma once

/// A sub-graph as CpuAcc works on it: nodes that passes merge, and the tensors between them.

#include "graph/element_op.hpp"

#include <backplane/api/descriptor.hpp>
#include <backplane/api/layer_type.hpp>
#include <backplane/api/tensor_info.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace backplane {
namespace cpuacc {

/// Which tensor of a graph.
using TensorId = std::uint32_t;
constexpr TensorId kNoTensor = ~TensorId{0};

struct GraphTensor {
  bool IsConstant() const { return content != nullptr; }

  TensorInfo info;
  std::shared_ptr<const void> content;  // of a constant, dense; null for what is computed
  bool is_left_computed = false;        // also where all that it is computed from is constant
};

/// What a node does: a layer, or what passes make of several.
enum class NodeKind : std::uint32_t {
  kLayer,         // `type` with its descriptor, then the chain on output 0
  kElements,      // the chain alone, on input 0, which broadcasts to the output
  kAttention,     // what its AttentionDescriptor says (attention/attention_descriptor.hpp)
  kByteWeights,   // a product of float32 rows and a constant matrix of bytes, input 1, as the
                  // BatchMatMulDescriptor says, then the chain
  kByteTable,     // of each byte of input 0 the byte that input 1, a constant of 256, has for it
  kReplacedPart,  // what its ReplacedPartDescriptor says (moves/replaced_part.hpp)
};

struct Node {
  template <typename Derived>
  Derived GetDescriptor() const {
    return CopyDescriptor<Derived>(*reinterpret_cast<const BaseDescriptor*>(descriptor.data()));
  }
  template <typename Derived>
  void SetDescriptor(const Derived& value) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(&value);
    descriptor.assign(bytes, bytes + sizeof(Derived));
  }

  NodeKind kind = NodeKind::kLayer;
  LayerType type = LayerType::kUndefined;
  std::string name;
  std::vector<unsigned char> descriptor;
  std::vector<TensorId> inputs;  // those of the layer, then operands of the chain
  std::vector<TensorId> outputs;
  std::vector<ElementOp> chain;  // applied to each element of output 0, in order
  bool reads_bfloat16 = false;   // the network has inputs 0 and 1 in bfloat16
  bool is_removed = false;
};

class FoldedNodes;

/// Nodes stand in an order in which they can run. Removed nodes stay, marked, until Compact.
struct Graph {
  const GraphTensor& Input(const Node& node, std::size_t index) const {
    return tensors[node.inputs[index]];
  }
  const GraphTensor& Output(const Node& node, std::size_t index = 0) const {
    return tensors[node.outputs[index]];
  }

  std::vector<GraphTensor> tensors;
  std::vector<Node> nodes;
  std::vector<TensorId> inputs;       // of the whole graph
  std::vector<TensorId> outputs;      // of the whole graph
  std::uint64_t left_out_passes = 0;  // a bit for each, by its place in the table of passes
  /// Shared by the copies of a graph. Null: what reads constants alone is made for each.
  std::shared_ptr<FoldedNodes> folded;
};

/// Whether both are computed, or both are constants of the same elements.
bool IsSameContent(const GraphTensor& a, const GraphTensor& b);
/// Whether two graphs compute the same by the same nodes.
bool IsSame(const Graph& a, const Graph& b);

/// How many inputs are those of the layer; the others are operands of the chain.
std::uint32_t CountLayerInputs(const Node& node);
/// Whether a layer multiplies plain bytes: its inputs 2 and 3 are zero points.
bool MultipliesPlainBytes(const Node& node);
/// Whether a layer that sums products has a bias, input 2; zero points are none.
bool HasBias(const Node& node);

/// Adds a constant whose content is copied from float32 values.
TensorId AddConstant(Graph& graph, const TensorShape& shape, const std::vector<float>& values);
/// Adds a constant of float32 whose elements `fill` writes, where they are going to stay.
TensorId AddConstant(Graph& graph, const TensorShape& shape,
                     const std::function<void(float*)>& fill);

/// Lets go of constants that no node reads and that are no output.
void DropUnreadConstants(Graph& graph);

/// The values of a constant of float32.
const float* GetFloats(const GraphTensor& tensor);

/// The only element of a constant of float32 that has one, or that has the same everywhere.
bool GetUniformFloat(const GraphTensor& tensor, float* value);

}  // namespace cpuacc
}  // namespace backplane
