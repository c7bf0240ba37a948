#include "graph/value.hpp"

#include "diagnostics/throw_diagnostic.hpp"

#include <utility>

namespace backplane::onnx {

Value MakeConstant(const TensorInfo& info, const void* data) {
  Value value;
  value.info = info;
  value.is_constant = true;
  value.data = CopyConstantData(data, info.GetSizeBytes());
  return value;
}

const Value* Values::Find(const std::string& name) const {
  const auto found = values_.find(name);
  return found != values_.end() ? &found->second : nullptr;
}

void Values::Add(const std::string& name, Value value) {
  if (values_.emplace(name, std::move(value)).second) return;
  ThrowError(DiagnosticCode::kInvalidModel, {SubjectKind::kTensor, name},
             "the tensor " + name + " is made twice", "each name may be made by one node only",
             "rename one of the two");
}

OutputSlot Values::GetSlot(const std::string& name) {
  Value& value = values_.at(name);
  if (!value.slot) value.slot = network_.AddConstantLayer(value.info, value.data, name);
  return *value.slot;
}

}  // namespace backplane::onnx
