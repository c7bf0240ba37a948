#include "nodes/node.hpp"

#include "diagnostics/throw_diagnostic.hpp"
#include "nodes/i_graph_import.hpp"
#include "nodes/operator_sets.hpp"
#include "tensors/data_types.hpp"
#include "tensors/memory_budget.hpp"
#include "tensors/shape.hpp"
#include "values/elements.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace backplane::onnx {
namespace {

std::int64_t FindOpset(const ::onnx::NodeProto& proto, const NodeVersions& versions) {
  const auto own = versions.of_nodes.find(&proto);
  return own != versions.of_nodes.end() ? own->second : FindVersion(proto, versions.opsets);
}

}  // namespace

Node::Node(const ::onnx::NodeProto& proto, std::size_t index, Scope& scope)
    : proto_(proto),
      index_(index),
      scope_(scope),
      name_(scope.prefix + NameNode(proto, index)),
      description_("node " + name_ + " (" + proto.op_type() + ")"),
      opset_(FindOpset(proto, *scope.versions)),
      attributes_(proto, description_),
      are_inputs_read_(static_cast<std::size_t>(proto.input_size())) {}

bool Node::IsGiven(std::size_t index) const {
  if (index >= GetNumInputs()) return false;
  return !proto_.input(static_cast<int>(index)).empty();
}

bool Node::HasInput(std::size_t index) const {
  if (index < are_inputs_read_.size()) are_inputs_read_[index] = true;
  return IsGiven(index);
}

bool Node::HasOnlyConstants() const {
  for (int index = 0; index < proto_.input_size(); ++index) {
    if (!IsGiven(static_cast<std::size_t>(index))) continue;
    const Value* value = scope_.values.Find(proto_.input(index));
    if (value == nullptr || !value->is_constant) return false;
  }
  return true;
}

bool Node::IsOfFile() const {
  return std::all_of(proto_.input().begin(), proto_.input().end(), [&](const std::string& name) {
    const Value* const value = scope_.values.Find(name);
    return value == nullptr || (value->is_constant && !value->is_of_run);
  });
}

bool Node::HasRecalculated(int first) const {
  for (int index = first; index < proto_.input_size(); ++index) {
    const Value* const value = scope_.values.Find(proto_.input(index));
    if (value != nullptr && value->is_recalculated) return true;
  }
  return false;
}

void Node::RefuseUnreadInputs() const {
  for (std::size_t index = 0; index < GetNumInputs(); ++index) {
    if (!IsGiven(index) || are_inputs_read_[index]) continue;
    if (index < CountKnownInputs(NormaliseDomain(proto_.domain()), proto_.op_type(), opset_)) {
      continue;
    }
    RefuseAsUnsupported("its input " + std::to_string(index) + ", " +
                        proto_.input(static_cast<int>(index)) +
                        ", is not known; its operator is of a newer version");
  }
}

bool Node::IsOutputRead(std::size_t index) const {
  if (index >= GetNumOutputs()) return false;
  const std::string& name = proto_.output(static_cast<int>(index));
  return !name.empty() && scope_.names_read->count(name) > 0;
}

const Value& Node::GetAnyValue(std::size_t index) const {
  if (!HasInput(index)) {
    RefuseAsInvalid("its input " + std::to_string(index) + " is absent, but is needed");
  }
  const std::string& name = proto_.input(static_cast<int>(index));
  const Value* value = scope_.values.Find(name);
  if (value == nullptr) RefuseAsInvalid("it reads " + name + ", which nothing before it makes");
  return *value;
}

const Value& Node::GetValue(std::size_t index) const {
  const Value& value = GetAnyValue(index);
  if (value.kind == StageValue::Kind::kTensor) return value;
  const bool is_sequence = value.kind == StageValue::Kind::kSequence;
  RefuseAsInvalid("it reads " + proto_.input(static_cast<int>(index)) + ", which is " +
                  (is_sequence ? "a sequence" : "an optional without content") +
                  "; a tensor is expected");
}

void Node::WantValue(std::size_t index, const std::string& meaning) const {
  if (!scope_.import.IsStaged()) RefuseAsDataDependent(meaning);
  throw ValueWanted{scope_.values.FindPlace(proto_.input(static_cast<int>(index))),
                    GetValue(index)};
}

OutputSlot Node::GetInput(std::size_t index) {
  return GetInputAs(index, {});
}

OutputSlot Node::GetInputAs(std::size_t index, const QuantizationInfo& quantization) {
  GetValue(index);  // refuses what is absent
  return scope_.values.GetSlotAs(proto_.input(static_cast<int>(index)), quantization);
}

OutputSlot Node::GetMovedInput(std::size_t index) {
  const QuantizationInfo quantization = GetValue(index).info.quantization;
  return GetInputAs(index, quantization.IsPerAxis() ? QuantizationInfo() : quantization);
}

