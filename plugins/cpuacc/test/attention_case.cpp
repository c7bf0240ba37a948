#include "test/attention_case.hpp"

#include <gtest/gtest.h>
#include <backplane/api/descriptors/batch_mat_mul.hpp>
#include <backplane/api/descriptors/float_classification.hpp>
#include <backplane/api/descriptors/softmax.hpp>

namespace backplane {
namespace cpuacc_test {

TensorId AddProduct(NetworkCase& network, TensorId a, TensorId b, std::uint32_t transpose_b) {
  BatchMatMulDescriptor descriptor;
  descriptor.transpose_b = transpose_b;
  TensorShape shape = network.GetShape(a);
  const TensorShape& other = network.GetShape(b);
  for (std::uint32_t axis = 0; axis + 2 < shape.rank; ++axis) {
    if (shape[axis] == 1 && other.rank == shape.rank) shape[axis] = other[axis];
  }
  shape[shape.rank - 1] = other[other.rank - (transpose_b == 1 ? 2 : 1)];
  return network.Add(LayerType::kBatchMatMul, descriptor, {a, b}, shape);
}

TensorId AddSoftmax(NetworkCase& network, TensorId scores, float beta) {
  const TensorShape shape = network.GetShape(scores);
  SoftmaxDescriptor descriptor;
  descriptor.axis = shape.rank - 1;
  descriptor.beta = beta;
  return network.Add(LayerType::kSoftmax, descriptor, {scores}, shape);
}

TensorId AddWhere(NetworkCase& network, TensorId condition, TensorId a, TensorId b) {
  const TensorShape& shape = network.GetShape(a);
  return network.Add(LayerType::kWhere, NoDescriptor(), {condition, a, b},
                     shape.rank == 0 ? network.GetShape(b) : shape);
}

TensorId ReplaceNan(NetworkCase& network, TensorId tested, TensorId kept, float replacement) {
  FloatClassificationDescriptor descriptor;
  descriptor.detect_nan = 1;
  const TensorInfo conditions(network.GetShape(tested), DataType::kBool);
  const TensorId is_nan =
      network.AddLayer(LayerType::kFloatClassification, descriptor, {tested}, {conditions})[0];
  return AddWhere(network, is_nan, network.AddConstant({}, replacement), kept);
}

Heads AddHeads(NetworkCase& network, const TensorShape& batch, std::int64_t num_queries,
               std::int64_t num_keys, std::int64_t width) {
  const auto add = [&](std::int64_t rows) {
    TensorShape shape = batch;
    shape.Append(rows);
    shape.Append(width);
    return network.AddInput(shape);
  };
  return {add(num_queries), add(num_keys), add(num_keys)};
}

TensorId AddScores(NetworkCase& network, const Heads& heads, float scale) {
  return AddBinary(network, BinaryOperation::kMul,
                   AddProduct(network, heads.queries, heads.keys, 1), scale);
}

void FinishAttention(NetworkCase& network, const Heads& heads, TensorId scores) {
  network.AddOutput(AddProduct(network, AddSoftmax(network, scores), heads.values, 0));
}

void ExpectIsMerged(NetworkCase& network) {
  EXPECT_EQ(ListNodes(network), std::vector<std::string>{"Attention"});
  ExpectAsCpuRef(network);
}

}  // namespace cpuacc_test
}  // namespace backplane
