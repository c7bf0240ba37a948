#include "table/custom_layers.hpp"

#include "table/list_items.hpp"

#include <backplane/api/c_values.hpp>

#include <algorithm>
#include <vector>

namespace backplane::table {
namespace {

constexpr char kInfer[] = "IBackendInternal::InferOutputs";

std::string Describe(const char* domain, const char* type) {
  return std::string(domain != nullptr ? domain : "") + '/' + (type != nullptr ? type : "");
}

std::string DescribeVersions(const bp_operator& one) {
  const std::string from = std::to_string(one.version_from);
  return one.version_from == one.version_to ? from : from + " to " + std::to_string(one.version_to);
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

std::string FindUndeclared(const Instance& instance, const Scope& scope,
                           const CustomDescriptor& descriptor) {
  bool is_declared = false;
  std::string declared;
  ListItems<bp_operator>(
      instance, BP_ITEM_OPERATOR, scope, "IBackendInternal::GetOperators",
      [&](const bp_operator& item) {
        const bp_operator one = c_form::Copy(item);
        const std::string name = Describe(one.domain, one.type);
        const bool is_same = name == Describe(descriptor.domain, descriptor.type);
        is_declared |= is_same && descriptor.version >= one.version_from &&
                       descriptor.version <= one.version_to;
        declared += (declared.empty() ? "" : ", ") + name + " of version " + DescribeVersions(one);
      });
  if (is_declared) return "";
  return "it does not declare the operator " + Describe(descriptor.domain, descriptor.type) +
         " of version " + std::to_string(descriptor.version) + ", but " +
         (declared.empty() ? "none" : declared);
}

std::string FindOtherOutputs(const Instance& instance, const bp_layer_args& args) {
  if (instance->infer == nullptr) return "it has no function to infer outputs";
  std::vector<TensorInfo> inferred;
  bp_sink sink;
  sink.item = BP_ITEM_TENSOR_INFO;
  sink.take = [&](const void* item) {
    inferred.push_back(c_form::ToInfo(*static_cast<const bp_tensor_info*>(item)));
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

}  // namespace backplane::table