std::vector<OutputSlot> Node::GetInputs() {
  std::vector<OutputSlot> slots;
  for (std::size_t index = 0; index < GetNumInputs(); ++index) slots.push_back(GetInput(index));
  return slots;
}

std::vector<OutputSlot> Node::GetMovedInputs() {
  QuantizationInfo common = GetValue(0).info.quantization;
  for (std::size_t index = 0; index < GetNumInputs(); ++index) {
    const QuantizationInfo& own = GetValue(index).info.quantization;
    if (own.IsPerAxis() || !(own == common)) common = QuantizationInfo();
  }
  std::vector<OutputSlot> slots;
  for (std::size_t index = 0; index < GetNumInputs(); ++index) {
    slots.push_back(GetInputAs(index, common));
  }
  return slots;
}

template <typename Number>
std::vector<Number> Node::ReadNumbers(const Value& value) const {
  if (scope_.import.GetBudget().TakeReading(value.info.GetSizeBytes())) {
    return ReadElements<Number>(value);
  }
  RefuseAsUnsupported("with it, more than " + std::to_string(MemoryBudget::kMaxBytesRead) +
                      " bytes of constants are read; for all nodes together that is too much");
}

// It is GetValue for a value whose elements are read.
const Value& Node::ReadValue(std::size_t index) const {
  const Value& value = GetValue(index);
  has_read_recalculated_ = has_read_recalculated_ || value.is_recalculated;
  return value;
}

std::vector<std::int64_t> Node::ReadConstantInts(std::size_t index,
                                                 const std::string& meaning) const {
  const Value& value = ReadValue(index);
  if (!value.is_constant) WantValue(index, meaning);
  const DataType type = value.info.data_type;
  if (!IsListType(type) || value.info.shape.rank > 1) {
    RefuseAsInvalid("its " + meaning + " is " + ToText(value.info.shape) + " " +
                    GetDataTypeName(type) + "; a list of int64 is expected");
  }
  return ReadNumbers<std::int64_t>(value);
}

std::optional<std::vector<std::int64_t>> Node::FindConstantInts(std::size_t index,
                                                                const std::string& meaning) const {
  if (!IsConstant(index)) return {};
  return ReadConstantInts(index, meaning);
}

std::int64_t Node::ReadConstantInt(std::size_t index, const std::string& meaning) const {
  const Value& value = ReadValue(index);
  if (!value.is_constant) WantValue(index, meaning);
  const DataType type = value.info.data_type;
  if (!IsListType(type) || value.info.shape.GetNumElements() != 1) {
    RefuseAsInvalid("its " + meaning + " is " + ToText(value.info.shape) + " " +
                    GetDataTypeName(type) + "; one int64 is expected");
  }
  return ReadElements<std::int64_t>(value).front();
}

std::vector<double> Node::ReadConstantReals(std::size_t index, const std::string& meaning) const {
  const Value& value = ReadValue(index);
  if (!value.is_constant) WantValue(index, meaning);
  return ReadNumbers<double>(value);
}

std::optional<std::vector<double>> Node::FindConstantReals(std::size_t index) const {
  if (!IsConstant(index)) return {};
  return ReadNumbers<double>(ReadValue(index));
}

bool Node::TakeMemory(std::uint64_t size_bytes) {
  return scope_.import.GetBudget().Take(size_bytes);
}

std::shared_ptr<const void> Node::ConvertAnyOnce(
    const std::vector<std::size_t>& inputs,
    const std::function<std::shared_ptr<const void>()>& make) {
  std::vector<std::shared_ptr<const void>> sources;
  for (const std::size_t index : inputs) {
    if (HasInput(index)) sources.push_back(GetValue(index).data);
  }
  return scope_.import.ConvertOnce(GetPath(), sources, make);
}

OutputSlot Node::AddConstant(const TensorInfo& info, std::shared_ptr<const void> data,
                             const std::string& suffix) {
  // It may have been calculated of any input.
  has_read_recalculated_ = has_read_recalculated_ || HasRecalculated();
  return scope_.values.AddConstant(
      info, scope_.import.ShareConstant(name_ + suffix, std::move(data), info.GetSizeBytes()),
      name_ + suffix);
}

OutputSlot Node::AddConstant(const TensorInfo& info, const void* data, const std::string& suffix) {
  return AddConstant(info, CopyConstantData(data, info.GetSizeBytes()), suffix);
}

OutputSlot Node::AddScalar(float value, const std::string& suffix) {
  return AddConstant({TensorShape{}, DataType::kFloat32}, &value, suffix);
}

OutputSlot Node::AddScalar(double value, DataType type, const std::string& suffix) {
  const Value constant = MakeElements({TensorShape{}, type}, std::vector<double>{value});
  return scope_.values.AddConstant(constant.info, constant.data, name_ + suffix);
}

OutputSlot Node::AddReshape(OutputSlot input, const TensorShape& shape, const std::string& suffix) {
  ReshapeDescriptor descriptor;
  descriptor.rank = shape.rank;
  std::copy_n(shape.dims, shape.rank, descriptor.dims);
  return AddLayer<LayerType::kReshape>(descriptor, {input}, suffix);
}

