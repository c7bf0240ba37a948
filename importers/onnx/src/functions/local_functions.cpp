#include "functions/local_functions.hpp"

#include "diagnostics/throw_diagnostic.hpp"
#include "nodes/scope.hpp"

#include <google/protobuf/unknown_field_set.h>
#include <onnx/onnx_pb.h>

#include <string>
#include <utility>
#include <vector>

namespace backplane::onnx {
namespace {

// Fields of functions and their calls that ONNX has had since IR versions 9 and 10, and that the
// messages of libonnx 1.12 lack: they are among what is not known.

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

// Which of the functions of one name is called; "" when there is only one.
std::string GetOverload(const ::onnx::NodeProto& node) {
  return GetText(node.unknown_fields(), kOverloadOfNode);
}

// Which of the functions of one name it is; "" when there is only one.
std::string GetOverload(const ::onnx::FunctionProto& function) {
  return GetText(function.unknown_fields(), kOverloadOfFunction);
}

// The attributes that a call may leave out.
// Errors: DiagnosticException with kInvalidModel for one that cannot be read.
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

}  // namespace

LocalFunctions::LocalFunctions(const ::onnx::ModelProto& model) {
  for (const auto& function : model.functions()) {
    LocalFunction local = {&function, ReadDefaultAttributes(function)};
    functions_.emplace(
        std::tuple(NormaliseDomain(function.domain()), function.name(), GetOverload(function)),
        std::move(local));
  }
}

const LocalFunction* LocalFunctions::Find(const ::onnx::NodeProto& node) const {
  if (functions_.empty()) return nullptr;
  const auto found = functions_.find(
      std::tuple(NormaliseDomain(node.domain()), node.op_type(), GetOverload(node)));
  return found != functions_.end() ? &found->second : nullptr;
}

}  // namespace backplane::onnx
