#include "backend/custom_layers.hpp"
#include "backend/option_schema.hpp"

#include <backplane/host/capabilities.hpp>
#include <backplane/host/diagnostic.hpp>

#include <algorithm>
#include <map>

namespace backplane::backend {
namespace {

std::string DescribeVersions(const OperatorDeclaration& one) {
  const std::string from = std::to_string(one.version_from);
  return one.version_from == one.version_to ? from : from + " to " + std::to_string(one.version_to);
}

/// The slot of a tensor; the last one stands for all that follow where it is variadic.
const OperatorSlot& GetSlot(const std::vector<OperatorSlot>& slots, std::uint32_t index) {
  return slots[std::min<std::size_t>(index, slots.size() - 1)];
}

/// Why these are not the inputs, or the outputs, of an operator; "" when they are. `groups` has the
/// types of the groups that were met.
std::string FindOtherTensors(const std::vector<OperatorSlot>& slots,
                             const TensorInfo* const* tensors, std::uint32_t count,
                             const std::string& what, std::map<std::uint32_t, DataType>& groups) {
  const auto [least, most] = GetArity(slots);
  if (count < least || count > most) {
    return "it has " + std::to_string(count) + " " + what + "s, and the operator " +
           DescribeCount(least, most);
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    const OperatorSlot& slot = GetSlot(slots, i);
    const std::string name = what + " " + std::to_string(i) + " (\"" + slot.name + "\")";
    if (tensors[i] == nullptr) {
      if ((slot.flags & BP_SLOT_OPTIONAL) != 0) continue;
      return name + " is left out, and is not optional";
    }
    const DataType type = tensors[i]->data_type;
    const auto& allowed = slot.data_types;
    if (!allowed.empty() && std::find(allowed.begin(), allowed.end(), type) == allowed.end()) {
      std::string list;
      for (const DataType one : allowed) {
        list += (list.empty() ? "" : ", ") + std::string(GetDataTypeName(one));
      }
      return name + " is of type " + GetDataTypeName(type) + ", and the operator takes " + list;
    }
    if (slot.type_group == 0) continue;
    const DataType of_group = groups.emplace(slot.type_group, type).first->second;
    if (of_group != type) {
      return name + " is of type " + GetDataTypeName(type) + ", and others of its group are " +
             GetDataTypeName(of_group);
    }
  }
  return "";
}

std::string DescribeUnknown(const std::string& name, const std::vector<OptionSchema>& schemas) {
  std::vector<std::string> names;
  for (const OptionSchema& schema : schemas) names.push_back(schema.name);
  const std::string nearest = FindNearestName(name, names);
  return "the operator has no attribute \"" + name + "\"" +
         (nearest.empty() ? "" : "; did you mean \"" + nearest + "\"?");
}

/// Why an attribute is none of the operator's; "" when it is one.
std::string FindOtherAttribute(const OperatorAttribute& attribute,
                               const std::vector<OptionSchema>& schemas) {
  const auto schema = std::find_if(schemas.begin(), schemas.end(), [&](const OptionSchema& one) {
    return one.name == attribute.name;
  });
  if (schema == schemas.end()) return DescribeUnknown(attribute.name, schemas);
  const std::string name = "attribute \"" + attribute.name + "\"";
  const bool is_list = schema->is_list != 0;
  if (attribute.is_list != is_list) {
    return name +
           (is_list ? " is a single value; expected a list" : " is a list; expected one value");
  }
  for (const OptionValue& value : attribute.values) {
    if (IsAllowed(value, *schema)) continue;
    return name + (is_list ? " has" : " is") + " the " + GetOptionTypeName(value.type) + " " +
           ToText(value) + "; expected " + DescribeAllowed(*schema);
  }
  return "";
}

std::string FindOtherAttributes(const CustomDescriptor& descriptor,
                                const std::vector<OptionSchema>& schemas) {
  std::vector<std::string> names;
  for (const OperatorAttribute& attribute : GetAttributes(descriptor)) {
    if (std::find(names.begin(), names.end(), attribute.name) != names.end()) {
      return "attribute \"" + attribute.name + "\" is stated twice";
    }
    names.push_back(attribute.name);
    std::string refusal = FindOtherAttribute(attribute, schemas);
    if (!refusal.empty()) return refusal;
  }
  return "";
}

}  // namespace

std::pair<std::uint32_t, std::uint32_t> GetArity(const std::vector<OperatorSlot>& slots) {
  std::uint32_t least = 0;
  for (std::uint32_t i = 0; i < slots.size(); ++i) {
    if ((slots[i].flags & BP_SLOT_OPTIONAL) == 0) least = i + 1;
  }
  const bool is_variadic = !slots.empty() && (slots.back().flags & BP_SLOT_VARIADIC) != 0;
  return {least, is_variadic ? BP_ANY_NUMBER : static_cast<std::uint32_t>(slots.size())};
}

std::string DescribeCount(std::uint32_t least, std::uint32_t most) {
  if (most == BP_ANY_NUMBER) return std::to_string(least) + " or more";
  const std::string text = std::to_string(least);
  return least == most ? text : text + " to " + std::to_string(most);
}

std::string FindUndeclared(const std::vector<OperatorDeclaration>& operators,
                           const LayerSupportQuery& query) {
  const auto& layer = static_cast<const CustomDescriptor&>(*query.descriptor);
  const auto to_name = [](const char* text) { return std::string(text != nullptr ? text : ""); };
  const std::string wanted = to_name(layer.domain) + '/' + to_name(layer.type);
  std::string declared;
  for (const OperatorDeclaration& one : operators) {
    const std::string name = one.domain + '/' + one.type;
    if (name == wanted && layer.version >= one.version_from && layer.version <= one.version_to) {
      std::map<std::uint32_t, DataType> groups;
      std::string refusal =
          FindOtherTensors(one.inputs, query.inputs, query.num_inputs, "input", groups);
      if (refusal.empty()) {
        refusal = FindOtherTensors(one.outputs, query.outputs, query.num_outputs, "output", groups);
      }
      return refusal.empty() ? FindOtherAttributes(layer, one.attributes) : refusal;
    }
    declared += (declared.empty() ? "" : ", ") + name + " of version " + DescribeVersions(one);
  }
  return "it does not declare the operator " + wanted + " of version " +
         std::to_string(layer.version) + ", but " + (declared.empty() ? "none" : declared);
}

}  // namespace backplane::backend
