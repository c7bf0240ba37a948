#include "inputs/seeded_data.hpp"

#include "tensors/float_formats.hpp"

#include <backplane/api/narrow_types.hpp>

#include <cstdint>
#include <cstring>
#include <random>

namespace backplane::execute_network {
namespace {

// FNV-1a. std::hash differs between libraries.
std::uint32_t MakeSeed(const std::string& name) {
  std::uint32_t seed = 2166136261U;
  for (const char byte : name) {
    seed = (seed ^ static_cast<unsigned char>(byte)) * 16777619U;
  }
  return seed;
}

// The engine's numbers are fixed by the standard, those of its distributions are not.
class NumberSource {
 public:
  explicit NumberSource(const std::string& name) : engine_(MakeSeed(name)) {}

  float NextFraction() {
    constexpr unsigned kBits = 24;
    return static_cast<float>(engine_() >> (32U - kBits)) / static_cast<float>(1U << kBits);
  }
  std::uint32_t NextBelow(std::uint32_t bound) {
    return static_cast<std::uint32_t>(engine_()) % bound;
  }

 private:
  std::mt19937 engine_;
};

template <typename Element, typename Next>
void Fill(onnx::NamedTensor& tensor, Next next) {
  for (std::size_t offset = 0; offset < tensor.data.size(); offset += sizeof(Element)) {
    const auto element = static_cast<Element>(next());
    std::memcpy(tensor.data.data() + offset, &element, sizeof(element));
  }
}

void FillIntegers(onnx::NamedTensor& tensor, NumberSource& source) {
  const auto next = [&] { return source.NextBelow(10); };
  switch (GetDataTypeSizeBytes(tensor.info.data_type)) {
    case 1:
      return Fill<std::uint8_t>(tensor, next);
    case 2:
      return Fill<std::uint16_t>(tensor, next);
    case 4:
      return Fill<std::uint32_t>(tensor, next);
    default:
      return Fill<std::uint64_t>(tensor, next);
  }
}

// Numbers that all narrow types have, or nearly so.
void FillNarrow(onnx::NamedTensor& tensor, NumberSource& source) {
  const DataType type = tensor.info.data_type;
  Fill<std::uint8_t>(tensor, [&] {
    if (IsNarrowFloat(type)) return EncodeNarrowFloat(type, source.NextFraction());
    return EncodeNarrowInteger(type, source.NextBelow(10));
  });
}

}  // namespace

onnx::NamedTensor MakeSeededTensor(const std::string& name, const TensorInfo& info) {
  onnx::NamedTensor tensor{name, info, std::vector<unsigned char>(info.GetSizeBytes())};
  NumberSource source(name);
  if (IsNarrowType(info.data_type)) {
    FillNarrow(tensor, source);
    return tensor;
  }
  switch (info.data_type) {
    case DataType::kFloat32:
      Fill<float>(tensor, [&] { return source.NextFraction(); });
      break;
    case DataType::kFloat64:
      Fill<double>(tensor, [&] { return source.NextFraction(); });
      break;
    case DataType::kFloat16:
      Fill<std::uint16_t>(tensor, [&] { return ToFloat16(source.NextFraction()); });
      break;
    case DataType::kBFloat16:
      Fill<std::uint16_t>(tensor, [&] { return ToBFloat16(source.NextFraction()); });
      break;
    case DataType::kBool:
      Fill<std::uint8_t>(tensor, [&] { return source.NextBelow(2); });
      break;
    default:
      FillIntegers(tensor, source);
  }
  return tensor;
}

}  // namespace backplane::execute_network
