#pragma once

#include <backplane/api/subgraph_view.hpp>
#include <backplane/api/tensor_info.hpp>
#include <backplane/runtime/i_network.hpp>
#include <backplane/runtime/network_source.hpp>

#include "values/i_layer_observer.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace backplane::onnx {

/// A tensor of the graph: known already, or made by a layer, or both. `info` has the quantization
/// that the layer gives it; constants have none.
struct Value {
  TensorInfo info;
  bool is_constant = false;
  bool is_of_run = false;            // a constant that shapes or values of a run have made
  bool is_recalculated = false;      // of a run: its elements follow no extents
  std::shared_ptr<const void> data;  // of a constant; null when it has no elements
  std::optional<OutputSlot> slot;    // of a constant, or what is outside: once a layer reads it
  /// Made by the application or an earlier stage: an input of the network once a layer reads it.
  std::optional<StageValueId> outside;
  StageValue::Kind kind = StageValue::Kind::kTensor;  // others are outside
};

/// A constant with a copy of the data, info.GetSizeBytes() bytes.
Value MakeConstant(const TensorInfo& info, const void* data);

/// A constant that shares the data, which is aligned for its type.
Value MakeConstant(const TensorInfo& info, std::shared_ptr<const void> data);

/// A tensor of a graph within nodes: the path of the graph, and its name there. Names of nodes do
/// not tell: several nodes may have one.
using TensorPlace = std::pair<std::string, std::string>;

/// The tensors of one graph by name, and those of the graphs around it. Constants become layers
/// only when a layer reads them, so that what is folded away leaves nothing behind; so do values
/// from outside inputs.
class Values {
 public:
  /// Names of constant layers begin with `prefix`. `outer`, which may be null, must outlive this
  /// object. `path` says which nodes are around the graph: the position of each, and a comma.
  explicit Values(INetwork& network, std::string prefix = "", Values* outer = nullptr,
                  std::string path = "")
      : network_(network), prefix_(std::move(prefix)), outer_(outer), path_(std::move(path)) {}

  /// From now on all layers are shown to the observer, which must outlive this object.
  void Observe(ILayerObserver* observer) { observer_ = observer; }

  /// Adds a layer under this very name. Errors: those of INetwork.
  OutputSlot AddConstant(const TensorInfo& info, std::shared_ptr<const void> data,
                         const std::string& name);
  LayerId AddOperator(LayerType type, const BaseDescriptor& descriptor,
                      const std::vector<OutputSlot>& inputs, const std::string& name,
                      const std::vector<OutputType>& output_types);

  /// What the inputs are, in their order, that values from outside have become.
  const std::vector<StageValueId>& GetInputsFromOutside() const { return inputs_from_outside_; }

  /// The layers that have become of constants of a run, and how these are called. Those within
  /// nodes are called "".
  const std::map<LayerId, std::string>& GetConstantsOfRun() const { return constants_of_run_; }

  /// Null when nothing has the name yet.
  const Value* Find(const std::string& name) const;

  /// Which nodes are around the graph.
  const std::string& GetPath() const { return path_; }
  /// Where the tensor is made: the path of the graph that has it, which is this one or around it,
  /// and the name.
  TensorPlace FindPlace(const std::string& name) const;

  /// Errors: DiagnosticException with kInvalidModel when this graph has the name already.
  void Add(const std::string& name, Value value);

  /// Lets go of the data of a constant that nothing will read any more; layers keep theirs. Others
  /// stay as they are.
  void Release(const std::string& name);

  /// The layer output that has the tensor; makes a constant layer when it is a constant.
  /// Errors: as INetwork::AddConstantLayer. The name must be known.
  OutputSlot GetSlot(const std::string& name);

  /// The same stored elements with this quantization, or without scales plain: a constant layer of
  /// its own, or a layer that reinterprets them, unless they are so already.
  /// Errors: as GetSlot.
  OutputSlot GetSlotAs(const std::string& name, const QuantizationInfo& quantization);

 private:
  OutputSlot AddConstantLayer(const TensorInfo& info, const Value& value, const std::string& name);
  OutputSlot Reinterpret(const std::string& name, const Value& value,
                         const QuantizationInfo& quantization);
  // A graph in the place of a node may have a name again; the network is that of the outermost.
  Values& GetOutermost() { return outer_ != nullptr ? outer_->GetOutermost() : *this; }

  INetwork& network_;
  ILayerObserver* observer_ = nullptr;
  std::string prefix_;
  Values* outer_;
  std::string path_;
  std::unordered_map<std::string, Value> values_;
  std::vector<StageValueId> inputs_from_outside_;
  std::map<LayerId, std::string> constants_of_run_;
  /// What Reinterpret gave, by quantization and name.
  std::unordered_map<std::string, OutputSlot> reinterpreted_;
};

}  // namespace backplane::onnx
