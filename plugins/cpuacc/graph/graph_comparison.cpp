#include "graph/graph.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

bool IsSame(const ElementOp& a, const ElementOp& b) {
  return a.kind == b.kind && a.activation == b.activation && a.unary == b.unary &&
         a.binary == b.binary && a.alpha == b.alpha && a.beta == b.beta && a.operand == b.operand &&
         a.operand_is_first == b.operand_is_first;
}

bool IsSame(const Node& a, const Node& b) {
  return a.kind == b.kind && a.type == b.type && a.descriptor == b.descriptor &&
         a.inputs == b.inputs && a.outputs == b.outputs && a.reads_bfloat16 == b.reads_bfloat16 &&
         a.is_removed == b.is_removed &&
         std::equal(a.chain.begin(), a.chain.end(), b.chain.begin(), b.chain.end(),
                    [](const ElementOp& x, const ElementOp& y) { return IsSame(x, y); });
}

}  // namespace

bool IsSameContent(const GraphTensor& a, const GraphTensor& b) {
  if (a.IsConstant() != b.IsConstant() || a.content == b.content) {
    return a.IsConstant() == b.IsConstant();
  }
  return std::memcmp(a.content.get(), b.content.get(), a.info.GetSizeBytes()) == 0;
}

bool IsSame(const Graph& a, const Graph& b) {
  std::vector<bool> is_used(a.tensors.size());
  for (const Node& node : a.nodes) {
    for (const TensorId input : node.inputs) is_used[input] = true;
    for (const TensorId output : node.outputs) is_used[output] = true;
  }
  for (const TensorId output : a.outputs) is_used[output] = true;
  if (a.tensors.size() != b.tensors.size() || a.nodes.size() != b.nodes.size() ||
      a.inputs != b.inputs || a.outputs != b.outputs) {
    return false;
  }
  for (TensorId tensor = 0; tensor < a.tensors.size(); ++tensor) {
    const bool is_same = a.tensors[tensor].info == b.tensors[tensor].info &&
                         IsSameContent(a.tensors[tensor], b.tensors[tensor]);
    if (is_used[tensor] && !is_same) return false;
  }
  return std::equal(a.nodes.begin(), a.nodes.end(), b.nodes.begin(),
                    [](const Node& x, const Node& y) { return IsSame(x, y); });
}

}  // namespace cpuacc
}  // namespace backplane
