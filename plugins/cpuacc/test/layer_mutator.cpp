#include "test/layer_mutator.hpp"

#include "conformance/every_layer.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>

namespace backplane {
namespace cpuacc_test {
namespace {

constexpr std::int64_t kEdges[] = {
    std::numeric_limits<std::int32_t>::max(),
    std::numeric_limits<std::int32_t>::min(),
    std::int64_t{1} << 31,
    std::int64_t{1} << 32,
    std::int64_t{1} << 40,
    std::int64_t{1} << 62,
    std::numeric_limits<std::int64_t>::max(),
    std::numeric_limits<std::int64_t>::min(),
};

constexpr float kOddFloats[] = {
    0.0F,
    -1.0F,
    1e-45F,
    3e38F,
    std::numeric_limits<float>::infinity(),
    std::numeric_limits<float>::quiet_NaN(),
};

template <typename Number>
void WriteNumber(std::vector<unsigned char>& bytes, std::size_t at, Number number) {
  std::memcpy(bytes.data() + at, &number, sizeof(number));
}

template <typename Number>
Number ReadNumber(const std::vector<unsigned char>& bytes, std::size_t at) {
  Number number;
  std::memcpy(&number, bytes.data() + at, sizeof(number));
  return number;
}

std::string Describe(const TensorInfo& info) {
  std::string text = std::to_string(static_cast<std::uint32_t>(info.data_type)) + "[";
  for (std::uint32_t axis = 0; axis < std::min(info.shape.rank, kMaxRank); ++axis) {
    text += (axis > 0 ? "," : "") + std::to_string(info.shape.dims[axis]);
  }
  return text + "]*" + std::to_string(info.quantization.scales.size());
}

}  // namespace

void LayerMutator::Mutate(TestLayer& layer) {
  for (std::int64_t count = random_.Integer(1, 3); count > 0; --count) MutateOnce(layer);
}

void LayerMutator::MutateOnce(TestLayer& layer) {
  TensorInfo* tensor = PickTensor(layer);
  switch (random_.Integer(0, 11)) {
    case 0:
    case 1:
      return ChangeExtent(layer);
    case 2:
    case 3:
      return ChangeExtentEverywhere(layer);
    case 4:
      if (tensor != nullptr) ChangeRank(tensor->shape);
      return;
    case 5:
      return ChangeType(layer);
    case 6:
      if (tensor != nullptr) ChangeScales(tensor->quantization);
      return;
    case 7:
      return ChangeCount(random_.Integer(0, 3) == 0 ? layer.outputs : layer.inputs);
    default:
      return ChangeDescriptor(layer);
  }
}

std::int64_t LayerMutator::MakeValue(std::int64_t old) {
  switch (random_.Integer(0, 6)) {
    case 0:
      return old > 0 ? old - 1 : old + 1;
    case 4:
      return std::clamp<std::int64_t>(old, -100, 100) + random_.Integer(-1, 1);
    case 1:
      return random_.Integer(-3, 3);
    case 2:
      return kEdges[random_.Integer(0, std::size(kEdges) - 1)];
    case 3:
      return random_.Integer(8, 40);
    default:
      return random_.Integer(0, 4);
  }
}

void LayerMutator::ChangeDescriptor(TestLayer& layer) {
  std::vector<unsigned char>& bytes = layer.descriptor_bytes;
  // The size stays: it says how much memory there is.
  const auto num_words = static_cast<std::int64_t>(bytes.size() / sizeof(std::uint32_t));
  if (num_words < 2) return;
  const auto at = static_cast<std::size_t>(random_.Integer(1, num_words - 1)) * 4;
  const bool is_long = at % 8 == 0 && at + 8 <= bytes.size();
  switch (random_.Integer(0, is_long ? 3 : 1)) {
    case 0:
      return WriteNumber(bytes, at, kOddFloats[random_.Integer(0, std::size(kOddFloats) - 1)]);
    case 1:
      return WriteNumber(
          bytes, at, static_cast<std::uint32_t>(MakeValue(ReadNumber<std::int32_t>(bytes, at))));
    default:
      return WriteNumber(bytes, at, MakeValue(ReadNumber<std::int64_t>(bytes, at)));
  }
}

TensorInfo* LayerMutator::PickTensor(TestLayer& layer) {
  const auto count = static_cast<std::int64_t>(layer.inputs.size() + layer.outputs.size());
  if (count == 0) return nullptr;
  const auto index = static_cast<std::size_t>(random_.Integer(0, count - 1));
  return index < layer.inputs.size() ? &layer.inputs[index]
                                     : &layer.outputs[index - layer.inputs.size()];
}

std::int64_t* LayerMutator::PickExtent(TestLayer& layer) {
  TensorInfo* tensor = PickTensor(layer);
  if (tensor == nullptr || tensor->shape.rank == 0 || tensor->shape.rank > kMaxRank) return nullptr;
  return &tensor->shape[random_.Word(0, tensor->shape.rank - 1)];
}

void LayerMutator::ChangeExtent(TestLayer& layer) {
  std::int64_t* extent = PickExtent(layer);
  if (extent != nullptr) *extent = MakeValue(*extent);
}

void LayerMutator::ChangeExtentEverywhere(TestLayer& layer) {
  const std::int64_t* extent = PickExtent(layer);
  if (extent == nullptr) return;
  const std::int64_t old = *extent;
  const std::int64_t changed = MakeValue(old);
  for (std::vector<TensorInfo>* tensors : {&layer.inputs, &layer.outputs}) {
    for (TensorInfo& tensor : *tensors) {
      for (std::int64_t& other : tensor.shape.dims) {
        if (other == old) other = changed;
      }
    }
  }
}

void LayerMutator::ChangeRank(TensorShape& shape) {
  const auto rank = static_cast<std::uint32_t>(random_.Integer(0, kMaxRank + 1));
  for (std::uint32_t axis = shape.rank; axis < std::min(rank, kMaxRank); ++axis) shape[axis] = 1;
  shape.rank = rank;
}

DataType LayerMutator::PickType() {
  if (random_.Integer(0, 9) == 0) return static_cast<DataType>(random_.Integer(-1, 30));
  return kDataTypes[random_.Integer(0, std::size(kDataTypes) - 1)];
}

void LayerMutator::ChangeType(TestLayer& layer) {
  TensorInfo* tensor = PickTensor(layer);
  if (tensor == nullptr) return;
  const DataType old = tensor->data_type;
  const DataType changed = PickType();
  const bool changes_all = random_.Integer(0, 1) == 0;
  tensor->data_type = changed;
  for (std::vector<TensorInfo>* tensors : {&layer.inputs, &layer.outputs}) {
    for (TensorInfo& other : *tensors) {
      if (changes_all && other.data_type == old) other.data_type = changed;
    }
  }
}

void LayerMutator::ChangeScales(QuantizationInfo& scales) {
  const auto pick_scale = [this] {
    return random_.Integer(0, 1) == 0 ? 0.25F
                                      : kOddFloats[random_.Integer(0, std::size(kOddFloats) - 1)];
  };
  switch (random_.Integer(0, 3)) {
    case 0:
      scales.scales.assign(static_cast<std::size_t>(random_.Integer(0, 4)), 0.5F);
      return;
    case 1:
      scales.scales.assign(1, pick_scale());
      return;
    case 2:
      scales.zero_points.assign(static_cast<std::size_t>(random_.Integer(0, 4)),
                                static_cast<std::int32_t>(random_.Integer(-300, 300)));
      return;
    default:
      scales.axis = static_cast<std::int32_t>(random_.Integer(-2, 9));
  }
}

void LayerMutator::ChangeCount(std::vector<TensorInfo>& tensors) {
  if (tensors.empty() || random_.Integer(0, 1) == 0) {
    tensors.push_back(tensors.empty() ? TensorInfo() : tensors.front());
  } else {
    tensors.pop_back();
  }
}

std::string Describe(const TestLayer& layer) {
  std::string text = GetLayerTypeName(layer.type);
  text += ", inputs";
  for (const TensorInfo& input : layer.inputs) text += " " + Describe(input);
  text += ", outputs";
  for (const TensorInfo& output : layer.outputs) text += " " + Describe(output);
  text += ", descriptor";
  for (std::size_t at = 4; at + 4 <= layer.descriptor_bytes.size(); at += 4) {
    text += " " + std::to_string(ReadNumber<std::int32_t>(layer.descriptor_bytes, at));
  }
  return text;
}

}  // namespace cpuacc_test
}  // namespace backplane
