#include "graph/network.hpp"

#include "graph/bindings.hpp"
#include "graph/constant_content.hpp"
#include "graph/layer_error.hpp"
#include "graph/operator_check.hpp"

#include <backplane/runtime/network_source.hpp>

#include <algorithm>
#include <utility>

namespace backplane {
namespace {

bool HasOpenExtent(const TensorShape& shape) {
  const std::int64_t* const end = shape.dims + shape.rank;
  return std::find(shape.dims, end, kOpenExtent) != end;
}

}  // namespace

INetwork::~INetwork() = default;

std::unique_ptr<INetwork> INetwork::Create(const std::string& name) {
  return std::make_unique<Network>(name);
}

std::unique_ptr<INetwork> INetwork::Create(std::shared_ptr<const INetworkSource> source) {
  return std::make_unique<Network>(std::move(source));
}

Network::Network(std::shared_ptr<const INetworkSource> source) : source_(std::move(source)) {
  graph_.name = source_->GetName();
}

Network::Network(const std::string& name) {
  graph_.name = name;
}

OutputSlot Network::AddInputLayer(const TensorInfo& info, const std::string& name,
                                  const std::vector<OpenExtent>& extents) {
  Layer layer = MakeLayer(LayerType::kInput, name);
  CheckNewName(layer, input_of_name_);
  const bool has_rank = info.shape.rank <= kMaxRank;  // else that is what is refused
  if (!has_rank || (extents.empty() && !HasOpenExtent(info.shape))) {
    CheckTensor(layer, info, "the input");
    layer.outputs.push_back(info);
    return {Append(std::move(layer), graph_.inputs, input_of_name_), 0};
  }
  auto first_open = open_ ? nullptr : std::make_unique<OpenShapes>(graph_);
  const OpenShapes::Input input = (open_ ? *open_ : *first_open).Resolve(layer, info, extents);
  CheckTensor(layer, input.least, "the input");
  CheckTensor(layer, input.great, "the input");
  layer.outputs.push_back(input.least);
  if (first_open) open_ = std::move(first_open);
  open_->AddInput(layer, input);
  return {Append(std::move(layer), graph_.inputs, input_of_name_), 0};
}

OutputSlot Network::AddConstantLayer(const TensorInfo& info, std::shared_ptr<const void> data,
                                     const std::string& name) {
  Layer layer = MakeLayer(LayerType::kConstant, name);
  CheckTensor(layer, info, "the constant");
  CheckConstantData(layer, info, data.get());
  layer.outputs.push_back(info);
  layer.constant = std::make_shared<ConstantContent>();
  layer.constant->identity = IdentifyContent(data, info.GetSizeBytes());
  layer.constant->data = std::move(data);
  return {Append(std::move(layer)), 0};
}

LayerId Network::AddOperatorLayer(LayerType type, const BaseDescriptor& descriptor,
                                  const std::vector<OutputSlot>& inputs, const std::string& name,
                                  const std::vector<OutputType>& output_types) {
  Layer layer = MakeLayer(type, name);
  CheckOperatorType(layer);
  CheckInputCount(layer, inputs.size());
  for (std::size_t input = 0; input < inputs.size(); ++input) {
    CheckTensorExists(layer, inputs[input], "input " + std::to_string(input));
  }
  layer.inputs = inputs;
  SetOperatorDescriptor(layer, descriptor);
  if (open_) {
    const std::shared_ptr<const BaseDescriptor> stated = layer.descriptor;
    open_->SetLeastOutputs(graph_, layer, output_types);
    open_->AddOperator(layer, stated, output_types);
  } else {
    SetOperatorOutputs(layer, GetInputTensors(graph_, layer), output_types);
  }
  return Append(std::move(layer));
}

LayerBindingId Network::AddOutputLayer(OutputSlot tensor, const std::string& name) {
  Layer layer = MakeLayer(LayerType::kOutput, name);
  CheckNewName(layer, output_of_name_);
  CheckTensorExists(layer, tensor, "the output");
  layer.inputs.push_back(tensor);
  Append(std::move(layer), graph_.outputs, output_of_name_);
  return static_cast<LayerBindingId>(graph_.outputs.size() - 1);
}

void Network::SetBackendHint(LayerId layer, const std::string& backend_id) {
  if (layer >= graph_.layers.size() || !IsOperator(graph_.layers[layer])) {
    throw DiagnosticException({DiagnosticCode::kUnknownTensor,
                               Severity::kError,
                               {SubjectKind::kLayer, std::to_string(layer)},
                               "a backend hint was given for a layer that is no operator",
                               "found layer id " + std::to_string(layer) +
                                   "; expected an id that AddOperatorLayer returned",
                               "give the hint with the id of an operator of this network",
                               {}});
  }
  graph_.layers[layer].backend_hint = backend_id;
}

std::shared_ptr<const INetworkSource> Network::MakeSource() const {
  return open_ ? MakeReshapedSource(graph_, *open_) : source_;
}

const TensorInfo& Network::GetTensorInfo(OutputSlot tensor) const {
  if (tensor.layer >= graph_.layers.size() ||
      tensor.index >= graph_.layers[tensor.layer].outputs.size()) {
    throw DiagnosticException(
        {DiagnosticCode::kUnknownTensor,
         Severity::kError,
         {SubjectKind::kTensor, std::to_string(tensor.layer) + ":" + std::to_string(tensor.index)},
         "a tensor was asked for that does not exist",
         "found output " + std::to_string(tensor.index) + " of layer " +
             std::to_string(tensor.layer) + "; expected a tensor of this network",
         "use a slot that an Add function of this network returned",
         {}});
  }
  return open_ ? open_->GetInfo(tensor) : GetTensor(graph_, tensor);
}

std::vector<NetworkBinding> Network::GetInputs() const {
  if (source_) return ToNetworkBindings(source_->GetInputs());
  return open_ ? ToNetworkBindings(open_->GetInputs(graph_)) : GetInputBindings(graph_);
}

std::vector<NetworkBinding> Network::GetOutputs() const {
  if (source_) return ToNetworkBindings(source_->GetOutputs());
  return open_ ? ToNetworkBindings(open_->GetOutputs(graph_)) : GetOutputBindings(graph_);
}

std::size_t Network::GetNumOperators() const {
  return static_cast<std::size_t>(
      std::count_if(graph_.layers.begin(), graph_.layers.end(), IsOperator));
}

std::vector<NetworkOperator> Network::GetOperators() const {
  std::vector<NetworkOperator> operators;
  for (const Layer& layer : graph_.layers) {
    if (IsOperator(layer)) operators.push_back({layer.id, layer.type, layer.name});
  }
  return operators;
}

Layer Network::MakeLayer(LayerType type, const std::string& name) {
  if (open_) open_->Truncate(graph_.layers.size());
  Layer layer;
  layer.id = static_cast<LayerId>(graph_.layers.size());
  layer.type = type;
  layer.name = name;
  layer.descriptor = std::make_shared<NoDescriptor>();
  if (source_) {
    ThrowLayerError(layer, DiagnosticCode::kNetworkFromSource,
                    "nothing can be added to its network",
                    "found that a source makes the layers of network \"" + graph_.name +
                        "\"; expected one that is built layer by layer",
                    "make an empty network with INetwork::Create and a name");
  }
  return layer;
}

void Network::CheckNewName(const Layer& layer, const LayerOfName& taken) const {
  const auto other = taken.find(layer.name);
  if (other == taken.end()) return;
  ThrowLayerError(layer, DiagnosticCode::kDuplicateName, "its name is taken",
                  "found the name \"" + layer.name + "\", which " +
                      DescribeLayer(graph_.layers[other->second]) +
                      " has; expected names that differ",
                  "give each input, and each output, a name of its own");
}

LayerId Network::Append(Layer layer) {
  const LayerId id = layer.id;
  if (open_ && open_->GetNumLayers() == id) open_->Add(layer);
  graph_.layers.push_back(std::move(layer));
  return id;
}

// What runs out of memory leaves the network as it was.
LayerId Network::Append(Layer layer, std::vector<LayerId>& bindings, LayerOfName& taken) {
  const LayerId id = layer.id;
  bindings.push_back(id);
  try {
    taken.emplace(layer.name, id);
    Append(layer);
  } catch (...) {
    taken.erase(layer.name);
    bindings.pop_back();
    throw;
  }
  return id;
}

void Network::CheckTensorExists(const Layer& layer, OutputSlot tensor,
                                const std::string& role) const {
  if (tensor.layer < graph_.layers.size() &&
      tensor.index < graph_.layers[tensor.layer].outputs.size()) {
    return;
  }
  ThrowLayerError(
      layer, DiagnosticCode::kUnknownTensor, role + " reads a tensor that does not exist",
      "found output " + std::to_string(tensor.index) + " of layer " + std::to_string(tensor.layer) +
          "; expected a tensor of a layer added before, of which there are " +
          std::to_string(graph_.layers.size()),
      "use a slot that an Add function of this network returned");
}

void RequireKnownExtents(const INetwork& network, DiagnosticCode code, const std::string& what,
                         const std::string& fix) {
  const auto& own = static_cast<const Network&>(network);
  if (!own.IsOpen()) return;
  Diagnostic diagnostic{code};
  diagnostic.subject = {SubjectKind::kNetwork, own.GetGraph().name};
  diagnostic.what = what;
  diagnostic.why =
      "found open extents, or a source that makes its layers; expected extents that are all known";
  diagnostic.fix = fix;
  throw DiagnosticException(std::move(diagnostic));
}

}  // namespace backplane
