#include "backend/custom_layers.hpp"

#include "backend/list_items.hpp"

#include <backplane/api/c_values.hpp>

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace backplane::backend {
namespace {

constexpr char kInfer[] = "IBackendInternal::InferOutputs";
constexpr char kGetOperators[] = "IBackendInternal::GetOperators";

std::string ToString(const char* text) {
  return text != nullptr ? text : "";
}

std::vector<OperatorSlot> ToSlots(const bp_operator_slot* const* from, std::uint32_t count,
                                  const char* what) {
  RequireList(from, count, (std::string("the list of ") + what + " of an operator").c_str());
  std::vector<OperatorSlot> slots;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (from[i] == nullptr)
      throw std::invalid_argument(std::string("one of the ") + what + " is null");
    const bp_operator_slot slot = Read(*from[i]);
    RequireList(slot.data_types, slot.num_data_types, "the list of data types of a slot");
    OperatorSlot& made = slots.emplace_back();
    made.name = ToString(slot.name);
    for (std::uint32_t type = 0; type < slot.num_data_types; ++type) {
      made.data_types.push_back(c_form::ToEnum<DataType>(slot.data_types[type]));
    }
    made.flags = slot.flags;
    made.type_group = slot.type_group;
  }
  return slots;
}

/// Errors: std::invalid_argument for an arity that is stated, and not that of the slots.
void RequireArity(const std::vector<OperatorSlot>& slots, std::uint32_t least, std::uint32_t most,
                  const char* what) {
  const auto [slots_least, slots_most] = GetArity(slots);
  const bool is_stated = least != 0 || most != 0;
  if (!is_stated || (least == slots_least && most == slots_most)) return;
  throw std::invalid_argument("an operator states " + DescribeCount(least, most) + ' ' + what +
                              ", and its slots say " + DescribeCount(slots_least, slots_most));
}

/// Errors: std::invalid_argument for pointers that are not there, and for attributes as ReadSchema.
OperatorDeclaration ToDeclaration(const bp_operator& from) {
  OperatorDeclaration made;
  made.domain = ToString(from.domain);
  made.type = ToString(from.type);
  made.text = ToString(from.text);
  made.version_from = from.version_from;
  made.version_to = from.version_to;
  made.is_impure = (from.flags & BP_OPERATOR_IMPURE) != 0;
  made.inputs = ToSlots(from.inputs, from.num_inputs, "inputs");
  made.outputs = ToSlots(from.outputs, from.num_outputs, "outputs");
  RequireArity(made.inputs, from.min_inputs, from.max_inputs, "inputs");
  RequireArity(made.outputs, from.min_outputs, from.max_outputs, "outputs");
  RequireList(from.attributes, from.num_attributes, "the list of attributes of an operator");
  for (std::uint32_t i = 0; i < from.num_attributes; ++i) {
    if (from.attributes[i] == nullptr) throw std::invalid_argument("one of the attributes is null");
    made.attributes.push_back(ReadSchema(*from.attributes[i]));
  }
  return made;
}

std::vector<OperatorTensor> ToTensors(const bp_constant* const* from, std::uint32_t count,
                                      const char* what) {
  RequireList(from, count, (std::string("the list of ") + what + " of a case").c_str());
  std::vector<OperatorTensor> tensors;
  for (std::uint32_t i = 0; i < count; ++i) {
    const bp_constant constant = from[i] != nullptr ? Read(*from[i]) : bp_constant{};
    if (constant.info == nullptr) {
      throw std::invalid_argument(std::string("one of the ") + what +
                                  " of a case is not described");
    }
    OperatorTensor& made = tensors.emplace_back();
    made.info = ReadInfo(*constant.info);
    const std::uint64_t size = made.info.GetSizeBytes();
    if (constant.num_bytes != size || (constant.data == nullptr && size > 0)) {
      throw std::invalid_argument(
          std::string("one of the ") + what + " of a case has " +
          std::to_string(constant.data != nullptr ? constant.num_bytes : 0) +
          " bytes; its type and shape take " + std::to_string(size));
    }
    const auto* const bytes = static_cast<const unsigned char*>(constant.data);
    made.bytes.assign(bytes, bytes + size);
  }
  return tensors;
}

/// Errors: std::invalid_argument for what is not there or does not fit.
OperatorCase ToCase(const bp_operator_case& from) {
  if (from.layer == nullptr) throw std::invalid_argument("a case has no layer");
  RequireCustom(*from.layer);
  const bp_custom_descriptor layer = Read(*from.layer);
  OperatorCase made;
  made.name = ToString(from.name);
  made.domain = ToString(layer.domain);
  made.type = ToString(layer.type);
  made.version = layer.version;
  CustomDescriptor descriptor;
  descriptor.attributes = layer.attributes;
  descriptor.num_attributes = layer.num_attributes;
  made.attributes = GetAttributes(descriptor);
  made.inputs = ToTensors(from.inputs, from.num_inputs, "inputs");
  made.outputs = ToTensors(from.outputs, from.num_outputs, "outputs");
  made.tolerance = from.tolerance;
  return made;
}

/// "float32 [2, 3]".
std::string DescribeOutput(const std::vector<TensorInfo>& outputs, std::size_t index) {
  if (index >= outputs.size()) return "none";
  const TensorInfo& info = outputs[index];
  std::string text = std::string(GetDataTypeName(info.data_type)) + " [";
  for (std::uint32_t axis = 0; axis < info.shape.rank; ++axis) {
    text += (axis == 0 ? "" : ", ") + std::to_string(info.shape[axis]);
  }
  return text + (info.quantization.IsQuantized() ? "], quantised" : "]");
}

}  // namespace

