#pragma once

#include <backplane/api/descriptors.hpp>
#include <backplane/api/layer_type.hpp>
#include <backplane/api/subgraph_view.hpp>
#include <backplane/api/tensor_info.hpp>
#include <backplane/runtime/export.hpp>

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace backplane {

/// The position of an input or output in the order in which they were added, from 0.
using LayerBindingId = std::uint32_t;

/// Stands for an extent that is known only when a run begins, or ends. In the shapes of inputs and
/// outputs of networks only: backends see fixed shapes.
constexpr std::int64_t kOpenExtent = -1;

/// Stands for "any number of indices".
constexpr std::int64_t kUnbounded = std::numeric_limits<std::int64_t>::max();

/// Between which extents an open one lies.
struct ExtentBounds {
  std::int64_t least = 1;
  std::int64_t most = kUnbounded;
};

inline bool operator==(const ExtentBounds& a, const ExtentBounds& b) {
  return a.least == b.least && a.most == b.most;
}

/// What is known of an open extent of an input.
struct OpenExtent {
  std::uint32_t axis = 0;
  std::string name;  // extents of one name are equal; "" for one that is by itself
  ExtentBounds bounds;
};

/// An input or output of a network, as the application sees it.
struct NetworkBinding {
  /// Neither a sequence nor an optional. Since: 0.1
  bool IsTensor() const { return !is_sequence && !is_optional; }

  LayerBindingId id = 0;
  std::string name;
  TensorInfo info;           // extents may be kOpenExtent; of a sequence: of each tensor in it
  bool is_sequence = false;  // of tensors. Since: 0.1
  bool is_optional = false;  // may be nothing. Since: 0.1
};

/// What an output is besides what follows from the inputs: how the result of quantized arithmetic
/// is stored. Backends see it in the description of the tensor.
struct OutputType {
  OutputType() = default;
  OutputType(DataType type, const QuantizationInfo& info) : data_type(type), quantization(info) {}

  DataType data_type = DataType::kUndefined;  // kUndefined: that of the inputs
  QuantizationInfo quantization;              // without scales: not stated
};

/// An operator of a network.
struct NetworkOperator {
  LayerId id = 0;
  LayerType type = LayerType::kUndefined;
  std::string name;
};

class INetworkSource;

/// A network, built layer by layer. Each layer is checked and its output shapes are inferred when
/// it is added, and reads only tensors of layers added before: a network never has a cycle.
///
/// Every Add function throws DiagnosticException, and adds nothing, when the layer is not valid:
/// kUnknownTensor, kWrongInputCount, kWrongRank, kWrongShape, kWrongDataType, kInvalidDescriptor,
/// kTensorTooLarge, kUnknownLayerType; the message has layer, operator, found and expected.
class BACKPLANE_RUNTIME_API INetwork {
 public:
  virtual ~INetwork();

  /// Makes an empty network. The name is for messages and reports. [any thread]
  static std::unique_ptr<INetwork> Create(const std::string& name);

  /// A network that a source makes when it runs. It has no layers of its own, and nothing can be
  /// added (kNetworkFromSource); GetTensorInfo and SetBackendHint know no tensor and no layer.
  /// Null: not allowed.
  /// [any thread] Since: 0.1
  static std::unique_ptr<INetwork> Create(std::shared_ptr<const INetworkSource> source);

  /// Adds an input. Extents of `info` may be kOpenExtent; `extents` says more of them, and may be
  /// left out. The network then makes plans when it runs, one for each shape that it meets.
  ///
  /// Layers behind open extents are checked with the least and with great ones: what is added must
  /// be right for all within the bounds. GetTensorInfo and the bindings have kOpenExtent where a
  /// tensor depends on them; a plan for extents between the two that are refused after all is
  /// refused by the run.
  /// Errors: also kDuplicateName when another input has the name; kWrongShape for `extents` of an
  /// axis that is not open, with bounds that contradict each other, or with the name of others that
  /// have other bounds.
  /// [one at a time]
  virtual OutputSlot AddInputLayer(const TensorInfo& info, const std::string& name,
                                   const std::vector<OpenExtent>& extents = {}) = 0;

  /// Adds a constant.
  /// Ownership: the data is shared and must not change; see CopyConstantData. It lies dense,
  /// outermost axis first, info.GetSizeBytes() bytes, aligned for its type.
  /// Null: allowed only when the tensor has no elements.
  /// Errors: also kInvalidDescriptor for data that is null or not aligned.
  /// [one at a time]
  virtual OutputSlot AddConstantLayer(const TensorInfo& info, std::shared_ptr<const void> data,
                                      const std::string& name) = 0;

  /// Adds an operator. `descriptor` is of the type that layers.def states for `type`; it is copied.
  /// Prefer the template AddLayer below, which checks that when compiled.
  /// Optional inputs at the end are left out.
  ///
  /// Behind open extents, descriptors of Reshape, Expand, Slice and Resize may have kOpenExtent as
  /// extents of the output. Of Reshape, a single one is what is left of the elements, and several
  /// are those that are open in the input, in their order; of Expand, the input's own; of Slice,
  /// all from the start on; of Resize, the input's times the scale, rounded down.
  ///
  /// Inputs have one data type, and the outputs have it too. All of them may be quantized instead,
  /// where the operator takes quantized tensors; then `output_types` states how each output is:
  /// real = scale * (stored - zero_point). Operators that only move values, and pooling, keep the
  /// quantization of input 0 when nothing is stated; the others refuse (kWrongDataType). Types at
  /// the end may be left out.
  /// [one at a time]
  virtual LayerId AddOperatorLayer(LayerType type, const BaseDescriptor& descriptor,
                                   const std::vector<OutputSlot>& inputs, const std::string& name,
                                   const std::vector<OutputType>& output_types = {}) = 0;

  /// Makes a tensor an output of the network.
  /// Errors: also kDuplicateName when another output has the name.
  /// [one at a time]
  virtual LayerBindingId AddOutputLayer(OutputSlot tensor, const std::string& name) = 0;

  /// Asks for a backend for one layer; it is tried before the preferences. "" takes it back.
  /// Errors: DiagnosticException with kUnknownTensor for an id that is no operator of the network.
  /// [one at a time]
  virtual void SetBackendHint(LayerId layer, const std::string& backend_id) = 0;

  /// Errors: DiagnosticException with kUnknownTensor. [any thread]
  virtual const TensorInfo& GetTensorInfo(OutputSlot tensor) const = 0;

  /// In the order in which they were added. [any thread]
  virtual std::vector<NetworkBinding> GetInputs() const = 0;
  /// [any thread]
  virtual std::vector<NetworkBinding> GetOutputs() const = 0;

  /// The number of operators, without inputs, outputs and constants. [any thread]
  virtual std::size_t GetNumOperators() const = 0;

  /// The operators, in the order in which they were added; for choosing a backend by name.
  /// [any thread]
  virtual std::vector<NetworkOperator> GetOperators() const = 0;

 private:
  // Only the core implements networks.
  friend class Network;
  INetwork() = default;
};

/// Which descriptor a layer type has.
template <LayerType kType>
struct DescriptorOf;
#define BACKPLANE_OPERATOR(name, number, major, minor, min_in, max_in, min_out, max_out, \
                           descriptor, aliasing, documentation)                          \
  template <>                                                                            \
  struct DescriptorOf<LayerType::k##name> {                                              \
    using Type = descriptor;                                                             \
  };
