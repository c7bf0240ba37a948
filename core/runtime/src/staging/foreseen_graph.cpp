#include "staging/foreseen_graph.hpp"

#include "building/operator_check.hpp"
#include "operators/operators.hpp"

#include <backplane/api/descriptor_extents.hpp>
#include <backplane/host/diagnostic.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace backplane::staging {
namespace {

std::shared_ptr<BaseDescriptor> CopyDescriptor(const Layer& layer) {
  return std::const_pointer_cast<BaseDescriptor>(
      CopyOperatorDescriptor(layer.type, *layer.descriptor));
}

bool HasExtents(const Layer& layer) {
  if (!IsOperator(layer) || layer.type == LayerType::kCustom) return false;
  bool has_extents = false;
  VisitExtents(layer.type, *CopyDescriptor(layer), [&](std::int64_t) { has_extents = true; });
  return has_extents;
}

}  // namespace

ForeseenGraph::ForeseenGraph(std::shared_ptr<const PlacedExample> example)
    : example_(std::move(example)), graph_(example_->graph) {
  for (const Layer& layer : graph_.layers) {
    for (const TensorInfo& output : layer.outputs) {
      before_.insert(before_.end(), output.shape.dims, output.shape.dims + output.shape.rank);
    }
    if (layer.type == LayerType::kConstant) constants_.push_back(layer.id);
    if (!HasExtents(layer)) continue;
    described_.push_back(layer.id);
    VisitExtents(layer.type, *CopyDescriptor(layer),
                 [this](std::int64_t number) { before_.push_back(number); });
  }
  std::sort(before_.begin(), before_.end());
  before_.erase(std::unique(before_.begin(), before_.end()), before_.end());
  for (Layer& layer : graph_.layers) NumberExtents(layer);
}

void ForeseenGraph::NumberExtents(Layer& layer) {
  for (TensorInfo& output : layer.outputs) {
    for (std::uint32_t axis = 0; axis < output.shape.rank; ++axis) {
      std::int64_t& extent = output.shape.dims[axis];
      extents_.push_back({&extent, Number(extent)});
    }
  }
}

std::size_t ForeseenGraph::Number(std::int64_t number) {
  return static_cast<std::size_t>(
      std::distance(before_.begin(), std::lower_bound(before_.begin(), before_.end(), number)));
}

std::int64_t ForeseenGraph::Get(std::int64_t before) const {
  const auto found = std::lower_bound(before_.begin(), before_.end(), before);
  return after_[static_cast<std::size_t>(std::distance(before_.begin(), found))];
}

const Graph* ForeseenGraph::Change(const GraphChanges& changes) {
  after_ = before_;
  for (const auto& [before, after] : changes.numbers) {
    const std::size_t number = Number(before);
    if (number < before_.size() && before_[number] == before) after_[number] = after;
  }
  for (const Extent& extent : extents_) *extent.place = after_[extent.number];
  const bool is_right =
      ChangeConstants(changes) && std::all_of(described_.begin(), described_.end(),
                                              [this](LayerId id) { return ChangeDescriptor(id); });
  return is_right ? &graph_ : nullptr;
}

// Those that differ are no matter of extents alone, unless they are known.
bool ForeseenGraph::ChangeConstants(const GraphChanges& changes) {
  for (const LayerId id : constants_) {
    const Layer& before = example_->graph.layers[id];
    Layer& layer = graph_.layers[id];
    layer.constant = before.constant;
    const auto change = changes.constants.find(id);
    if (change == changes.constants.end()) {
      if (layer.outputs != before.outputs) return false;
      continue;
    }
    auto content = std::make_shared<ConstantContent>();
    content->data = MakeProgression(layer.outputs[0], *change->second.after);
    content->identity = IdentifyContent(content->data, layer.outputs[0].GetSizeBytes());
    layer.constant = std::move(content);
    if (layer.constant->data == nullptr) return false;
  }
  return true;
}

/// False: the layer would not be one that its operator has.
bool ForeseenGraph::ChangeDescriptor(LayerId id) {
  Layer& layer = graph_.layers[id];
  layer.descriptor = example_->graph.layers[id].descriptor;
  const std::shared_ptr<BaseDescriptor> changed = CopyDescriptor(layer);
  bool is_changed = false;
  VisitExtents(layer.type, *changed, [&](std::int64_t& number) {
    const std::int64_t before = std::exchange(number, Get(number));
    is_changed = is_changed || number != before;
  });
  if (!is_changed) return true;
  layer.descriptor = changed;
  return IsRight(layer);
}

/// Whether its outputs are those that follow from inputs and descriptor.
bool ForeseenGraph::IsRight(const Layer& layer) const {
  Layer anew = layer;
  std::vector<OutputType> types;
  for (const TensorInfo& output : layer.outputs) {
    types.emplace_back(output.data_type, output.quantization);
  }
  try {
    SetOperatorOutputs(anew, GetInputTensors(graph_, layer), types);
  } catch (const DiagnosticException&) {
    return false;
  }
  return anew.outputs == layer.outputs;
}

}  // namespace backplane::staging
