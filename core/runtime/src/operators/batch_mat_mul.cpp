#include "operators/matrix_product_shape.hpp"
#include "operators/operators.hpp"

namespace backplane {

OperatorTypes GetTypesOfBatchMatMul(const BatchMatMulDescriptor& /*descriptor*/) {
  return {kNumberTypes, QuantizedTensors::kRequantized};
}

std::vector<TensorInfo> InferBatchMatMul(const OperatorInputs& inputs,
                                         const BatchMatMulDescriptor& descriptor) {
  return {TensorInfo(InferMatrixProductShape(inputs, descriptor), inputs[0].data_type)};
}

}  // namespace backplane
