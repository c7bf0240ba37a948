#include "elements/compute_type.hpp"

#include "cpu_layers/scales.hpp"

#include <optional>

namespace backplane {
namespace reference {
namespace {

constexpr DataType kFloats[] = {DataType::kFloat32, DataType::kFloat16, DataType::kBFloat16,
                                DataType::kFloat64};
constexpr DataType kNumbers[] = {DataType::kFloat32, DataType::kFloat16, DataType::kBFloat16,
                                 DataType::kFloat64, DataType::kInt8,    DataType::kUInt8,
                                 DataType::kInt16,   DataType::kUInt16,  DataType::kInt32,
                                 DataType::kUInt32,  DataType::kInt64,   DataType::kUInt64};
constexpr DataType kIntegers[] = {DataType::kInt8,   DataType::kUInt8, DataType::kInt16,
                                  DataType::kUInt16, DataType::kInt32, DataType::kUInt32,
                                  DataType::kInt64,  DataType::kUInt64};
constexpr DataType kQuantized[] = {DataType::kInt8, DataType::kUInt8, DataType::kInt16,
                                   DataType::kUInt16, DataType::kInt32};

template <std::size_t kCount>
bool IsOneOf(const DataType (&types)[kCount], DataType type) {
  for (const DataType one : types) {
    if (one == type) return true;
  }
  return false;
}

template <std::size_t kCount>
std::string List(const DataType (&types)[kCount]) {
  std::string text;
  for (const DataType type : types) {
    text += (text.empty() ? "" : ", ") + std::string(GetDataTypeName(type));
  }
  return text;
}

/// The type that values have, and the tensor that says so.
struct Reference {
  const TensorInfo* info;
  std::string name;
};

template <std::size_t kCount>
void RequireType(const DataType (&plain)[kCount], const Reference& first, const TensorInfo& info,
                 const std::string& tensor, Refusal& refusal) {
  const bool is_quantized = info.quantization.IsQuantized();
  if (is_quantized ? !IsOneOf(kQuantized, info.data_type) : !IsOneOf(plain, info.data_type)) {
    refusal.Add("data type ", is_quantized ? "quantised " : "", GetDataTypeName(info.data_type),
                " of ", tensor, " is not supported, only ", List(plain), ", and quantised ",
                List(kQuantized));
  } else if (is_quantized != first.info->quantization.IsQuantized()) {
    refusal.Add(tensor, is_quantized ? " is quantised, but " : " is not quantised, but ",
                first.name, is_quantized ? " is not" : " is");
  } else if (is_quantized) {
    RequireScalesThatFit(info, tensor, refusal);
  } else if (info.data_type != first.info->data_type) {
    refusal.Add("data type ", GetDataTypeName(info.data_type), " of ", tensor, " differs from ",
                GetDataTypeName(first.info->data_type), " of ", first.name);
  }
}

/// The first input that is a value, or else the first output that is one.
std::optional<Reference> FindReference(const Layer& layer, const TensorRoles& roles) {
  for (std::uint32_t index = 0; index < layer.num_inputs; ++index) {
    if (roles.OfInput(index) == TensorRole::kValue) {
      return Reference{&layer.Input(index), Text("input ", index)};
    }
  }
  for (std::uint32_t index = 0; index < layer.num_outputs; ++index) {
    if (roles.OfOutput(index) == TensorRole::kValue) {
      return Reference{&layer.Output(index), "the first output that is a value"};
    }
  }
  return {};
}

template <std::size_t kCount>
void RequireTypes(const DataType (&plain)[kCount], const Layer& layer, const TensorRoles& roles,
                  Refusal& refusal) {
  RequireTypesOfRoles(layer, roles, refusal);
  const std::optional<Reference> reference = FindReference(layer, roles);
  if (!reference) return;
  for (std::uint32_t index = 0; index < layer.num_inputs; ++index) {
    if (roles.OfInput(index) != TensorRole::kValue) continue;
    RequireType(plain, *reference, layer.Input(index), Text("input ", index), refusal);
  }
  for (std::uint32_t index = 0; index < layer.num_outputs; ++index) {
    if (roles.OfOutput(index) != TensorRole::kValue) continue;
    RequireType(plain, *reference, layer.Output(index), NameOutput(layer, index), refusal);
  }
}

}  // namespace

ComputeType GetComputeType(const TensorInfo& info) {
  if (info.quantization.IsQuantized() || info.data_type == DataType::kFloat64) {
    return ComputeType::kDouble;
  }
  switch (info.data_type) {
    case DataType::kInt8:
    case DataType::kInt16:
    case DataType::kInt32:
    case DataType::kInt64:
      return ComputeType::kInt64;
    case DataType::kUInt8:
    case DataType::kUInt16:
    case DataType::kUInt32:
    case DataType::kUInt64:
      return ComputeType::kUInt64;
    default:
      return ComputeType::kFloat;
  }
}

void RequireNumbers(const Layer& layer, Refusal& refusal, const TensorRoles& roles) {
  RequireTypes(kNumbers, layer, roles, refusal);
}

void RequireFloats(const Layer& layer, Refusal& refusal, const TensorRoles& roles) {
  RequireTypes(kFloats, layer, roles, refusal);
}

void RequireIntegers(const Layer& layer, Refusal& refusal, const TensorRoles& roles) {
  RequireTypes(kIntegers, layer, roles, refusal);
  RefuseQuantised(layer, refusal);
}

void RequireQuantisable(const TensorInfo& info, const char* tensor, Refusal& refusal) {
  if (!IsOneOf(kQuantized, info.data_type)) {
    refusal.Add("data type ", GetDataTypeName(info.data_type), " of ", tensor,
                " is not supported, only ", List(kQuantized));
  } else if (info.quantization.IsQuantized()) {
    RequireScalesThatFit(info, tensor, refusal);
  }
}

void RequireQuantised(const TensorInfo& info, const char* tensor, Refusal& refusal) {
  if (!info.quantization.IsQuantized()) refusal.Add(tensor, " has no scale, but needs one");
  RequireQuantisable(info, tensor, refusal);
}

void RequirePlainFloat(const TensorInfo& info, const char* tensor, Refusal& refusal) {
  const bool is_quantised = info.quantization.IsQuantized();
  if (IsOneOf(kFloats, info.data_type) && !is_quantised) return;
  refusal.Add("data type ", is_quantised ? "quantised " : "", GetDataTypeName(info.data_type),
              " of ", tensor, " is not supported, only ", List(kFloats));
}

void RefuseQuantised(const Layer& layer, Refusal& refusal) {
  for (std::uint32_t index = 0; index < layer.num_inputs; ++index) {
    if (!layer.Input(index).quantization.IsQuantized()) continue;
    refusal.Add("input ", index, " is quantised, which is not supported");
  }
  for (std::uint32_t index = 0; index < layer.num_outputs; ++index) {
    if (!layer.Output(index).quantization.IsQuantized()) continue;
    refusal.Add(NameOutput(layer, index), " is quantised, which is not supported");
  }
}

}  // namespace reference
}  // namespace backplane
