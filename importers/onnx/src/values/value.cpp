#include "values/value.hpp"

#include "diagnostics/throw_diagnostic.hpp"

#include <utility>

namespace backplane::onnx {
namespace {

template <typename Number>
void AppendBytes(const SharedVector<Number>& numbers, std::string& text) {
  text += std::to_string(numbers.size()) + ' ';
  text.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number));
}

// Unlike numbers, bytes are equal to themselves also when they are no number.
std::string MakeKey(const std::string& name, const QuantizationInfo& quantization) {
  std::string key;
  AppendBytes(quantization.scales, key);
  AppendBytes(quantization.zero_points, key);
  return key + std::to_string(quantization.axis) + ' ' + name;
}

}  // namespace

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

TensorPlace Values::FindPlace(const std::string& name) const {
  const bool is_own = values_.count(name) > 0 || outer_ == nullptr;
  return is_own ? TensorPlace(path_, name) : outer_->FindPlace(name);
}

void Values::Add(const std::string& name, Value value) {
  if (values_.emplace(name, std::move(value)).second) return;
  ThrowError(DiagnosticCode::kInvalidModel, {SubjectKind::kTensor, name},
             "the tensor " + name + " is made twice", "each name may be made by one node only",
             "rename one of the two");
}

void Values::Release(const std::string& name) {
  const auto found = values_.find(name);
  if (found != values_.end()) found->second.data = nullptr;
}

OutputSlot Values::GetSlot(const std::string& name) {
  const auto found = values_.find(name);
  if (found == values_.end()) return outer_->GetSlot(name);
  Value& value = found->second;
  if (value.slot) return *value.slot;
  if (value.outside) {
    value.slot = network_.AddInputLayer(value.info, prefix_ + name);
    GetOutermost().inputs_from_outside_.push_back(*value.outside);
  } else {
    value.slot = AddConstantLayer(value.info, value, name);
  }
  return *value.slot;
}

OutputSlot Values::AddConstant(const TensorInfo& info, std::shared_ptr<const void> data,
                               const std::string& name) {
  const OutputSlot slot = network_.AddConstantLayer(info, data, name);
  if (observer_ != nullptr) observer_->SeeConstant(slot.layer, data);
  return slot;
}

LayerId Values::AddOperator(LayerType type, const BaseDescriptor& descriptor,
                            const std::vector<OutputSlot>& inputs, const std::string& name,
                            const std::vector<OutputType>& output_types) {
  const LayerId id = network_.AddOperatorLayer(type, descriptor, inputs, name, output_types);
  if (observer_ != nullptr) observer_->SeeOperator(id, type, descriptor, inputs);
  return id;
}

OutputSlot Values::AddConstantLayer(const TensorInfo& info, const Value& value,
                                    const std::string& name) {
  const OutputSlot slot = AddConstant(info, value.data, prefix_ + name);
  if (value.is_of_run) {
    GetOutermost().constants_of_run_[slot.layer] = outer_ == nullptr ? name : "";
  }
  return slot;
}

OutputSlot Values::GetSlotAs(const std::string& name, const QuantizationInfo& quantization) {
  const auto found = values_.find(name);
  if (found == values_.end()) return outer_->GetSlotAs(name, quantization);
  const Value& value = found->second;
  if (value.info.quantization == quantization) return GetSlot(name);
  const std::string key = MakeKey(name, quantization);
  const auto known = reinterpreted_.find(key);
  if (known != reinterpreted_.end()) return known->second;
  return reinterpreted_.emplace(key, Reinterpret(name, value, quantization)).first->second;
}

OutputSlot Values::Reinterpret(const std::string& name, const Value& value,
                               const QuantizationInfo& quantization) {
  if (value.is_constant) {
    TensorInfo info = value.info;
    info.quantization = quantization;
    return AddConstantLayer(info, value, name);
  }
  const char* suffix = quantization.IsQuantized() ? "/quantized" : "/plain";
  const OutputType type(value.info.data_type, quantization);
  return {AddOperator(LayerType::kReinterpret, NoDescriptor(), {GetSlot(name)},
                      prefix_ + name + suffix, {type}),
          0};
}

}  // namespace backplane::onnx