CDescriptor::CDescriptor(LayerType type, const BaseDescriptor* descriptor)
    : descriptor_(descriptor) {
  if (type != LayerType::kCustom || descriptor == nullptr) return;
  const auto& from = static_cast<const CustomDescriptor&>(*descriptor);
  custom_ = c_form::Make<bp_custom_descriptor>();
  custom_.version = from.version;
  custom_.domain = from.domain;
  custom_.type = from.type;
  custom_.attributes = from.attributes;
  custom_.num_attributes = from.num_attributes;
  custom_.num_subgraphs = from.num_subgraphs;
  descriptor_ = &custom_;
}

std::vector<OperatorDeclaration> GetOperators(const Instance& instance, const Scope& scope) {
  std::vector<OperatorDeclaration> operators;
  ListItems<bp_operator>(
      instance, BP_ITEM_OPERATOR, scope, kGetOperators,
      [&](const bp_operator& item) { operators.push_back(ToDeclaration(Read(item))); });
  if (operators.empty() || instance->infer != nullptr) return operators;
  bp_error error;
  const bp_status status = Fail(&error, Status::kFailure,
                                "it declares operators and has no function infer, which says what "
                                "their outputs are");
  instance.Require(kGetOperators, status, error);
  return operators;
}

std::vector<OperatorCase> GetOperatorCases(const Instance& instance, const Scope& scope) {
  std::vector<OperatorCase> cases;
  ListItems<bp_operator_case>(
      instance, BP_ITEM_OPERATOR_CASE, scope, "IBackendInternal::GetOperatorCases",
      [&](const bp_operator_case& item) { cases.push_back(ToCase(Read(item))); });
  return cases;
}

std::string FindOtherOutputs(const Instance& instance, const bp_layer_args& args) {
  std::vector<TensorInfo> inferred;
  bp_sink sink;
  sink.item = BP_ITEM_TENSOR_INFO;
  sink.take = [&](const void* item) {
    inferred.push_back(ReadInfo(*static_cast<const bp_tensor_info*>(item)));
    return inferred.size() <= kMaxCustomOutputs ? Status::kSuccess : Status::kInvalidArgument;
  };
  bp_error error;
  const bp_status status = instance->infer(instance.Get(), &args, &sink, &error);
  if (status == BP_STATUS_INVALID_ARGUMENT || status == BP_STATUS_UNSUPPORTED) {
    return error.said ? error.said->text : "such a layer cannot be, it says, and not why";
  }
  instance.Require(kInfer, status, error);
  const c_form::Infos given(args.layer->outputs, args.layer->num_outputs);
  std::vector<TensorInfo> stated;
  for (std::uint32_t i = 0; i < given.GetCount(); ++i) stated.push_back(*given.Get()[i]);
  for (std::size_t i = 0; i < std::max(inferred.size(), stated.size()); ++i) {
    const std::string found = DescribeOutput(inferred, i);
    const std::string expected = DescribeOutput(stated, i);
    const bool is_there = i < inferred.size() && i < stated.size();
    if (is_there && inferred[i] == stated[i]) continue;
    return "it infers output " + std::to_string(i) + " as " + found + ", and the network states " +
           expected;
  }
  return "";
}

}  // namespace backplane::backend