#define BACKPLANE_CORE_LAYER(...)
#include <backplane/api/layers.def>
#undef BACKPLANE_OPERATOR
#undef BACKPLANE_CORE_LAYER

/// Adds an operator with the descriptor of its type:
///   AddLayer<LayerType::kSoftmax>(*network, descriptor, {input}, "probabilities")
/// Errors: as INetwork::AddOperatorLayer.
template <LayerType kType>
LayerId AddLayer(INetwork& network, const typename DescriptorOf<kType>::Type& descriptor,
                 const std::vector<OutputSlot>& inputs, const std::string& name,
                 const std::vector<OutputType>& output_types = {}) {
  return network.AddOperatorLayer(kType, descriptor, inputs, name, output_types);
}

/// Maps data for AddConstantLayer from a file, aligned as the offset is. It stays in the pages of
/// the file: when every backend that reads it has a form of its own, its memory is given back, and
/// who needs it again has it read again. The file must not be changed or shortened as long as the
/// data is held, or the process may end by SIGBUS; put another file in its place by renaming.
/// Ownership: the descriptor is not needed afterwards.
/// Null: the file has no such bytes, or cannot be mapped.
/// [any thread]
BACKPLANE_RUNTIME_API std::shared_ptr<const void> MapConstantData(int file_descriptor,
                                                                  std::uint64_t offset_bytes,
                                                                  std::uint64_t size_bytes);

/// Copies data for AddConstantLayer, aligned to 64 bytes.
/// Null: data may be null when size_bytes is 0.
/// [any thread]
BACKPLANE_RUNTIME_API std::shared_ptr<const void> CopyConstantData(const void* data,
                                                                   std::size_t size_bytes);

}  // namespace backplane
