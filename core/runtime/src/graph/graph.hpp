#pragma once

#include "graph/constant_content.hpp"

#include <backplane/api/descriptor.hpp>
#include <backplane/api/layer_type.hpp>
#include <backplane/api/subgraph_view.hpp>
#include <backplane/api/tensor_info.hpp>

#include <memory>
#include <string>
#include <vector>

namespace backplane {

/// One layer of a graph. Inputs and outputs of the network, and constants, are layers too.
struct Layer {
  LayerId id = 0;
  LayerType type = LayerType::kUndefined;
  std::string name;
  std::shared_ptr<const BaseDescriptor> descriptor;  // of the type that layers.def states
  std::vector<OutputSlot> inputs;
  std::vector<TensorInfo> outputs;
  std::string backend_hint;                   // "" for none
  std::shared_ptr<ConstantContent> constant;  // of constants
  std::shared_ptr<const IPreCompiledObject>
      pre_compiled;  // of PreCompiled layers; keeps its library
};

/// The layers of a network; the index of a layer is its id. A layer reads only tensors of layers
/// before it, so the order is one in which they can run and there is no cycle.
struct Graph {
  std::string name;
  std::vector<Layer> layers;
  std::vector<LayerId> inputs;   // in the order of their binding ids
  std::vector<LayerId> outputs;  // in the order of their binding ids
};

/// Whether the layer is an operator, as applications add them.
bool IsOperator(const Layer& layer);

/// Whether the layer is run by a backend: an operator, or what a backend compiled.
bool IsRunByBackend(const Layer& layer);

/// The tensor of a slot that exists.
const TensorInfo& GetTensor(const Graph& graph, OutputSlot slot);

/// Where the content of a constant lies. Null: it has no elements, or was let go of.
const void* GetConstantData(const Layer& constant);

/// Whether a constant has these elements, as many as it has. Null: none are known.
bool HasElements(const Layer& constant, const void* data);

/// The graph with constants that may be released, which those of other graphs survive; their data
/// is shared.
Graph MakeConstantsReleasable(Graph graph);

/// The graph with constants that backends in other processes can read where they are; those of the
/// given graph go one after the other.
/// Errors: DiagnosticException with kOutOfMemory.
Graph MakeConstantsShared(Graph graph);

/// The tensors that a layer reads, in the order of its inputs.
/// Ownership: the graph's.
std::vector<const TensorInfo*> GetInputTensors(const Graph& graph, const Layer& layer);

/// `layer "conv1" (Convolution)`, for messages; a layer without a name is shown with its id.
std::string DescribeLayer(const Layer& layer);

/// The name, or "#3" for the layer with id 3 when it has none.
std::string GetDisplayName(const std::string& name, LayerId id);

}  // namespace backplane
