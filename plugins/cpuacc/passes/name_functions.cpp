#include "graph/graph_editor.hpp"
#include "graph/matching.hpp"
#include "graph/scalar_function.hpp"
#include "passes/passes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

/// The longest spelling of Gelu by TanH has 9 operations.
constexpr std::size_t kMostNodes = 12;

constexpr double kSamples[] = {-1e4, -100, -20,  -7.5, -6,   -5,   -4.2, -3.7,  -3,  -2.6,
                               -2.1, -1.6, -1.1, -1,   -0.7, -0.4, -0.1, -0.01, 0,   0.01,
                               0.1,  0.3,  0.5,  0.9,  1,    1.3,  1.8,  2.4,   2.9, 3,
                               3.3,  4.1,  5,    5.6,  6,    7.5,  20,   100,   1e4};
constexpr std::size_t kNumSamples = sizeof(kSamples) / sizeof(kSamples[0]);
/// Well inside of the samples.
constexpr float kMostBound = 1000.0F;
constexpr double kMinusOneSample = -1;
constexpr double kOneSample = 1;

using Values = std::array<double, kNumSamples>;

double GetAt(const Values& values, double sample) {
  return values[static_cast<std::size_t>(std::find(kSamples, kSamples + kNumSamples, sample) -
                                         kSamples)];
}

/// Nodes that together compute a function of one tensor, the last one first.
struct Composition {
  TensorId variable = kNoTensor;
  std::vector<NodeIndex> nodes;
};

/// The values of the function at the samples, as the nodes compute it.
Values Sample(const GraphEditor& editor, const Composition& composition) {
  std::unordered_map<TensorId, Values> known;
  Values& variable = known[composition.variable];
  std::copy(kSamples, kSamples + kNumSamples, variable.begin());
  for (auto index = composition.nodes.rbegin(); index != composition.nodes.rend(); ++index) {
    const Node& node = editor[*index];
    const ElementOp& op = node.chain[0];
    Values operand = {};
    if (HasOperand(op)) {
      float uniform = 0.0F;
      if (GetUniformFloat(editor.GetTensor(node.inputs[1]), &uniform)) {
        operand.fill(static_cast<double>(uniform));
      } else {
        operand = known[node.inputs[1]];
      }
    }
    Values x = known[node.inputs[0]];
    std::transform(x.begin(), x.end(), operand.begin(), x.begin(),
                   [&](double a, double b) { return Evaluate(op, a, b); });
    known[node.outputs[0]] = x;
  }
  return known[editor[composition.nodes[0]].outputs[0]];
}

/// Near zero only relative differences count: what follows may be a logarithm or a division.
bool IsClose(double a, double b) {
  constexpr double kRelative = 1e-5;
  constexpr double kRounding = 1e-14;
  return std::fabs(a - b) <= kRelative * std::fabs(b) + kRounding;
}

bool Is(const ElementOp& op, const Values& values) {
  for (std::size_t index = 0; index < kNumSamples; ++index) {
    if (!IsClose(values[index], Evaluate(op, kSamples[index], 0.0))) return false;
  }
  return true;
}

/// The factor in x * sigmoid(alpha * x), from its value at 1.
float FindSwishAlpha(const Values& values) {
  const double at_one = GetAt(values, kOneSample);
  return static_cast<float>(std::log(at_one / (1 - at_one)));
}

/// The function's name; empty when it has none.
std::optional<ElementOp> FindName(const Values& values) {
  const auto lowest = static_cast<float>(GetAt(values, kSamples[0]));
  const auto highest = static_cast<float>(GetAt(values, kSamples[kNumSamples - 1]));
  const auto at_zero = static_cast<float>(GetAt(values, 0));
  const auto slope = static_cast<float>((GetAt(values, 0.01) - GetAt(values, 0)) / 0.01);
  const auto at_minus_one = static_cast<float>(GetAt(values, kMinusOneSample));
  const ElementOp candidates[] = {
      MakeActivation(ActivationFunction::kSwish, 1.0F, 0.0F),
      MakeActivation(ActivationFunction::kGelu, 0.0F, 0.0F),
      MakeActivation(ActivationFunction::kGeluTanH, 0.0F, 0.0F),
      MakeActivation(ActivationFunction::kHardSwish, 0.0F, 0.0F),
      MakeActivation(ActivationFunction::kHardSigmoid, slope, at_zero),
      MakeActivation(ActivationFunction::kMish, 0.0F, 0.0F),
      MakeActivation(ActivationFunction::kSigmoid, 0.0F, 0.0F),
      MakeActivation(ActivationFunction::kSoftsign, 0.0F, 0.0F),
      MakeActivation(ActivationFunction::kRelu, 0.0F, 0.0F),
      MakeActivation(ActivationFunction::kBoundedRelu, std::min(highest, kMostBound),
                     std::max(lowest, -kMostBound)),
      MakeActivation(ActivationFunction::kLeakyRelu, -at_minus_one, 0.0F),
      MakeActivation(ActivationFunction::kSwish, FindSwishAlpha(values), 0.0F),
  };
  for (const ElementOp& candidate : candidates) {
    if (std::isfinite(candidate.alpha) && std::isfinite(candidate.beta) && Is(candidate, values)) {
      return candidate;
    }
  }
  return {};
}

