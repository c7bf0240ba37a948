#include "nodes/attributes.hpp"

#include "diagnostics/throw_diagnostic.hpp"

#include <utility>

namespace backplane::onnx {

using ::onnx::AttributeProto;

Attributes::Attributes(const ::onnx::NodeProto& node, std::string description)
    : node_name_(node.name()), description_(std::move(description)) {
  for (const AttributeProto& attribute : node.attribute()) {
    if (!attribute.ref_attr_name().empty()) {
      Refuse(attribute.name(), "a reference to " + attribute.ref_attr_name() + " of a function",
             "values are supported outside of functions");
    }
    values_.emplace(attribute.name(), &attribute);
  }
}

const AttributeProto* Attributes::Find(const std::string& name,
                                       AttributeProto::AttributeType type) {
  read_.insert(name);
  const auto found = values_.find(name);
  if (found == values_.end()) return nullptr;
  if (found->second->type() != type) {
    Refuse(name, "of type " + AttributeProto::AttributeType_Name(found->second->type()),
           AttributeProto::AttributeType_Name(type) + " is expected");
  }
  return found->second;
}

std::optional<std::int64_t> Attributes::FindInt(const std::string& name) {
  const AttributeProto* attribute = Find(name, AttributeProto::INT);
  if (attribute == nullptr) return {};
  return attribute->i();
}

bool Attributes::GetFlag(const std::string& name, bool when_absent) {
  return FindInt(name).value_or(when_absent ? 1 : 0) != 0;
}

std::optional<std::vector<std::int64_t>> Attributes::FindInts(const std::string& name) {
  const AttributeProto* attribute = Find(name, AttributeProto::INTS);
  if (attribute == nullptr) return {};
  return std::vector<std::int64_t>(attribute->ints().begin(), attribute->ints().end());
}

std::optional<float> Attributes::FindFloat(const std::string& name) {
  const AttributeProto* attribute = Find(name, AttributeProto::FLOAT);
  if (attribute == nullptr) return {};
  return attribute->f();
}

std::optional<std::vector<float>> Attributes::FindFloats(const std::string& name) {
  const AttributeProto* attribute = Find(name, AttributeProto::FLOATS);
  if (attribute == nullptr) return {};
  return std::vector<float>(attribute->floats().begin(), attribute->floats().end());
}

std::optional<std::string> Attributes::FindString(const std::string& name) {
  const AttributeProto* attribute = Find(name, AttributeProto::STRING);
  if (attribute == nullptr) return {};
  return attribute->s();
}

std::optional<std::vector<std::string>> Attributes::FindStrings(const std::string& name) {
  const AttributeProto* attribute = Find(name, AttributeProto::STRINGS);
  if (attribute == nullptr) return {};
  return std::vector<std::string>(attribute->strings().begin(), attribute->strings().end());
}

const ::onnx::TensorProto* Attributes::FindTensor(const std::string& name) {
  const AttributeProto* attribute = Find(name, AttributeProto::TENSOR);
  return attribute != nullptr ? &attribute->t() : nullptr;
}

const ::onnx::SparseTensorProto* Attributes::FindSparseTensor(const std::string& name) {
  const AttributeProto* attribute = Find(name, AttributeProto::SPARSE_TENSOR);
  return attribute != nullptr ? &attribute->sparse_tensor() : nullptr;
}

const ::onnx::GraphProto* Attributes::FindGraph(const std::string& name) {
  const AttributeProto* attribute = Find(name, AttributeProto::GRAPH);
  return attribute != nullptr ? &attribute->g() : nullptr;
}

void Attributes::Ignore(const std::string& name) {
  read_.insert(name);
}

void Attributes::Refuse(const std::string& name, const std::string& found,
                        const std::string& supported) const {
  ThrowError(DiagnosticCode::kUnsupportedAttribute, {SubjectKind::kLayer, node_name_},
             description_ + " has the attribute " + name + " that is not supported",
             name + " is " + found + "; " + supported, "export the model without it");
}

void Attributes::RefuseUnread() const {
  std::string names;
  for (const auto& [name, attribute] : values_) {
    if (read_.count(name) == 0) names += (names.empty() ? "" : ", ") + name;
  }
  if (names.empty()) return;
  std::string known;
  for (const std::string& name : read_) known += (known.empty() ? "" : ", ") + name;
  ThrowError(DiagnosticCode::kUnsupportedAttribute, {SubjectKind::kLayer, node_name_},
             description_ + " has attributes that are not supported",
             "found " + names + "; supported are " + (known.empty() ? "none" : known),
             "export the model without them");
}

}  // namespace backplane::onnx
