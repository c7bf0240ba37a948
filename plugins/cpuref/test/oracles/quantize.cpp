#include "test/layer_case.hpp"

namespace backplane {
namespace cpuref_test {
namespace quantize {

constexpr DataType kTargets[] = {DataType::kInt8, DataType::kUInt8, DataType::kInt16,
                                 DataType::kUInt16, DataType::kInt32};

/// Scales so coarse that float32 tells ties apart.
QuantizationInfo MakeQuantization(std::int64_t num_scales, DataType type, Random& random) {
  QuantizationInfo info;
  info.axis = 1;
  for (std::int64_t i = 0; i < num_scales; ++i) {
    info.scales.push_back(static_cast<float>(random.Integer(1, 16)) / 160.0F);
    const std::int64_t least = IsSigned(type) ? -100 : 20;
    info.zero_points.push_back(static_cast<std::int32_t>(random.Integer(least, least + 200)));
  }
  return info;
}

std::vector<LayerCase> MakeCases(Random& random) {
  std::vector<LayerCase> cases;
  for (const DataType type : kTargets) {
    const TensorShape shape = random.Shape(3, 1, 5);
    for (const std::int64_t num_scales : {std::int64_t{1}, shape[1]}) {
      cases.push_back(MakeCase(LayerType::kQuantize, NoDescriptor(), {shape}, shape));
      OwnTensor output{0, type};
      output.quantization = MakeQuantization(num_scales, type, random);
      cases.back().own_outputs = {output};
    }
  }
  return cases;
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& /*layer*/, const Operands<Number>& inputs,
                             std::size_t /*output*/) {
  return inputs[0].data;
}

}  // namespace quantize

CPUREF_ORACLE(Quantize, quantize, PlainTypes::kFloats, QuantisedTypes::kRefused);

}  // namespace cpuref_test
}  // namespace backplane
