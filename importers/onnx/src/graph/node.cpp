#include "graph/node.hpp"

#include "diagnostics/throw_diagnostic.hpp"
#include "tensors/shape.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace backplane::onnx {
namespace {

std::string MakeName(const ::onnx::NodeProto& proto, std::size_t index) {
  return proto.name().empty() ? proto.op_type() + "_" + std::to_string(index) : proto.name();
}

}  // namespace

Node::Node(const ::onnx::NodeProto& proto, std::size_t index, GraphContext& context)
    : proto_(proto),
      context_(context),
      name_(MakeName(proto, index)),
      description_("node " + name_ + " (" + proto.op_type() + ")"),
      attributes_(proto, description_) {}

bool Node::HasInput(std::size_t index) const {
  return index < GetNumInputs() && !proto_.input(static_cast<int>(index)).empty();
}

const Value& Node::GetValue(std::size_t index) const {
  if (!HasInput(index)) {
    RefuseAsInvalid("its input " + std::to_string(index) + " is absent, but is needed");
  }
  const std::string& name = proto_.input(static_cast<int>(index));
  const Value* value = context_.values.Find(name);
  if (value == nullptr) RefuseAsInvalid("it reads " + name + ", which nothing before it makes");
  return *value;
}

OutputSlot Node::GetInput(std::size_t index) {
  GetValue(index);  // refuses what is absent
  return context_.values.GetSlot(proto_.input(static_cast<int>(index)));
}

std::vector<OutputSlot> Node::GetInputs() {
  std::vector<OutputSlot> slots;
  for (std::size_t index = 0; index < GetNumInputs(); ++index) slots.push_back(GetInput(index));
  return slots;
}

std::vector<std::int64_t> Node::ReadConstantInts(std::size_t index,
                                                 const std::string& meaning) const {
  const Value& value = GetValue(index);
  if (!value.is_constant) {
    ThrowError(DiagnosticCode::kDataDependentShape, {SubjectKind::kLayer, name_},
               "the " + meaning + " of " + description_ + " depends on data",
               "it is computed by the graph; it must be a constant of the model",
               "export the model with fixed shapes, or simplify it (onnxsim)");
  }
  if (value.info.data_type != DataType::kInt64 || value.info.shape.rank > 1) {
    RefuseAsInvalid("its " + meaning + " is " + ToText(value.info.shape) + " " +
                    GetDataTypeName(value.info.data_type) + "; a list of int64 is expected");
  }
  std::vector<std::int64_t> elements(static_cast<std::size_t>(value.info.shape.GetNumElements()));
  if (!elements.empty()) std::memcpy(elements.data(), value.data.get(), value.info.GetSizeBytes());
  return elements;
}

std::optional<float> Node::FindConstantFloat(std::size_t index) const {
  const Value& value = GetValue(index);
  if (!value.is_constant || value.info.data_type != DataType::kFloat32 ||
      value.info.shape.GetNumElements() != 1) {
    return {};
  }
  float element = 0;
  std::memcpy(&element, value.data.get(), sizeof(element));
  return element;
}

OutputSlot Node::AddConstant(const TensorInfo& info, const void* data, const std::string& suffix) {
  return context_.network.AddConstantLayer(info, CopyConstantData(data, info.GetSizeBytes()),
                                           name_ + suffix);
}

OutputSlot Node::AddScalar(float value, const std::string& suffix) {
  return AddConstant({{1}, DataType::kFloat32}, &value, suffix);
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
  if (!name.empty()) context_.values.Add(name, std::move(value));
}

void Node::ReshapeInput(std::size_t index, const TensorShape& shape) {
  Value value = GetValue(index);
  if (!value.is_constant) return SetOutput(AddReshape(GetInput(index), shape));
  value.info.shape = shape;
  value.slot.reset();
  SetOutput(std::move(value));
}

void Node::RefuseFurtherOutputs(const std::string& meaning) const {
  for (int index = 1; index < proto_.output_size(); ++index) {
    const std::string& name = proto_.output(index);
    if (name.empty() || context_.names_read.count(name) == 0) continue;
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

void Node::RefuseAsInvalid(const std::string& why) const {
  ThrowError(DiagnosticCode::kInvalidModel, {SubjectKind::kLayer, name_},
             description_ + " cannot be imported", why, "correct the model and export it again");
}

}  // namespace backplane::onnx
