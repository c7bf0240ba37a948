#include "test/layer_case.hpp"
#include "test/matrix_oracle.hpp"

#include <backplane/api/descriptors/batch_mat_mul.hpp>

namespace backplane {
namespace cpuref_test {
namespace batch_mat_mul {

std::vector<LayerCase> MakeCases(Random& random) {
  BatchMatMulDescriptor descriptor;
  descriptor.transpose_a = random.Word(0, 1);
  descriptor.transpose_b = random.Word(0, 1);
  const TensorShape output = random.Shape(3, 1, 6);
  const std::int64_t inner = random.Integer(1, 40);
  TensorShape a = {output[0], output[1], inner};
  TensorShape b = {inner, output[2]};
  if (descriptor.transpose_a == 1) std::swap(a[1], a[2]);
  if (descriptor.transpose_b == 1) std::swap(b[0], b[1]);
  return {MakeCase(LayerType::kBatchMatMul, descriptor, {a, b}, output)};
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  const auto descriptor = layer.Get<BatchMatMulDescriptor>();
  return Multiply(inputs[0], inputs[1], at, descriptor.transpose_a, descriptor.transpose_b);
}

}  // namespace batch_mat_mul

CPUREF_ELEMENT_ORACLE(BatchMatMul, batch_mat_mul, PlainTypes::kNumbers, QuantisedTypes::kCalculated,
                      IntegerResults::kWrap);

}  // namespace cpuref_test
}  // namespace backplane
