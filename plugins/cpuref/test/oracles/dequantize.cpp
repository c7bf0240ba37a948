#include "test/layer_case.hpp"

#include <backplane/api/descriptors/dequantize.hpp>

namespace backplane {
namespace cpuref_test {
namespace dequantize {

std::vector<LayerCase> MakeCases(Random& random) {
  std::vector<LayerCase> cases;
  for (const DataType to :
       {DataType::kFloat32, DataType::kFloat16, DataType::kBFloat16, DataType::kFloat64}) {
    DequantizeDescriptor descriptor;
    descriptor.to = to;
    const TensorShape shape = random.Shape(3, 1, 5);
    cases.push_back(MakeCase(LayerType::kDequantize, descriptor, {shape}, shape));
    cases.back().own_outputs = {{0, to}};
  }
  return cases;
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& /*layer*/, const Operands<Number>& inputs,
                             std::size_t /*output*/) {
  return inputs[0].data;
}

}  // namespace dequantize

CPUREF_ORACLE(Dequantize, dequantize, PlainTypes::kNone);

}  // namespace cpuref_test
}  // namespace backplane
