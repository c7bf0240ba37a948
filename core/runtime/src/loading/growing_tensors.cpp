#include "loading/growing_tensors.hpp"

#include "graph/network.hpp"

#include <backplane/api/descriptors/concat.hpp>
#include <backplane/api/descriptors/slice.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace backplane::loading {
namespace {

/// The only axis along which a tensor is shorter than its memory.
std::uint32_t FindAxis(const TensorShape& tensor, const TensorShape& memory) {
  std::optional<std::uint32_t> shorter;
  for (std::uint32_t axis = 0; axis < memory.rank; ++axis) {
    if (tensor[axis] == memory[axis]) continue;
    if (shorter || tensor[axis] > memory[axis]) throw CannotGrow{true};
    shorter = axis;
  }
  if (!shorter) throw CannotGrow{true};
  return *shorter;
}

/// A growing tensor among the inputs and outputs of one network.
struct Grown {
  std::uint32_t input = 0;
  std::uint32_t output = 0;
  TensorShape memory;
};

std::vector<Grown> FindGrown(const NetworkStage& stage, const std::vector<GrowingTensor>& tensors,
                             std::size_t num_inputs) {
  const bool is_whole = stage.network && !stage.next && stage.steps.empty();
  if (!is_whole) throw CannotGrow();
  const auto find = [](const std::vector<StageValueId>& values, StageValueId value) {
    if (std::count(values.begin(), values.end(), value) != 1) throw CannotGrow();
    const auto found = std::find(values.begin(), values.end(), value);
    return static_cast<std::uint32_t>(found - values.begin());
  };
  std::vector<Grown> grown;
  for (const GrowingTensor& tensor : tensors) {
    const StageValueId result = stage.results[tensor.output];
    find(stage.results, result);
    if (result < num_inputs) throw CannotGrow();
    grown.push_back({find(stage.network_inputs, tensor.input), find(stage.network_outputs, result),
                     tensor.memory});
  }
  return grown;
}

/// Copies a graph layer by layer, and puts memory in the place of growing tensors.
class Rewriter {
 public:
  Rewriter(const Graph& graph, const std::vector<Grown>& grown) : graph_(graph) {
    for (const Grown& one : grown) {
      const LayerId output = graph.outputs[one.output];
      Tensor& tensor = tensors_.emplace_back();
      tensor.memory = one.memory;
      tensor.input = graph.inputs[one.input];
      const OutputSlot result = graph.layers[output].inputs[0];
      tensor.axis = FindAxis(GetTensor(graph, result).shape, one.memory);
      if (FindAxis(graph.layers[tensor.input].outputs[0].shape, one.memory) != tensor.axis) {
        throw CannotGrow{true};
      }
      of_input_[tensor.input] = tensors_.size() - 1;
      of_output_[output] = tensors_.size() - 1;
      of_maker_[result.layer] = tensors_.size() - 1;
    }
    if (of_maker_.size() != tensors_.size()) throw CannotGrow();
  }

  Graph Rewrite() {
    rewritten_.name = graph_.name;
    for (const Layer& layer : graph_.layers) Copy(layer);
    for (const LayerId input : graph_.inputs) rewritten_.inputs.push_back(new_ids_[input]);
    for (const LayerId output : graph_.outputs) rewritten_.outputs.push_back(new_ids_[output]);
    return std::move(rewritten_);
  }

  LayerId GetNewId(LayerId layer) const { return new_ids_.at(layer); }

 private:
  struct Tensor {
    LayerId input = 0;
    std::uint32_t axis = 0;
    TensorShape memory;
    OutputSlot old_memory;
    std::optional<OutputSlot> new_memory;
  };

  void Copy(const Layer& original) {
    Layer layer = original;
    for (OutputSlot& input : layer.inputs) input = slots_.at({input.layer, input.index});
    if (const auto input = of_input_.find(original.id); input != of_input_.end()) {
      return CopyInput(std::move(layer), tensors_[input->second]);
    }
    if (const auto made = of_maker_.find(original.id); made != of_maker_.end()) {
      if (IsLonger(original, tensors_[made->second])) {
        return CopyConcat(std::move(layer), tensors_[made->second]);
      }
    }
    if (const auto output = of_output_.find(original.id); output != of_output_.end()) {
      const Tensor& tensor = tensors_[output->second];
      if (!tensor.new_memory) throw CannotGrow{IsEmpty(tensor)};
      layer.inputs = {*tensor.new_memory};
    }
    Keep(original, Add(std::move(layer)));
  }

  void CopyInput(Layer layer, Tensor& tensor) {
    const TensorInfo info = layer.outputs[0];
    const LayerId original = layer.id;
    layer.outputs[0].shape = tensor.memory;
    new_ids_[original] = Add(std::move(layer));
    tensor.old_memory = {new_ids_[original], 0};
    slots_[{original, 0}] = AddSlice(tensor, tensor.old_memory, 0, info.shape[tensor.axis]);
  }

