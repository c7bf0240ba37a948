#pragma once

#include <backplane/host/diagnostic.hpp>
#include <backplane/runtime/i_network.hpp>

#include "graph/attributes.hpp"
#include "graph/value.hpp"

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace backplane::onnx {

/// What one node is converted in.
struct GraphContext {
  INetwork& network;
  Values& values;
  const std::set<std::string>& names_read;  // tensors that a node reads or the graph gives
  std::int64_t opset;                       // of the default domain
};

/// A node of the graph while it is converted: what it reads, and the layers it becomes.
///
/// Functions on input `index` that take an index beyond the inputs see an absent one.
class Node {
 public:
  /// `index` is the position in the graph, for nodes without a name. Both must outlive this object.
  Node(const ::onnx::NodeProto& proto, std::size_t index, GraphContext& context);

  /// The name of its layers.
  const std::string& GetName() const { return name_; }
  /// "node conv1 (Conv)", for messages.
  const std::string& GetDescription() const { return description_; }
  std::int64_t GetOpset() const { return context_.opset; }
  Attributes& GetAttributes() { return attributes_; }

  std::size_t GetNumInputs() const { return static_cast<std::size_t>(proto_.input_size()); }
  std::size_t GetNumOutputs() const { return static_cast<std::size_t>(proto_.output_size()); }
  bool HasInput(std::size_t index) const;
  /// Errors: kInvalidModel when the input is absent or nothing makes it.
  const TensorInfo& GetInputInfo(std::size_t index) const { return GetValue(index).info; }
  const TensorShape& GetInputShape(std::size_t index) const { return GetInputInfo(index).shape; }
  OutputSlot GetInput(std::size_t index);
  std::vector<OutputSlot> GetInputs();
  bool IsConstant(std::size_t index) const { return GetValue(index).is_constant; }
  const Value& GetValue(std::size_t index) const;
  /// The elements of a constant int64 tensor.
  /// Errors: kDataDependentShape when it is not constant, kInvalidModel for another type.
  std::vector<std::int64_t> ReadConstantInts(std::size_t index, const std::string& meaning) const;
  /// The element of a constant float32 scalar; nothing when it is no such constant.
  std::optional<float> FindConstantFloat(std::size_t index) const;

  /// Adds a layer. `suffix` tells layers of one node apart: the main one has "".
  template <LayerType kType>
  OutputSlot AddLayer(const typename DescriptorOf<kType>::Type& descriptor,
                      const std::vector<OutputSlot>& inputs, const std::string& suffix = "") {
    return {backplane::AddLayer<kType>(context_.network, descriptor, inputs, name_ + suffix), 0};
  }
  OutputSlot AddConstant(const TensorInfo& info, const void* data, const std::string& suffix);
  /// A constant of shape [1], which broadcasts to everything.
  OutputSlot AddScalar(float value, const std::string& suffix);
  OutputSlot AddReshape(OutputSlot input, const TensorShape& shape, const std::string& suffix = "");
  const TensorInfo& GetInfo(OutputSlot slot) const { return context_.network.GetTensorInfo(slot); }

  /// Names an output, when the node has it and it has a name.
  void SetOutput(std::size_t index, OutputSlot slot);
  /// Names the first output.
  void SetOutput(OutputSlot slot) { SetOutput(0, slot); }
  void SetOutput(Value value) { NameOutput(0, std::move(value)); }
  /// The first output is the input itself.
  void ForwardInput(std::size_t index) { SetOutput(GetValue(index)); }
  /// The first output is the input under another shape; of a constant a constant, without a layer.
  void ReshapeInput(std::size_t index, const TensorShape& shape);

  /// Errors: kUnsupportedAttribute when something reads an output after the first.
  void RefuseFurtherOutputs(const std::string& meaning) const;
  /// An axis counted from the end becomes one counted from the start.
  /// Errors: kInvalidModel when it is not in [-rank, rank - 1].
  std::uint32_t ResolveAxis(std::int64_t axis, std::uint32_t rank) const;
  [[noreturn]] void RefuseAsInvalid(const std::string& why) const;

 private:
  void NameOutput(std::size_t index, Value value);

  const ::onnx::NodeProto& proto_;
  GraphContext& context_;
  std::string name_;
  std::string description_;
  Attributes attributes_;
};

}  // namespace backplane::onnx
