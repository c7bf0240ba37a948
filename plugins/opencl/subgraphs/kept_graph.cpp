#include "subgraphs/kept_graph.hpp"

#include <backplane/api/descriptor_extents.hpp>

#include <algorithm>
#include <cstring>
#include <map>

namespace backplane {
namespace opencl {
namespace {

std::shared_ptr<const void> CopyContent(const ConstTensor& constant) {
  const auto* first = static_cast<const unsigned char*>(constant.data);
  const auto copy = std::make_shared<const std::vector<unsigned char>>(
      first, first + constant.info.GetSizeBytes());
  return std::shared_ptr<const void>(copy, copy->data());
}

std::shared_ptr<const void> ShareContent(const OptimizeSubgraphArgs& args, LayerId layer,
                                         std::uint32_t input, const ConstTensor& constant) {
  std::shared_ptr<const void> content;
  const bool is_shared = args.reader->ShareConstant(layer, input, &content) == Status::kSuccess;
  return is_shared || constant.info.GetSizeBytes() == 0 ? content : CopyContent(constant);
}

}  // namespace

KeptGraph::KeptGraph(const OptimizeSubgraphArgs& args, const Graph& graph) : graph_(graph) {
  for (const GraphTensor& tensor : graph.tensors) {
    tensors_.push_back(
        {*tensor.info, tensor.constant != nullptr ? *tensor.constant : ConstTensor(), nullptr});
  }
  for (const GraphLayer& layer : graph.layers) {
    const LayerView& view = *layer.view;
    for (std::uint32_t i = 0; i < view.num_inputs; ++i) {
      Tensor& tensor = tensors_[layer.inputs[i]];
      if (view.constants[i] == nullptr || tensor.content != nullptr) continue;
      tensor.content = ShareContent(args, view.id, i, *view.constants[i]);
      tensor.constant.data = tensor.content.get();
    }
    Layer kept;
    kept.id = view.id;
    kept.type = view.layer_type;
    kept.name = view.name;
    const auto* bytes = reinterpret_cast<const unsigned char*>(view.descriptor);
    kept.descriptor.assign(bytes, bytes + view.descriptor->size_bytes);
    layers_.push_back(std::move(kept));
  }
  PointToTensors();
}

void KeptGraph::PointToTensors() {
  for (TensorNumber number = 0; number < tensors_.size(); ++number) {
    graph_.tensors[number].info = &tensors_[number].info;
    if (graph_.tensors[number].constant == nullptr) continue;
    graph_.tensors[number].constant = &tensors_[number].constant;
  }
  for (LayerNumber number = 0; number < layers_.size(); ++number) {
    GraphLayer& in_graph = graph_.layers[number];
    Layer& layer = layers_[number];
    layer.inputs.clear();
    layer.outputs.clear();
    layer.constants.clear();
    for (const TensorNumber input : in_graph.inputs) {
      layer.inputs.push_back(graph_.tensors[input].info);
      layer.constants.push_back(graph_.tensors[input].constant);
    }
    for (const TensorNumber output : in_graph.outputs) {
      layer.outputs.push_back(graph_.tensors[output].info);
    }
    layer.view.layer_type = layer.type;
    layer.view.id = layer.id;
    layer.view.name = layer.name.c_str();
    layer.view.descriptor = reinterpret_cast<const BaseDescriptor*>(layer.descriptor.data());
    layer.view.input_infos = layer.inputs.data();
    layer.view.constants = layer.constants.data();
    layer.view.num_inputs = static_cast<std::uint32_t>(layer.inputs.size());
    layer.view.num_outputs = static_cast<std::uint32_t>(layer.outputs.size());
    layer.view.output_infos = layer.outputs.data();
    in_graph.view = &layer.view;
  }
}

std::unique_ptr<const KeptGraph> KeptGraph::Resize(const ResizeArgs& args) const {
  std::unique_ptr<KeptGraph> resized(new KeptGraph);
  resized->tensors_ = tensors_;
  resized->layers_ = layers_;
  resized->graph_ = graph_;
  resized->PointToTensors();
  resized->ChangeExtents(args);
  if (!resized->ChangeConstants(args)) return nullptr;
  return resized;
}

void KeptGraph::ChangeExtents(const ResizeArgs& args) {
  std::map<std::int64_t, std::int64_t> numbers;
  for (std::uint32_t i = 0; i < args.num_changes; ++i) {
    numbers[args.changes[i].before] = args.changes[i].after;
  }
  const auto change = [&](std::int64_t& number) {
    const auto found = numbers.find(number);
    if (found != numbers.end()) number = found->second;
  };
  for (Tensor& tensor : tensors_) {
    TensorShape& shape = tensor.info.shape;
    std::for_each(shape.dims, shape.dims + shape.rank, change);
  }
  for (Layer& layer : layers_) {
    VisitExtents(layer.type, *reinterpret_cast<BaseDescriptor*>(layer.descriptor.data()), change);
  }
}

/// False: one has other extents and not another content, or not for all who read it.
bool KeptGraph::ChangeConstants(const ResizeArgs& args) {
  std::map<TensorNumber, std::size_t> num_readers;
  for (std::uint32_t i = 0; i < args.num_constants; ++i) {
    const OutputSlot reader = args.readers[i];
    const auto layer = std::find_if(layers_.begin(), layers_.end(),
                                    [&](const Layer& one) { return one.id == reader.layer; });
    if (layer == layers_.end() || reader.index >= layer->inputs.size()) return false;
    const auto number = static_cast<LayerNumber>(layer - layers_.begin());
    const TensorNumber input = graph_.layers[number].inputs[reader.index];
    if (graph_.tensors[input].constant == nullptr) return false;
    Tensor& tensor = tensors_[input];
    const ConstTensor& constant = *args.constants[i];
    const std::uint64_t size_bytes = constant.info.GetSizeBytes();
    if (num_readers[input]++ == 0) {
      tensor.constant = constant;
      tensor.content = CopyContent(constant);
      tensor.constant.data = tensor.content.get();
    } else if (tensor.constant.info != constant.info ||
               (size_bytes != 0 &&
                std::memcmp(tensor.constant.data, constant.data, size_bytes) != 0)) {
      return false;
    }
  }
  for (TensorNumber number = 0; number < tensors_.size(); ++number) {
    const GraphTensor& in_graph = graph_.tensors[number];
    if (in_graph.constant == nullptr) continue;
    const auto found = num_readers.find(number);
    const bool is_whole = found == num_readers.end() || found->second == in_graph.readers.size();
    if (!is_whole || tensors_[number].constant.info != tensors_[number].info) return false;
  }
  return true;
}

}  // namespace opencl
}  // namespace backplane