void Node::SetOutput(std::size_t index, OutputSlot slot) {
  Value value;
  value.info = GetInfo(slot);
  value.slot = slot;
  NameOutput(index, std::move(value));
}

void Node::NameOutput(std::size_t index, Value value) {
  if (index >= GetNumOutputs()) return;
  const std::string& name = proto_.output(static_cast<int>(index));
  if (name.empty()) return;
  const bool is_fixed = outputs_of_run_ == OutputsOfRun::kFixed;
  value.is_of_run = value.is_constant && !is_fixed && (value.is_of_run || !IsOfFile());
  const bool is_recalculated = outputs_of_run_ == OutputsOfRun::kRecalculated;
  value.is_recalculated = value.is_constant && (value.is_recalculated || is_recalculated);
  const Value* const known = scope_.import.FindKnown({scope_.values.GetPath(), name});
  scope_.values.Add(name, known != nullptr ? *known : std::move(value));
}

void Node::ReshapeInput(std::size_t index, const TensorShape& shape) {
  Value value = GetValue(index);
  if (!value.is_constant) return SetOutput(AddReshape(GetMovedInput(index), shape));
  value.info.shape = shape;
  value.slot.reset();
  SetOutput(std::move(value));
}

void Node::RefuseFurtherOutputs(const std::string& meaning) const {
  for (std::size_t index = 1; index < GetNumOutputs(); ++index) {
    if (!IsOutputRead(index)) continue;
    const std::string& name = proto_.output(static_cast<int>(index));
    ThrowError(DiagnosticCode::kUnsupportedAttribute, {SubjectKind::kLayer, name_},
               description_ + " has an output that is not supported",
               "its output " + name + " (" + meaning + ") is read; only the first output can be",
               "export the model without it");
  }
}

std::uint32_t Node::ResolveAxis(std::int64_t axis, std::uint32_t rank) const {
  if (axis < -static_cast<std::int64_t>(rank) || axis >= static_cast<std::int64_t>(rank)) {
    RefuseAsInvalid("its axis is " + std::to_string(axis) + "; for rank " + std::to_string(rank) +
                    " an axis is from -" + std::to_string(rank) + " to " +
                    std::to_string(static_cast<std::int64_t>(rank) - 1));
  }
  return static_cast<std::uint32_t>(axis < 0 ? axis + rank : axis);
}

std::vector<std::uint32_t> Node::ResolveAxes(const std::vector<std::int64_t>& axes,
                                             std::uint32_t rank) const {
  std::vector<std::uint32_t> resolved;
  for (const std::int64_t axis : axes) resolved.push_back(ResolveAxis(axis, rank));
  std::sort(resolved.begin(), resolved.end());
  const auto twice = std::adjacent_find(resolved.begin(), resolved.end());
  if (twice != resolved.end()) {
    RefuseAsInvalid("its axes name axis " + std::to_string(*twice) + " twice");
  }
  return resolved;
}

std::vector<std::uint32_t> Node::ResolveAxesInOrder(
    const std::optional<std::vector<std::int64_t>>& axes, std::uint32_t rank) const {
  std::vector<std::uint32_t> resolved;
  if (!axes) {
    resolved.resize(rank);
    std::iota(resolved.begin(), resolved.end(), 0U);
    return resolved;
  }
  ResolveAxes(*axes, rank);  // refuses one that is named twice
  for (const std::int64_t axis : *axes) resolved.push_back(ResolveAxis(axis, rank));
  return resolved;
}

void Node::RefuseAsInvalid(const std::string& why) const {
  if (scope_.import.IsOfRun()) {
    ThrowError(DiagnosticCode::kStageFailed, {SubjectKind::kLayer, name_},
               description_ + " cannot be run", why,
               "give other data or shapes, or correct the model");
  }
  ThrowError(DiagnosticCode::kInvalidModel, {SubjectKind::kLayer, name_},
             description_ + " cannot be imported", why, "correct the model and export it again");
}

void Node::RefuseAsUnsupported(const std::string& why) const {
  ThrowError(DiagnosticCode::kUnsupportedAttribute, {SubjectKind::kLayer, name_},
             description_ + " is used in a way that is not supported", why,
             scope_.import.IsOfRun() ? "give other data or shapes, or export the model without it"
                                     : "export the model without it");
}

void Node::RefuseAsDataDependent(const std::string& meaning) const {
  ThrowError(
      DiagnosticCode::kDataDependentShape, {SubjectKind::kLayer, name_},
      "the " + meaning + " of " + description_ + " depends on data",
      "it is computed by the graph; it must be a constant of the model, or an input that is "
      "given as one",
      "give the input that it depends on as a constant (--constant NAME=FILE, or "
      "ImportOptions::constants in code), export the model with fixed shapes, or simplify it "
      "(onnxsim)");
}

}  // namespace backplane::onnx
