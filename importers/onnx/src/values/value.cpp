#include "values/value.hpp"

#include "diagnostics/throw_diagnostic.hpp"

#include <utility>

namespace backplane::onnx {

Value MakeConstant(const TensorInfo& info, const void* data) {
  return MakeConstant(info, CopyConstantData(data, info.GetSizeBytes()));
}

Value MakeConstant(const TensorInfo& info, std::shared_ptr<const void> data) {
  Value value;
  value.info = info;
  value.is_constant = true;
  value.data = std::move(data);
  return value;
}

const Value* Values::Find(const std::string& name) const {
  const auto found = values_.find(name);
  if (found != values_.end()) return &found->second;
  return outer_ != nullptr ? outer_->Find(name) : nullptr;
}

void Values::Add(const std::string& name, Value value) {
  if (values_.emplace(name, std::move(value)).second) return;
  ThrowError(DiagnosticCode::kInvalidModel, {SubjectKind::kTensor, name},
             "the tensor " + name + " is made twice", "each name may be made by one node only",
             "rename one of the two");
}

OutputSlot Values::GetSlot(const std::string& name) {
  const auto found = values_.find(name);
  if (found == values_.end()) return outer_->GetSlot(name);
  Value& value = found->second;
  if (!value.slot) value.slot = network_.AddConstantLayer(value.info, value.data, prefix_ + name);
  return *value.slot;
}

OutputSlot Values::GetSlotAs(const std::string& name, const QuantizationInfo& quantization) {
  const auto found = values_.find(name);
  if (found == values_.end()) return outer_->GetSlotAs(name, quantization);
  Value& value = found->second;
  if (value.info.quantization == quantization) return GetSlot(name);
  for (const auto& [known, slot] : value.reinterpreted) {
    if (known == quantization) return slot;
  }
  const OutputSlot slot = Reinterpret(name, value, quantization);
  value.reinterpreted.emplace_back(quantization, slot);
  return slot;
}

OutputSlot Values::Reinterpret(const std::string& name, Value& value,
                               const QuantizationInfo& quantization) {
  if (value.is_constant) {
    TensorInfo info = value.info;
    info.quantization = quantization;
    return network_.AddConstantLayer(info, value.data, prefix_ + name);
  }
  const char* suffix = quantization.IsQuantized() ? "/quantized" : "/plain";
  const OutputType type(value.info.data_type, quantization);
  return {AddLayer<LayerType::kReinterpret>(network_, {}, {*value.slot}, prefix_ + name + suffix,
                                            {type}),
          0};
}

}  // namespace backplane::onnx
