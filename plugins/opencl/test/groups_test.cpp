#include "subgraphs/groups.hpp"
#include "subgraphs/group_step.hpp"
#include "test/made_graph.hpp"
#include "test/planned_layer.hpp"

#include <backplane/api/descriptors/elementwise_binary.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace backplane {
namespace opencl_test {
namespace {

using opencl::LayerNumber;
using opencl::MakeGroups;
using opencl::TensorNumber;

using Layers = std::vector<LayerNumber>;

TEST(Groups, JoinAnActivationToTheConvolutionBeforeIt) {
  MadeGraph graph;
  const TensorNumber x = graph.AddInput(MadeGraph::kShape);
  graph.SetOutput(graph.AddActivation(graph.AddConvolution(x), ActivationFunction::kRelu));
  const auto groups = MakeGroups(graph.Get());
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_EQ(groups[0].layers, Layers({0, 1}));
}

TEST(Groups, TakeInTwoWaysThatMeet) {
  MadeGraph graph;
  const TensorNumber x = graph.AddConvolution(graph.AddInput(MadeGraph::kShape));
  const TensorNumber gate = graph.AddActivation(x, ActivationFunction::kSigmoid);
  graph.SetOutput(graph.AddBinary(BinaryOperation::kMul, x, gate));
  const auto groups = MakeGroups(graph.Get());
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_EQ(groups[0].layers, Layers({0, 1, 2}));
}

TEST(Groups, LeaveAResultThatOthersRead) {
  MadeGraph graph;
  const TensorNumber x = graph.AddConvolution(graph.AddInput(MadeGraph::kShape));
  graph.SetOutput(x);
  graph.SetOutput(graph.AddActivation(x, ActivationFunction::kRelu));
  EXPECT_EQ(MakeGroups(graph.Get()).size(), 2U);
}

TEST(Groups, RunWhereTheirOtherOperandsAreMade) {
  MadeGraph graph;
  const TensorNumber x = graph.AddInput(MadeGraph::kShape);
  const TensorNumber first = graph.AddConvolution(x);
  const TensorNumber second = graph.AddConvolution(x);
  graph.SetOutput(graph.AddBinary(BinaryOperation::kAdd, first, second));
  const auto groups = MakeGroups(graph.Get());
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].layers, Layers({1}));
  EXPECT_EQ(groups[1].layers, Layers({0, 2}));
}

TEST(Groups, AreProgramsOfTheirOwnWhereNoKernelIsBefore) {
  MadeGraph graph;
  const TensorNumber x = graph.AddInput(MadeGraph::kShape);
  const TensorNumber y = graph.AddInput({4, 1, 1});
  const TensorNumber sum = graph.AddBinary(BinaryOperation::kAdd, x, y);
  graph.SetOutput(graph.AddActivation(sum, ActivationFunction::kTanH));
  const auto groups = MakeGroups(graph.Get());
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_TRUE(groups[0].is_pointwise);
  const auto step = opencl::MakeGroupStep(graph.Get(), groups[0], MakeCpuLimits());
  EXPECT_EQ(step.plan.launches.size(), 1U);
  EXPECT_EQ(step.inputs, std::vector<TensorNumber>({x, y}));
}

TEST(GroupStep, GivesOneProgramForLayersOfSeveralExtents) {
  std::vector<std::string> sources;
  for (const std::int64_t extent : {6, 12}) {
    MadeGraph graph;
    const TensorShape shape = {1, 4, extent, extent};
    const TensorNumber x = graph.AddInput(shape);
    const TensorNumber y = graph.AddInput({4, 1, 1});
    graph.SetOutput(graph.AddLayer(LayerType::kElementwiseBinary, ElementwiseBinaryDescriptor(),
                                   {x, y}, shape));
    const auto step =
        opencl::MakeGroupStep(graph.Get(), MakeGroups(graph.Get())[0], MakeCpuLimits());
    sources.push_back(step.plan.launches.at(0).source);
  }
  EXPECT_EQ(sources[0], sources[1]);
}

}  // namespace
}  // namespace opencl_test
}  // namespace backplane