  /// Whether nothing is there yet: appending to it may need no layer.
  bool IsEmpty(const Tensor& tensor) const {
    return graph_.layers[tensor.input].outputs[0].shape[tensor.axis] == 0;
  }

  /// Whether the layer appends to the input.
  bool IsLonger(const Layer& maker, const Tensor& tensor) const {
    if (maker.type != LayerType::kConcat || maker.inputs[0] != OutputSlot{tensor.input, 0}) {
      return false;
    }
    return static_cast<const ConcatDescriptor&>(*maker.descriptor).axis == tensor.axis;
  }

  void CopyConcat(Layer layer, Tensor& tensor) {
    const LayerId original = layer.id;
    const std::int64_t end = layer.outputs[0].shape[tensor.axis];
    AddRest(tensor, end, layer.inputs);
    layer.outputs[0].shape = tensor.memory;
    tensor.new_memory = OutputSlot{Add(std::move(layer)), 0};
    new_ids_[original] = tensor.new_memory->layer;
    slots_[{original, 0}] = AddSlice(tensor, *tensor.new_memory, 0, end);
  }

  /// Adds what lies in the memory from `end` on.
  void AddRest(const Tensor& tensor, std::int64_t end, std::vector<OutputSlot>& parts) {
    const std::int64_t count = tensor.memory[tensor.axis] - end;
    parts.push_back(AddSlice(tensor, tensor.old_memory, end, count));
  }

  OutputSlot AddSlice(const Tensor& tensor, OutputSlot memory, std::int64_t begin,
                      std::int64_t count) {
    SliceDescriptor slice;
    TensorInfo info = GetTensor(rewritten_, memory);
    info.shape[tensor.axis] = count;
    slice.starts[tensor.axis] = begin;
    std::copy(info.shape.dims, info.shape.dims + info.shape.rank, slice.extents);
    Layer layer;
    layer.type = LayerType::kSlice;
    layer.name = rewritten_.layers[memory.layer].name + (begin == 0 ? "/there" : "/behind");
    layer.descriptor = std::make_shared<SliceDescriptor>(slice);
    layer.inputs = {memory};
    layer.outputs = {info};
    return {Add(std::move(layer)), 0};
  }

  void Keep(const Layer& original, LayerId id) {
    new_ids_[original.id] = id;
    for (std::uint32_t index = 0; index < original.outputs.size(); ++index) {
      slots_[{original.id, index}] = {id, index};
    }
  }

  LayerId Add(Layer layer) {
    layer.id = static_cast<LayerId>(rewritten_.layers.size());
    rewritten_.layers.push_back(std::move(layer));
    return rewritten_.layers.back().id;
  }

  const Graph& graph_;
  Graph rewritten_;
  std::vector<Tensor> tensors_;
  std::map<LayerId, std::size_t> of_input_;  // which of the tensors
  std::map<LayerId, std::size_t> of_output_;
  std::map<LayerId, std::size_t> of_maker_;
  std::map<LayerId, LayerId> new_ids_;
  std::map<std::pair<LayerId, std::uint32_t>, OutputSlot> slots_;
};

/// The rest of the memory, which is kept, begins where the output ends.
TensorShape FindShapeInMemory(const Graph& graph, LayerId output) {
  const Layer& concat = graph.layers[graph.layers[output].inputs[0].layer];
  const std::uint32_t axis = static_cast<const ConcatDescriptor&>(*concat.descriptor).axis;
  const Layer& rest = graph.layers[concat.inputs.back().layer];
  TensorShape shape = concat.outputs[0].shape;
  shape[axis] = static_cast<const SliceDescriptor&>(*rest.descriptor).starts[axis];
  return shape;
}

}  // namespace

NetworkStage GrowingSource::MakeFirstStage(const std::vector<StageValue>& inputs) const {
  NetworkStage stage = source_->MakeFirstStage(inputs);
  const std::vector<Grown> grown = FindGrown(stage, tensors_, inputs.size());
  const Graph graph = static_cast<Network&>(*stage.network).TakeGraph();
  Rewriter rewriter(graph, grown);
  stage.network = std::make_unique<Network>(rewriter.Rewrite());
  for (LayerId& layer : stage.recalculated) layer = rewriter.GetNewId(layer);
  return stage;
}

std::vector<TensorShape> FindShapesInMemory(const INetworkSource& source, const NetworkStage& stage,
                                            const Graph& graph) {
  const auto* const growing = dynamic_cast<const GrowingSource*>(&source);
  if (growing == nullptr) return {};
  std::vector<TensorShape> shapes(stage.network_outputs.size());
  for (const GrowingTensor& tensor : growing->GetTensors()) {
    const auto output = std::find(stage.network_outputs.begin(), stage.network_outputs.end(),
                                  stage.results[tensor.output]);
    const auto index = static_cast<std::size_t>(output - stage.network_outputs.begin());
    shapes[index] = FindShapeInMemory(graph, graph.outputs[index]);
  }
  return shapes;
}

}  // namespace backplane::loading
