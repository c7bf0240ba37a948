#include "subgraphs/extent_map.hpp"

#include "attention/attention_descriptor.hpp"
#include "moves/replaced_part.hpp"

#include <backplane/api/descriptor_extents.hpp>

#include <algorithm>
#include <set>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

/// Nothing: it is more than a number can be.
std::optional<std::int64_t> Multiply(const std::vector<std::int64_t>& factors) {
  std::int64_t product = 1;
  for (const std::int64_t factor : factors) {
    if (__builtin_mul_overflow(product, factor, &product)) return {};
  }
  return product;
}

using Factors = std::vector<std::int64_t>;  // in ascending order
using Products = std::set<Factors>;

Factors Append(Factors factors, std::int64_t factor) {
  if (factor != 1) factors.insert(std::upper_bound(factors.begin(), factors.end(), factor), factor);
  return factors;
}

template <typename Visit>
void VisitOperand(AttentionOperand& operand, const Visit& visit) {
  visit(operand.offset);
  for (std::int64_t& step : operand.batch) visit(step);
  visit(operand.row);
  visit(operand.column);
}

template <typename Visit>
void VisitAttention(AttentionDescriptor& attention, const Visit& visit) {
  for (std::int64_t& extent : attention.batch) visit(extent);
  visit(attention.num_queries);
  visit(attention.num_keys);
  visit(attention.depth);
  visit(attention.width);
  for (AttentionOperand* operand :
       {&attention.queries, &attention.keys, &attention.values, &attention.result}) {
    VisitOperand(*operand, visit);
  }
  for (AttentionMask& mask : attention.masks) VisitOperand(mask.operand, visit);
}

template <typename Visit>
void VisitNumbers(Node& node, const Visit& visit) {
  auto* const descriptor = reinterpret_cast<BaseDescriptor*>(node.descriptor.data());
  if (node.kind == NodeKind::kLayer) VisitExtents(node.type, *descriptor, visit);
  if (node.kind == NodeKind::kAttention) {
    VisitAttention(static_cast<AttentionDescriptor&>(*descriptor), visit);
  } else if (node.kind == NodeKind::kReplacedPart) {
    visit(static_cast<ReplacedPartDescriptor&>(*descriptor).begin);
  }
}

/// Adds the numbers of a descriptor, and where what begins at them lies in the input.
void AddOfDescriptor(const Graph& graph, const Node& node, Products& products) {
  Node copy = node;
  VisitNumbers(copy, [&](std::int64_t number) {
    if (number <= 1) return;  // it does not change
    Factors factors = {number};
    products.insert(factors);
    if (node.inputs.empty()) return;
    const TensorShape& shape = graph.Input(node, 0).info.shape;
    for (std::uint32_t axis = shape.rank; axis-- > 1;) {
      factors = Append(std::move(factors), shape[axis]);
      products.insert(factors);
    }
  });
}

}  // namespace

ExtentProducts::ExtentProducts(const Graph& graph) {
  Products products;
  for (const GraphTensor& tensor : graph.tensors) {
    const TensorShape& shape = tensor.info.shape;
    for (std::uint32_t first = 0; first < shape.rank; ++first) {
      Factors factors;
      for (std::uint32_t axis = first; axis < shape.rank; ++axis) {
        factors = Append(std::move(factors), shape[axis]);
        products.insert(factors);
      }
    }
  }
  for (const Node& node : graph.nodes) AddOfDescriptor(graph, node, products);
  products_.assign(products.begin(), products.end());
}

std::int64_t ExtentMap::Get(std::int64_t number) const {
  const auto found = numbers.find(number);
  if (found != numbers.end()) return found->second;
  if (!has_multiples || number <= 1) return number;
  std::optional<std::int64_t> only;
  for (const auto& [before, after] : numbers) {
    if (before == after || number % before != 0) continue;
    const std::int64_t becomes = number / before * after;
    if (only.value_or(becomes) != becomes) return number;
    only = becomes;
  }
  return only.value_or(number);
}

std::optional<ExtentMap> ExtentProducts::AddTo(const ExtentMap& extents) const {
  ExtentMap all = extents;
  all.has_multiples = true;
  for (const std::vector<std::int64_t>& before : products_) {
    std::vector<std::int64_t> after = before;
    for (std::int64_t& factor : after) factor = extents.Get(factor);
    const auto from = Multiply(before);
    const auto to = Multiply(after);
    if (!from || !to) return {};
    if (all.numbers.emplace(*from, *to).first->second != *to) return {};
  }
  return all;
}

void LeaveComputed(const std::set<std::int64_t>& extents, Graph& graph) {
  for (Node& node : graph.nodes) {
    bool depends = false;
    const auto look = [&](std::int64_t number) { depends = depends || extents.count(number) != 0; };
    VisitNumbers(node, look);
    for (const TensorId output : node.outputs) {
      const TensorShape& shape = graph.tensors[output].info.shape;
      std::for_each(shape.dims, shape.dims + shape.rank, look);
    }
    for (const TensorId output : node.outputs) graph.tensors[output].is_left_computed = depends;
  }
}

GraphExtents::GraphExtents(Graph& graph) {
  const auto note = [&](std::int64_t& place) -> Number& {
    Number& number = numbers_[place];
    number.now = place;
    number.places.push_back(&place);
    return number;
  };
  std::vector<std::set<Number*>> of_tensors(graph.tensors.size());
  for (TensorId tensor = 0; tensor < graph.tensors.size(); ++tensor) {
    TensorShape& shape = graph.tensors[tensor].info.shape;
    for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
      Number& number = note(shape.dims[axis]);
      number.is_of_constant = number.is_of_constant || graph.tensors[tensor].IsConstant();
      of_tensors[tensor].insert(&number);
    }
  }
  for (std::size_t index = 0; index < graph.nodes.size(); ++index) {
    Node& node = graph.nodes[index];
    if (node.is_removed) continue;
    std::set<Number*> of_node;
    VisitNumbers(node, [&](std::int64_t& place) { of_node.insert(&note(place)); });
    for (const auto* tensors : {&node.inputs, &node.outputs}) {
      for (const TensorId id : *tensors)
        of_node.insert(of_tensors[id].begin(), of_tensors[id].end());
    }
    for (Number* number : of_node) number->nodes.push_back(index);
  }
}

bool GraphExtents::Change(const ExtentMap& map, std::vector<bool>& changed_nodes) {
  std::vector<std::pair<Number*, std::int64_t>> changes;
  for (auto& [first, number] : numbers_) {
    const std::int64_t after = map.Get(first);
    if (number.is_of_constant && after != first) return false;
    if (after != number.now) changes.emplace_back(&number, after);
  }
  for (const auto& [number, after] : changes) {
    number->now = after;
    for (std::int64_t* const place : number->places) *place = after;
    for (const std::size_t node : number->nodes) changed_nodes[node] = true;
  }
  return true;
}

}  // namespace cpuacc
}  // namespace backplane
