#include "loading/foreseen_graph.hpp"

#include "graph/operator_check.hpp"
#include "graph/operators.hpp"

#include <backplane/api/descriptor_extents.hpp>
#include <backplane/host/diagnostic.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace backplane::loading {
namespace {

std::shared_ptr<BaseDescriptor> CopyDescriptor(const Layer& layer) {
  return std::const_pointer_cast<BaseDescriptor>(
      CopyOperatorDescriptor(layer.type, *layer.descriptor));
}

}  // namespace

ForeseenGraph::ForeseenGraph(std::shared_ptr<const PlacedExample> example)
    : example_(std::move(example)), graph_(example_->graph) {
  NoteExtents();
  for (const Layer& layer : graph_.layers) {
    if (layer.type == LayerType::kConstant) constants_.push_back(layer.id);
    if (IsOperator(layer) && layer.type != LayerType::kCustom) NoteDescribed(layer);
  }
}

void ForeseenGraph::NoteExtents() {
  for (Layer& layer : graph_.layers) {
    for (TensorInfo& output : layer.outputs) {
      for (std::uint32_t axis = 0; axis < output.shape.rank; ++axis) {
        std::int64_t& extent = output.shape.dims[axis];
        Number& number = numbers_[extent];
        number.now = extent;
        number.places.push_back(&extent);
      }
    }
  }
}

void ForeseenGraph::NoteDescribed(const Layer& layer) {
  std::set<std::int64_t> numbers;
  VisitExtents(layer.type, *CopyDescriptor(layer),
               [&](std::int64_t extent) { numbers.insert(extent); });
  if (numbers.empty()) return;
  const auto note_tensor = [&](const TensorInfo& tensor) {
    numbers.insert(tensor.shape.dims, tensor.shape.dims + tensor.shape.rank);
  };
  for (const TensorInfo& output : layer.outputs) note_tensor(output);
  for (const OutputSlot input : layer.inputs) note_tensor(GetTensor(graph_, input));
  for (const std::int64_t extent : numbers) {
    Number& number = numbers_[extent];
    number.now = extent;
    number.described.push_back(layer.id);
  }
}

const Graph* ForeseenGraph::Change(GraphChanges& changes,
                                   const std::map<LayerId, StageValue>& recalculated) {
  for (auto& [before, number] : numbers_) {
    const auto change = changes.numbers.find(before);
    const std::int64_t after = change != changes.numbers.end() ? change->second : before;
    if (std::exchange(number.now, after) == after) continue;
    for (std::int64_t* const place : number.places) *place = after;
    unchanged_.insert(number.described.begin(), number.described.end());
  }
  if (!ChangeConstants(changes, recalculated)) return nullptr;
  while (!unchanged_.empty()) {
    if (!ChangeDescriptor(*unchanged_.begin())) return nullptr;
    unchanged_.erase(unchanged_.begin());
  }
  return &graph_;
}

// Those that differ are no matter of extents alone, unless they are known.
bool ForeseenGraph::ChangeConstants(GraphChanges& changes,
                                    const std::map<LayerId, StageValue>& recalculated) {
  for (const LayerId id : constants_) {
    const Layer& before = example_->graph.layers[id];
    Layer& layer = graph_.layers[id];
    const TensorInfo& info = layer.outputs[0];
    layer.constant = before.constant;
    const auto value = recalculated.find(id);
    const auto change = changes.constants.find(id);
    auto content = std::make_shared<ConstantContent>();
    if (value != recalculated.end()) {
      changes.constants.erase(id);
      const TensorInfo& found = value->second.info;  // its layer says how it is quantised
      if (found.data_type != info.data_type || found.shape != info.shape) return false;
      if (layer.outputs == before.outputs && HasElements(before, value->second.data.get()))
        continue;
      changes.constants[id] = {};
      content->data = value->second.data;
    } else if (change != changes.constants.end()) {
      content->data = MakeProgression(info, *change->second.after);
    } else {
      if (layer.outputs != before.outputs) return false;
      continue;
    }
    content->identity = IdentifyContent(content->data, info.GetSizeBytes());
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
    const std::int64_t before = std::exchange(number, numbers_.at(number).now);
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

}  // namespace backplane::loading
