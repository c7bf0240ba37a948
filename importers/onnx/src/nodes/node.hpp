#pragma once

#include <backplane/host/diagnostic.hpp>
#include <backplane/runtime/i_network.hpp>

#include "nodes/attributes.hpp"
#include "nodes/scope.hpp"
#include "values/value.hpp"

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace backplane::onnx {

/// How constants that a node makes differ between runs with other extents.
enum class OutputsOfRun : std::uint8_t {
  kFollow,        // each element follows the extents
  kRecalculated,  // their elements are found anew
  kFixed          // they do not differ
};

/// A node of the graph while it is converted: what it reads, and the layers it becomes.
///
/// Functions on input `index` that take an index beyond the inputs see an absent one.
class Node {
 public:
  /// `index` is the position in the graph, for nodes without a name. Both must outlive this object.
  Node(const ::onnx::NodeProto& proto, std::size_t index, Scope& scope);
  /// The same node to be converted in another scope.
  Node(const Node& node, Scope& scope) : Node(node.proto_, node.index_, scope) {}

  /// The name of its layers.
  const std::string& GetName() const { return name_; }
  /// "node conv1 (Conv)", for messages.
  const std::string& GetDescription() const { return description_; }
  const ::onnx::NodeProto& GetProto() const { return proto_; }
  /// Its position, behind those of the nodes around it.
  std::string GetPath() const { return scope_.values.GetPath() + std::to_string(index_); }
  Scope& GetScope() { return scope_; }
  /// The version of the operator set of its domain.
  std::int64_t GetOpset() const { return opset_; }
  Attributes& GetAttributes() { return attributes_; }

  std::size_t GetNumInputs() const { return static_cast<std::size_t>(proto_.input_size()); }
  std::size_t GetNumOutputs() const { return static_cast<std::size_t>(proto_.output_size()); }
  bool HasInput(std::size_t index) const;
  /// Are all inputs that it has constants? Does not count as reading them.
  bool HasOnlyConstants() const;
  /// Are all inputs that it has constants of the file, whatever a run is like? As HasOnlyConstants.
  bool IsOfFile() const;
  /// Is an input recalculated, of those from this one on? As HasOnlyConstants.
  bool HasRecalculated(int first = 0) const;
  /// The constants that it will make are such.
  void SetOutputsOfRun(OutputsOfRun outputs) { outputs_of_run_ = outputs; }
  /// Was something made dependent on the elements of a constant that is recalculated? Folding does
  /// not count.
  bool HasReadRecalculated() const { return has_read_recalculated_; }
  /// Has it, and something reads it.
  bool IsOutputRead(std::size_t index) const;
  /// Errors: kInvalidModel when the input is absent or nothing makes it.
  const TensorInfo& GetInputInfo(std::size_t index) const { return GetValue(index).info; }
  const TensorShape& GetInputShape(std::size_t index) const { return GetInputInfo(index).shape; }
  /// The plain elements: of a quantized tensor the stored integers.
  OutputSlot GetInput(std::size_t index);
  /// The stored elements with this quantization.
  OutputSlot GetInputAs(std::size_t index, const QuantizationInfo& quantization);
  /// As it is, for operators that only move elements; but plain when each index along an axis has a
  /// scale of its own.
  OutputSlot GetMovedInput(std::size_t index);
  /// All inputs as they are when they are quantized alike, with one scale; otherwise plain.
  std::vector<OutputSlot> GetMovedInputs();
  std::vector<OutputSlot> GetInputs();
  /// False for an absent input.
  bool IsConstant(std::size_t index) const {
    return HasInput(index) && GetValue(index).is_constant;
  }
  const Value& GetValue(std::size_t index) const;
  /// As GetValue, also of a sequence or an optional, which are outside.
  const Value& GetAnyValue(std::size_t index) const;

  /// The elements of an input have to be known, which is no constant.
  /// Errors: ValueWanted where the network is made stage by stage, else kDataDependentShape.
  [[noreturn]] void WantValue(std::size_t index, const std::string& meaning) const;
  /// The elements of a constant int64 or int32 tensor of rank 0 or 1.
  /// Errors: as WantValue when it is not constant, kInvalidModel for another type.
  std::vector<std::int64_t> ReadConstantInts(std::size_t index, const std::string& meaning) const;
  /// As ReadConstantInts; nothing when the input is absent or not constant.
  std::optional<std::vector<std::int64_t>> FindConstantInts(std::size_t index,
                                                            const std::string& meaning) const;
  /// The only element of a constant integer tensor.
  /// Errors: as ReadConstantInts.
  std::int64_t ReadConstantInt(std::size_t index, const std::string& meaning) const;
  /// The elements of a constant tensor of any numbers or bool and any shape.
  /// Errors: as ReadConstantInts.
  std::vector<double> ReadConstantReals(std::size_t index, const std::string& meaning) const;
  /// As ReadConstantReals; nothing when the input is absent or not constant.
  std::optional<std::vector<double>> FindConstantReals(std::size_t index) const;

  /// Adds a layer. `suffix` tells layers of one node apart: the main one has "". Gives its first
  /// output; the others are {slot.layer, 1} and so on.
  template <LayerType kType>
  OutputSlot AddLayer(const typename DescriptorOf<kType>::Type& descriptor,
                      const std::vector<OutputSlot>& inputs, const std::string& suffix = "",
                      const std::vector<OutputType>& output_types = {}) {
    return {scope_.values.AddOperator(kType, descriptor, inputs, name_ + suffix, output_types), 0};
  }
  /// Asks for memory for a constant that the file does not hold; false when it is not to be taken.
  bool TakeMemory(std::uint64_t size_bytes);
  /// Returns what `make` makes of constant inputs alone. In a network that is made stage by stage,
  /// `make` is called once for all stages.
  /// Errors: those of `make`.
  template <typename Result, typename Make>
  std::shared_ptr<const Result> ConvertOnce(const std::vector<std::size_t>& inputs,
                                            const Make& make) {
    return std::static_pointer_cast<const Result>(
        ConvertAnyOnce(inputs, [&] { return std::make_shared<const Result>(make()); }));
  }
  /// Shares the data, or copies them.
  OutputSlot AddConstant(const TensorInfo& info, std::shared_ptr<const void> data,
                         const std::string& suffix);
  OutputSlot AddConstant(const TensorInfo& info, const void* data, const std::string& suffix);
  /// A float32 constant of shape [1], which broadcasts to everything.
  OutputSlot AddScalar(float value, const std::string& suffix);
  /// A constant of shape [1] of any type of numbers or bool; rounded, or cut off, to that type.
  OutputSlot AddScalar(double value, DataType type, const std::string& suffix);
  OutputSlot AddReshape(OutputSlot input, const TensorShape& shape, const std::string& suffix = "");
  const TensorInfo& GetInfo(OutputSlot slot) const { return scope_.network.GetTensorInfo(slot); }

  /// Names an output, when the node has it and it has a name.
  void SetOutput(std::size_t index, OutputSlot slot);
  void SetOutput(std::size_t index, Value value) { NameOutput(index, std::move(value)); }
  /// Names the first output.
  void SetOutput(OutputSlot slot) { SetOutput(0, slot); }
  void SetOutput(Value value) { NameOutput(0, std::move(value)); }
  /// The first output is the input itself.
  void ForwardInput(std::size_t index) { SetOutput(GetValue(index)); }
  /// The first output is the input under another shape; of a constant a constant, without a layer.
  void ReshapeInput(std::size_t index, const TensorShape& shape);

  /// Errors: kUnsupportedAttribute when something reads an output after the first.
  void RefuseFurtherOutputs(const std::string& meaning) const;
  /// Errors: kUnsupportedAttribute when it has an input that nobody asked for and that the versions
  /// of its operator which are known do not have.
  void RefuseUnreadInputs() const;
  /// An axis counted from the end becomes one counted from the start.
  /// Errors: kInvalidModel when it is not in [-rank, rank - 1].
  std::uint32_t ResolveAxis(std::int64_t axis, std::uint32_t rank) const;
  /// As ResolveAxis, of several, sorted.
  /// Errors: also kInvalidModel when an axis is named twice.
  std::vector<std::uint32_t> ResolveAxes(const std::vector<std::int64_t>& axes,
                                         std::uint32_t rank) const;
  /// As ResolveAxes, in the order in which they are stated; all axes when none are stated.
  std::vector<std::uint32_t> ResolveAxesInOrder(
      const std::optional<std::vector<std::int64_t>>& axes, std::uint32_t rank) const;

  /// kInvalidModel: the model is wrong. In a run kStageFailed: its data may be.
  [[noreturn]] void RefuseAsInvalid(const std::string& why) const;
  /// kUnsupportedAttribute: the model is right, but this is more than can be imported. `why` says
  /// what was found and what is supported.
  [[noreturn]] void RefuseAsUnsupported(const std::string& why) const;
  /// kDataDependentShape: `meaning` would have to be known, and depends on what the inputs of the
  /// model hold.
  [[noreturn]] void RefuseAsDataDependent(const std::string& meaning) const;

 private:
  bool IsGiven(std::size_t index) const;
  std::shared_ptr<const void> ConvertAnyOnce(
      const std::vector<std::size_t>& inputs,
      const std::function<std::shared_ptr<const void>()>& make);
  // The elements of a constant, as long as not too much is read in all.
  template <typename Number>
  std::vector<Number> ReadNumbers(const Value& value) const;
  const Value& ReadValue(std::size_t index) const;
  void NameOutput(std::size_t index, Value value);

  const ::onnx::NodeProto& proto_;
  const std::size_t index_;
  Scope& scope_;
  std::string name_;
  std::string description_;
  std::int64_t opset_;
  Attributes attributes_;
  OutputsOfRun outputs_of_run_ = OutputsOfRun::kFollow;
  mutable std::vector<bool> are_inputs_read_;
  mutable bool has_read_recalculated_ = false;
};

}  // namespace backplane::onnx
