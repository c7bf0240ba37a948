#include "subgraphs/groups.hpp"

#include "kernels/kernels.hpp"
#include "pointwise/expression.hpp"
#include "subgraphs/repeated_operand.hpp"

#include <algorithm>

namespace backplane {
namespace opencl {
namespace {

/// A kernel with more of them has no registers for what it is there for.
constexpr std::size_t kMostLayers = 24;
constexpr std::size_t kMostOperands = 12;

bool IsFloat(DataType type) {
  return type == DataType::kFloat32 || type == DataType::kFloat16;
}

/// Whether every tensor of the layer has the type: numbers between fused layers are not stored.
bool IsPointwiseOf(const Layer& layer, DataType type) {
  if (!IsPointwise(layer.type) || layer.Output().data_type != type) return false;
  for (std::uint32_t i = 0; i < layer.num_inputs; ++i) {
    if (layer.Input(i).data_type != type) return false;
  }
  return true;
}

class GroupMaker {
 public:
  explicit GroupMaker(const Graph& graph) : graph_(graph), is_taken_(graph.layers.size(), false) {}

  std::vector<LayerGroup> Make() {
    for (LayerNumber number = 0; number < graph_.layers.size(); ++number) {
      if (!is_taken_[number]) groups_.push_back(MakeGroup(number));
    }
    // A group can run where its last layer could: what else it reads was made before.
    std::stable_sort(groups_.begin(), groups_.end(), [](const LayerGroup& a, const LayerGroup& b) {
      return a.layers.back() < b.layers.back();
    });
    return std::move(groups_);
  }

 private:
  LayerGroup MakeGroup(LayerNumber head) {
    const Layer layer = graph_.GetLayer(head);
    LayerGroup group;
    group.layers = {head};
    is_taken_[head] = true;
    const DataType type = layer.Output().data_type;
    group.is_pointwise = IsFloat(type) && IsPointwiseOf(layer, type);
    PlannedLayer planned;
    static_cast<Layer&>(planned) = layer;
    const bool takes_epilogue = IsFloat(type) && layer.num_outputs == 1 && TakesEpilogue(planned);
    if (!group.is_pointwise && !takes_epilogue) return group;
    while (Extend(group)) {
    }
    return group;
  }

  /// Adds the layers that follow, as few as leave one tensor that others read.
  bool Extend(LayerGroup& group) {
    std::vector<LayerNumber> added;
    for (;;) {
      const std::optional<LayerNumber> next = FindNext(group, added);
      if (!next || group.layers.size() + added.size() >= kMostLayers) return false;
      if (!IsFusable(group, added, *next)) return false;
      added.push_back(*next);
      if (IsClosed(group, added)) break;
    }
    group.layers.insert(group.layers.end(), added.begin(), added.end());
    for (const LayerNumber number : added) is_taken_[number] = true;
    return true;
  }

  /// The first layer outside that reads the result of the group, or of what is added to it.
  std::optional<LayerNumber> FindNext(const LayerGroup& group,
                                      const std::vector<LayerNumber>& added) const {
    std::optional<LayerNumber> next;
    const auto visit = [&](LayerNumber number) {
      for (const LayerNumber reader : graph_.tensors[GetResult(number)].readers) {
        const bool is_inside = reader <= group.layers.back() ||
                               std::find(added.begin(), added.end(), reader) != added.end();
        if (!is_inside && (!next || reader < *next)) next = reader;
      }
    };
    visit(group.layers.back());
    for (const LayerNumber number : added) visit(number);
    return next;
  }

  bool IsFusable(const LayerGroup& group, const std::vector<LayerNumber>& added,
                 LayerNumber number) const {
    if (is_taken_[number]) return false;
    const Layer layer = graph_.GetLayer(number);
    const TensorInfo& result = *graph_.tensors[GetResult(group.layers.back())].info;
    if (!IsPointwiseOf(layer, result.data_type) || layer.Output().shape != result.shape) {
      return false;
    }
    std::size_t num_operands = CountOperands(group.layers) + CountOperands(added);
    for (std::uint32_t i = 0; i < layer.num_inputs; ++i) {
      if (IsInside(group, added, graph_.layers[number].inputs[i])) continue;
      ++num_operands;
      if (group.is_pointwise) continue;
      if (!FindRepetition(GetOperandShape(layer, i), result.shape)) return false;
    }
    return num_operands <= kMostOperands;
  }

  std::size_t CountOperands(const std::vector<LayerNumber>& layers) const {
    std::size_t count = 0;
    for (const LayerNumber number : layers) count += graph_.layers[number].inputs.size() - 1;
    return count;
  }

  /// Whether nobody else reads anything but the last result.
  bool IsClosed(const LayerGroup& group, const std::vector<LayerNumber>& added) const {
    if (!IsReadInside(group.layers.back(), added)) return false;
    for (std::size_t i = 0; i + 1 < added.size(); ++i) {
      if (!IsReadInside(added[i], added)) return false;
    }
    return true;
  }

  bool IsReadInside(LayerNumber number, const std::vector<LayerNumber>& added) const {
    const GraphTensor& tensor = graph_.tensors[GetResult(number)];
    return !tensor.as_output &&
           std::all_of(tensor.readers.begin(), tensor.readers.end(), [&](LayerNumber reader) {
             return std::find(added.begin(), added.end(), reader) != added.end();
           });
  }

  bool IsInside(const LayerGroup& group, const std::vector<LayerNumber>& added,
                TensorNumber tensor) const {
    const std::optional<LayerNumber> producer = graph_.tensors[tensor].producer;
    return producer && (*producer == group.layers.back() ||
                        std::find(added.begin(), added.end(), *producer) != added.end());
  }

  TensorNumber GetResult(LayerNumber number) const { return graph_.layers[number].outputs[0]; }

  const Graph& graph_;
  std::vector<bool> is_taken_;
  std::vector<LayerGroup> groups_;
};

}  // namespace

std::vector<LayerGroup> MakeGroups(const Graph& graph) {
  return GroupMaker(graph).Make();
}

}  // namespace opencl
}  // namespace backplane
