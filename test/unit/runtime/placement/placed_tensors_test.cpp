#include "placement/placed_tensors.hpp"

#include "graph/network.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace backplane {
namespace {

/// scores = softmax(image + image * weights), with layers 0 to 5.
std::unique_ptr<Network> MakeNetwork() {
  auto network = std::make_unique<Network>("net");
  const TensorInfo info({1, 4}, DataType::kFloat32);
  const std::vector<float> ones(4, 1.0F);
  const OutputSlot image = network->AddInputLayer(info, "image");
  const OutputSlot weights = network->AddConstantLayer(
      info, CopyConstantData(ones.data(), ones.size() * sizeof(float)), "weights");
  ElementwiseBinaryDescriptor multiply;
  multiply.operation = BinaryOperation::kMul;
  const LayerId product =
      AddLayer<LayerType::kElementwiseBinary>(*network, multiply, {image, weights}, "product");
  const LayerId sum = AddLayer<LayerType::kElementwiseBinary>(
      *network, ElementwiseBinaryDescriptor(), {image, {product, 0}}, "sum");
  const LayerId softmax =
      AddLayer<LayerType::kSoftmax>(*network, SoftmaxDescriptor(), {{sum, 0}}, "softmax");
  network->AddOutputLayer({softmax, 0}, "scores");
  return network;
}

TEST(PlacedTensors, AreThoseThatEachLayerReads) {
  const auto network = MakeNetwork();
  const std::vector<PlacedEdge> edges = CollectEdges(network->GetGraph());
  const std::vector<std::vector<LayerId>> expected = {{0, 2, 0}, {1, 2, 1}, {0, 3, 0},
                                                      {2, 3, 1}, {3, 4, 0}, {4, 5, 0}};
  ASSERT_EQ(edges.size(), expected.size());
  for (std::size_t i = 0; i < edges.size(); ++i) {
    EXPECT_EQ((std::vector<LayerId>{edges[i].from, edges[i].to, edges[i].input}), expected[i]) << i;
    EXPECT_EQ(edges[i].output, 0U);
    EXPECT_EQ(edges[i].tensor, TensorInfo({1, 4}, DataType::kFloat32));
  }
}

TEST(PlacedTensors, EndAtWhatNoBackendRuns) {
  const auto network = MakeNetwork();
  const std::vector<PlacedEndpoint> endpoints = CollectEndpoints(network->GetGraph());
  ASSERT_EQ(endpoints.size(), 3U);
  EXPECT_EQ(endpoints[0].name, "image");
  EXPECT_EQ(endpoints[0].type, LayerType::kInput);
  EXPECT_EQ(endpoints[1].name, "weights");
  EXPECT_EQ(endpoints[1].type, LayerType::kConstant);
  EXPECT_EQ(endpoints[2].name, "scores");
  EXPECT_EQ(endpoints[2].type, LayerType::kOutput);
  EXPECT_EQ(endpoints[2].layer, 5U);
}

TEST(NetworkOperators, AreListedByNameInTheirOrder) {
  const std::vector<NetworkOperator> operators = MakeNetwork()->GetOperators();
  ASSERT_EQ(operators.size(), 3U);
  EXPECT_EQ(operators[0].name, "product");
  EXPECT_EQ(operators[0].id, 2U);
  EXPECT_EQ(operators[0].type, LayerType::kElementwiseBinary);
  EXPECT_EQ(operators[2].name, "softmax");
}

}  // namespace
}  // namespace backplane