/// Walks from a result to what it is computed from, one node at a time.
class Walk {
 public:
  Walk(const GraphEditor& editor, TensorId result)
      : editor_(editor), shape_(editor.GetTensor(result).info.shape), open_{result} {}

  /// Whether there was a node to add. The latest one goes first, so that a tensor is left alone
  /// only after all nodes that read it.
  bool Step() {
    const auto latest = std::max_element(open_.begin(), open_.end(), [&](TensorId a, TensorId b) {
      return GetPosition(a) < GetPosition(b);
    });
    const NodeIndex index = editor_.GetMaker(*latest);
    if (index == kNoNode || !IsPart(editor_[index])) return false;
    open_.erase(latest);
    composition_.nodes.push_back(index);
    for (const TensorId input : editor_[index].inputs) {
      if (!editor_.GetTensor(input).IsConstant() &&
          std::find(open_.begin(), open_.end(), input) == open_.end()) {
        open_.push_back(input);
      }
    }
    return !open_.empty();
  }

  /// The function as far as the walk has come, when it is one of a single tensor.
  std::optional<Composition> GetComposition() const {
    if (open_.size() != 1 || !IsOnlyReadInside()) return {};
    Composition composition = composition_;
    composition.variable = open_[0];
    return composition;
  }

  std::size_t CountNodes() const { return composition_.nodes.size(); }

 private:
  std::int64_t GetPosition(TensorId tensor) const {
    const NodeIndex maker = editor_.GetMaker(tensor);
    return maker == kNoNode ? -1 : static_cast<std::int64_t>(maker);
  }

  /// One operation on whole tensors of one shape, or with one number.
  bool IsPart(const Node& node) const {
    const ElementOp* const op = FindOnlyOp(node);
    if (op == nullptr || !CanEvaluate(*op) ||
        editor_.GetTensor(node.outputs[0]).info.shape != shape_) {
      return false;
    }
    return std::all_of(node.inputs.begin(), node.inputs.end(), [&](TensorId input) {
      const GraphTensor& tensor = editor_.GetTensor(input);
      float uniform = 0.0F;
      return tensor.IsConstant() ? GetUniformFloat(tensor, &uniform) : tensor.info.shape == shape_;
    });
  }

  bool IsOnlyReadInside() const {
    const auto is_inside = [&](NodeIndex reader) {
      const auto& nodes = composition_.nodes;
      return std::find(nodes.begin(), nodes.end(), reader) != nodes.end();
    };
    for (std::size_t position = 1; position < composition_.nodes.size(); ++position) {
      const TensorId between = editor_[composition_.nodes[position]].outputs[0];
      const auto& readers = editor_.GetReaders(between);
      if (editor_.IsOutput(between) || !std::all_of(readers.begin(), readers.end(), is_inside)) {
        return false;
      }
    }
    return true;
  }

  const GraphEditor& editor_;
  const TensorShape& shape_;
  std::vector<TensorId> open_;
  Composition composition_;
};

/// Replaces the longest composition that has a name.
void NameFunction(GraphEditor& editor, NodeIndex index) {
  std::optional<std::pair<Composition, ElementOp>> best;
  Walk walk(editor, editor[index].outputs[0]);
  while (walk.CountNodes() < kMostNodes && walk.Step()) {
    const auto composition = walk.GetComposition();
    if (!composition || composition->nodes.size() < 2) continue;
    if (const auto name = FindName(Sample(editor, *composition))) best = {*composition, *name};
  }
  if (!best) return;
  Node named = editor[index];
  named.chain = {best->second};
  named.inputs = {best->first.variable};
  editor.SetNode(index, std::move(named));
  for (std::size_t position = 1; position < best->first.nodes.size(); ++position) {
    editor.Remove(best->first.nodes[position]);
  }
}

}  // namespace

/// Functions that are spelled out, such as x * sigmoid(x) or Gelu, get their names. They are told
/// by their values, so that it does not matter in which order and with which operations they are
/// written.
void NameFunctions(Graph& graph) {
  GraphEditor editor(graph);
  for (NodeIndex index = editor.GetCount(); index-- > 0;) {
    if (FindOnlyOp(editor[index]) != nullptr) NameFunction(editor, index);
  }
  editor.Finish();
}

}  // namespace cpuacc
}  // namespace backplane
