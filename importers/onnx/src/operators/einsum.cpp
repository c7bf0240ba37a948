#include "operators/movement_layers.hpp"
#include "operators/operator_table.hpp"

#include <backplane/api/einsum_equation.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace backplane::onnx {
namespace {

using Labels = std::vector<std::uint8_t>;

// An operand, and which label each of its axes has.
struct LabelledOperand {
  std::uint32_t FindAxis(std::uint8_t label) const {
    return static_cast<std::uint32_t>(std::find(axes, axes + shape.rank, label) - axes);
  }
  bool Has(std::uint8_t label) const { return FindAxis(label) < shape.rank; }
  bool HasTwice(std::uint8_t label) const { return std::count(axes, axes + shape.rank, label) > 1; }
  std::int64_t GetExtent(std::uint8_t label) const {
    return Has(label) ? shape[FindAxis(label)] : 1;
  }
  std::int64_t CountElements(const Labels& labels) const {
    return std::accumulate(
        labels.begin(), labels.end(), std::int64_t{1},
        [&](std::int64_t count, std::uint8_t label) { return count * GetExtent(label); });
  }

  OutputSlot slot;
  TensorShape shape;
  const std::uint8_t* axes = nullptr;
  std::string name;
};

Labels Join(Labels labels, const Labels& more, const Labels& others = {}) {
  labels.insert(labels.end(), more.begin(), more.end());
  labels.insert(labels.end(), others.begin(), others.end());
  return labels;
}

// Labels by where they are; each in the order of the output, inner ones as they come.
struct MatrixLabels {
  Labels batch;    // both operands and the output
  Labels rows;     // the first operand and the output
  Labels columns;  // the second operand and the output
  Labels inner;    // both operands alone
};

// False: the equation is more than a product of matrices.
bool FindMatrices(const EinsumLabels& labels, const LabelledOperand& a, const LabelledOperand& b,
                  MatrixLabels& found) {
  for (std::uint8_t label = 0; label < labels.num_labels; ++label) {
    const bool is_shared = a.Has(label) && b.Has(label);
    if (a.HasTwice(label) || b.HasTwice(label)) return false;
    if (label < labels.output_rank) {
      (is_shared ? found.batch : a.Has(label) ? found.rows : found.columns).push_back(label);
    } else if (is_shared && a.GetExtent(label) == b.GetExtent(label)) {
      found.inner.push_back(label);
    } else {
      return false;
    }
  }
  return found.batch.size() + 2 <= kMaxRank;
}

OutputSlot Reorder(Node& node, OutputSlot slot, const std::vector<std::uint32_t>& permutation,
                   const std::string& suffix) {
  return std::is_sorted(permutation.begin(), permutation.end())
             ? slot
             : AddTranspose(node, slot, permutation, suffix);
}

// Two groups of axes become one each, behind those of the batch.
OutputSlot MakeMatrices(Node& node, const LabelledOperand& operand, const Labels& batch,
                        const Labels& first, const Labels& second) {
  std::vector<std::uint32_t> permutation;
  for (const std::uint8_t label : Join(batch, first, second)) {
    permutation.push_back(operand.FindAxis(label));
  }
  const OutputSlot ordered = Reorder(node, operand.slot, permutation, operand.name);
  if (first.size() == 1 && second.size() == 1) return ordered;
  TensorShape shape;
  for (const std::uint8_t label : batch) shape.Append(operand.GetExtent(label));
  shape.Append(operand.CountElements(first));
  shape.Append(operand.CountElements(second));
  return node.AddReshape(ordered, shape, operand.name + "/matrices");
}

OutputSlot AddProduct(Node& node, const LabelledOperand& a, const LabelledOperand& b,
                      const MatrixLabels& labels) {
  BatchMatMulDescriptor descriptor;
  // The second operand stays as it lies.
  descriptor.transpose_b = labels.columns.empty() || labels.inner.empty() ||
                                   b.FindAxis(labels.columns.back()) < b.FindAxis(labels.inner[0])
                               ? 1
                               : 0;
  const OutputSlot second = descriptor.transpose_b == 1
                                ? MakeMatrices(node, b, labels.batch, labels.columns, labels.inner)
                                : MakeMatrices(node, b, labels.batch, labels.inner, labels.columns);
  OutputSlot product = node.AddLayer<LayerType::kBatchMatMul>(
      descriptor, {MakeMatrices(node, a, labels.batch, labels.rows, labels.inner), second});
  const Labels order = Join(labels.batch, labels.rows, labels.columns);
  if (labels.rows.size() != 1 || labels.columns.size() != 1) {
    TensorShape shape;
    for (const std::uint8_t label : order) {
      shape.Append(a.GetExtent(label) == 1 ? b.GetExtent(label) : a.GetExtent(label));
    }
    product = node.AddReshape(product, shape, "/shape");
  }
  // Labels of the output are its axes.
  std::vector<std::uint32_t> permutation(order.size());
  for (std::uint32_t axis = 0; axis < order.size(); ++axis) permutation[order[axis]] = axis;
  return Reorder(node, product, permutation, "/order");
}

EinsumDescriptor ReadEquation(Node& node) {
  auto equation = node.GetAttributes().FindString("equation");
  if (!equation) node.RefuseAsInvalid("equation is absent, but is needed");
  equation->erase(std::remove(equation->begin(), equation->end(), ' '), equation->end());
  if (equation->size() >= kMaxEinsumEquation) {
    node.RefuseAsUnsupported("its equation has " + std::to_string(equation->size()) +
                             " characters; at most " + std::to_string(kMaxEinsumEquation - 1) +
                             " are supported");
  }
  if (node.GetNumInputs() > kMaxEinsumOperands) {
    node.RefuseAsUnsupported("it has " + std::to_string(node.GetNumInputs()) + " inputs; at most " +
                             std::to_string(kMaxEinsumOperands) + " are supported");
  }
  EinsumDescriptor descriptor;
  std::copy(equation->begin(), equation->end(), descriptor.equation);
  return descriptor;
}

}  // namespace

// A product of matrices is said as one, which backends have fast loops for.
void ConvertEinsum(Node& node) {
  const EinsumDescriptor descriptor = ReadEquation(node);
  std::vector<std::uint32_t> ranks;
  for (std::size_t i = 0; i < node.GetNumInputs(); ++i) {
    ranks.push_back(node.GetInputShape(i).rank);
  }
  EinsumParser parser;
  if (ranks.size() == 2 && parser.Parse(descriptor, ranks.data(), 2) == nullptr) {
    const auto get_operand = [&](std::size_t index) {
      return LabelledOperand{node.GetInput(index), node.GetInputShape(index),
                             parser.GetLabels().operands[index],
                             "/operand" + std::to_string(index)};
    };
    const LabelledOperand a = get_operand(0);
    const LabelledOperand b = get_operand(1);
    MatrixLabels labels;
    if (FindMatrices(parser.GetLabels(), a, b, labels)) {
      return node.SetOutput(AddProduct(node, a, b, labels));
    }
  }
  node.SetOutput(node.AddLayer<LayerType::kEinsum>(descriptor, node.GetInputs()));
}

}  // namespace backplane::onnx
