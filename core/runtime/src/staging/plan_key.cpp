#include "staging/plan_key.hpp"

#include <cstdint>

namespace backplane::staging {
namespace {

template <typename Number>
void Append(Number number, std::string& key) {
  key.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

template <typename Number>
void AppendAll(const std::vector<Number>& numbers, std::string& key) {
  Append(static_cast<std::uint32_t>(numbers.size()), key);
  key.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number));
}

void AppendTensor(const StageValue& value, std::string& key) {
  const TensorInfo& info = value.info;
  Append(static_cast<std::uint8_t>(info.data_type), key);
  Append(static_cast<std::uint8_t>(info.shape.rank), key);
  key.append(reinterpret_cast<const char*>(info.shape.dims),
             info.shape.rank * sizeof(info.shape.dims[0]));
  const QuantizationInfo& quantization = info.quantization;
  Append(static_cast<std::uint8_t>(quantization.IsQuantized()), key);
  if (quantization.IsQuantized()) {
    AppendAll(quantization.scales, key);
    AppendAll(quantization.zero_points, key);
    Append(quantization.axis, key);
  }
  Append(static_cast<std::uint8_t>(value.data != nullptr), key);
  if (value.data != nullptr) {
    key.append(static_cast<const char*>(value.data.get()), info.GetSizeBytes());
  }
}

void AppendValue(const StageValue& value, std::string& key) {
  Append(static_cast<std::uint8_t>(value.kind), key);
  if (value.kind == StageValue::Kind::kTensor) AppendTensor(value, key);
  if (value.kind != StageValue::Kind::kSequence) return;
  Append(static_cast<std::uint32_t>(value.elements.size()), key);
  for (const StageValue& element : value.elements) AppendValue(element, key);
}

}  // namespace

std::string MakePlanKey(const std::vector<StageValue>& values) {
  std::string key;
  for (const StageValue& value : values) AppendValue(value, key);
  return key;
}

std::string MakePlanKey(const std::vector<StageValue>& made,
                        const std::vector<StageValue>& wanted) {
  return MakePlanKey(made) + MakePlanKey(wanted);
}

}  // namespace backplane::staging
