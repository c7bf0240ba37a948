#include "functions/newer_fields.hpp"

#include "diagnostics/throw_diagnostic.hpp"

#include <google/protobuf/unknown_field_set.h>

#include <utility>

namespace backplane::onnx {
namespace {

using google::protobuf::UnknownField;
using google::protobuf::UnknownFieldSet;

// Numbers of fields.
constexpr int kOverloadOfNode = 8;
constexpr int kDefaultsOfFunction = 11;
constexpr int kOverloadOfFunction = 13;

bool IsBytes(const UnknownField& field, int number) {
  return field.number() == number && field.type() == UnknownField::TYPE_LENGTH_DELIMITED;
}

// The last one counts.
std::string GetText(const UnknownFieldSet& fields, int number) {
  std::string text;
  for (int index = 0; index < fields.field_count(); ++index) {
    const UnknownField& field = fields.field(index);
    if (IsBytes(field, number)) text = field.length_delimited();
  }
  return text;
}

}  // namespace

std::string GetOverload(const ::onnx::NodeProto& node) {
  return GetText(node.unknown_fields(), kOverloadOfNode);
}

std::string GetOverload(const ::onnx::FunctionProto& function) {
  return GetText(function.unknown_fields(), kOverloadOfFunction);
}

std::vector<::onnx::AttributeProto> ReadDefaultAttributes(const ::onnx::FunctionProto& function) {
  std::vector<::onnx::AttributeProto> defaults;
  const UnknownFieldSet& fields = function.unknown_fields();
  for (int index = 0; index < fields.field_count(); ++index) {
    const UnknownField& field = fields.field(index);
    if (!IsBytes(field, kDefaultsOfFunction)) continue;
    ::onnx::AttributeProto attribute;
    if (!attribute.ParseFromString(field.length_delimited())) {
      ThrowError(DiagnosticCode::kInvalidModel, {SubjectKind::kModel, function.name()},
                 "the function " + function.name() + " cannot be read",
                 "a default of its attributes is no attribute",
                 "correct the model and export it again");
    }
    defaults.push_back(std::move(attribute));
  }
  return defaults;
}

}  // namespace backplane::onnx
