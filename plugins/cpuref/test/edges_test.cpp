#include "test/typed_case.hpp"

#include <gtest/gtest.h>

namespace backplane {
namespace cpuref_test {
namespace {

TestLayer MakeFloatLayer(const LayerCase& layer, Random& random) {
  return MakeTypedLayer(layer, LayerTraits(), ValueTypes(), random);
}

std::vector<StoredTensor> MakeInputsOfEdge(const EdgeCase& edge, const TestLayer& made,
                                           Random& random) {
  std::vector<StoredTensor> inputs;
  for (std::size_t index = 0; index < made.inputs.size(); ++index) {
    const OwnTensor* own = FindOwn(edge.layer.own_inputs, index);
    inputs.push_back(own != nullptr ? MakeOwnTensor(made.inputs[index], *own, random)
                                    : MakeStored(made.inputs[index], edge.inputs.at(index)));
  }
  return inputs;
}

void ExpectSame(const std::vector<long double>& found, const std::vector<float>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (std::isnan(expected[i])) {
      EXPECT_TRUE(std::isnan(found[i])) << "element " << i;
    } else {
      EXPECT_EQ(found[i], static_cast<long double>(expected[i])) << "element " << i;
    }
  }
}

class Edges : public testing::TestWithParam<std::size_t> {
 protected:
  const Oracle oracle_ = kOracles[GetParam()]();
};

TEST_P(Edges, OfAnOperatorAreComputedToTheBit) {
  if (oracle_.make_edges == nullptr) return;
  Random random(1);
  const std::vector<EdgeCase> edges = oracle_.make_edges();
  EXPECT_FALSE(edges.empty());
  for (std::size_t index = 0; index < edges.size(); ++index) {
    SCOPED_TRACE("edge " + std::to_string(index));
    const LayerCase& layer = edges[index].layer;
    const TestLayer made = MakeFloatLayer(layer, random);
    const std::vector<StoredTensor> outputs = RunStoredForAll(
        layer.type, *layer.descriptor, MakeInputsOfEdge(edges[index], made, random), made.outputs);
    ExpectSame(Decode<long double>(outputs[0]).data, edges[index].output);
  }
}

TEST_P(Edges, BeyondThemLayersAreRefusedWithTheReason) {
  if (oracle_.make_refused == nullptr) return;
  Random random(1);
  const std::vector<RefusedCase> refused = oracle_.make_refused();
  EXPECT_FALSE(refused.empty());
  for (const RefusedCase& one : refused) {
    const TestLayer made = MakeFloatLayer(one.layer, random);
    EXPECT_EQ(GetRefusal(made), one.reason) << one.found;
    EXPECT_THROW(MakeWorkload(made), std::invalid_argument) << one.found;
  }
}

INSTANTIATE_TEST_SUITE_P(EveryLayer, Edges, testing::Range<std::size_t>(0, std::size(kOracles)),
                         NameOfOracle);

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
