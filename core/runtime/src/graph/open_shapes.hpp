#pragma once

#include "graph/graph.hpp"

#include <backplane/api/descriptor.hpp>
#include <backplane/api/tensor_info.hpp>
#include <backplane/host/diagnostic.hpp>
#include <backplane/runtime/network_source.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace backplane {

/// What is known of a network some extents of which are open, beside its graph, in which they have
/// their least value: the same graph with great ones. Layers are checked with both, and extents
/// that are not the same in both depend on the open ones.
class OpenShapes {
 public:
  /// An extent of inputs.
  struct Extent {
    std::string name;  // "": one axis has it
    ExtentBounds bounds;
    std::int64_t great = 0;  // the value in the great graph
  };

  /// An input that is about to be added.
  struct Input {
    TensorInfo least;
    TensorInfo great;
    std::map<std::uint32_t, Extent> extents;  // by axis
  };

  /// `graph` has no open extents as yet.
  explicit OpenShapes(const Graph& graph);

  /// Errors: DiagnosticException with kWrongShape for extents that contradict the tensor, each
  /// other, or those of inputs that were added before.
  Input Resolve(const Layer& layer, const TensorInfo& info,
                const std::vector<OpenExtent>& stated) const;

  /// Adds an input, which is the next layer. `layer` has the least extents.
  void AddInput(const Layer& layer, const Input& input);
  /// Gives the layer, which has its descriptor and inputs, what follows from the least extents:
  /// open extents of the descriptor, and the outputs. `graph` is the one with the least extents.
  /// Errors: as CloseDescriptor and SetOperatorOutputs; the message names the extents.
  void SetLeastOutputs(const Graph& graph, Layer& layer,
                       const std::vector<OutputType>& stated) const;
  /// Adds an operator that SetLeastOutputs has seen. `descriptor`: before that.
  /// Errors: as SetLeastOutputs, with great extents.
  void AddOperator(const Layer& layer, const std::shared_ptr<const BaseDescriptor>& descriptor,
                   const std::vector<OutputType>& stated);
  /// Adds a constant or an output.
  void Add(const Layer& layer);
  std::size_t GetNumLayers() const { return great_.layers.size(); }
  /// Takes back all but so many layers.
  void Truncate(std::size_t num_layers);

  /// Extents that depend on open ones are kOpenExtent. The slot must exist.
  const TensorInfo& GetInfo(OutputSlot slot) const { return infos_[slot.layer][slot.index]; }
  /// With names and bounds. `graph` is the one with the least extents.
  std::vector<OpenBinding> GetInputs(const Graph& graph) const;
  std::vector<OpenBinding> GetOutputs(const Graph& graph) const;
  /// Gives an operator of `graph`, whose layers before have theirs, its outputs.
  /// Errors: as CloseDescriptor and SetOperatorOutputs.
  void SetOutputs(const Graph& graph, Layer& layer) const;

 private:
  /// What was stated of an operator when it was added.
  struct Stated {
    std::shared_ptr<const BaseDescriptor> descriptor;
    std::vector<OutputType> outputs;
  };

  void SetOutputs(const Graph& graph, const Stated& stated, Layer& layer) const;
  const Extent* FindNamed(const std::string& name) const;
  [[noreturn]] void ThrowOf(const DiagnosticException& exception,
                            std::int64_t (*get)(const Extent& extent)) const;
  void Append(const Layer& least, Layer great, Stated stated);

  Graph great_;
  std::vector<std::vector<TensorInfo>> infos_;  // of each layer
  std::vector<Stated> stated_;                  // of each layer
  std::map<LayerId, std::map<std::uint32_t, Extent>> of_inputs_;
};

/// A network with open extents, made anew for each shape that it meets.
std::shared_ptr<const INetworkSource> MakeReshapedSource(const Graph& graph,
                                                         const OpenShapes& shapes);

/// The descriptor of a layer some extents of whose output it leaves open, with those that follow
/// from its first input: `input` as it is, `open_input` with kOpenExtent where it is open. Null: it
/// leaves none open.
/// Errors: DiagnosticException with kInvalidDescriptor where they do not follow.
std::shared_ptr<const BaseDescriptor> CloseDescriptor(const Layer& layer, const TensorInfo& input,
                                                      const TensorInfo& open_input);

}  // namespace backplane
