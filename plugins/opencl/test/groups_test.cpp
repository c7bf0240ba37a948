#include "subgraphs/groups.hpp"
#include "subgraphs/group_step.hpp"
#include "test/planned_layer.hpp"

#include <backplane/api/descriptors/activation.hpp>
#include <backplane/api/descriptors/convolution.hpp>
#include <backplane/api/descriptors/elementwise_binary.hpp>

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <vector>

namespace backplane {
namespace opencl_test {
namespace {

using opencl::Graph;
using opencl::LayerGroup;
using opencl::LayerNumber;
using opencl::MakeGroups;
using opencl::TensorNumber;

/// A graph that owns its layers.
class MadeGraph {
 public:
  TensorNumber AddInput(const TensorShape& shape) {
    const TensorNumber tensor = AddTensor(shape);
    graph_.tensors[tensor].as_input = num_inputs_++;
    return tensor;
  }

  template <typename LayerDescriptor>
  TensorNumber AddLayer(LayerType type, const LayerDescriptor& descriptor,
                        const std::vector<TensorNumber>& inputs, const TensorShape& output) {
    const auto number = static_cast<LayerNumber>(graph_.layers.size());
    const TensorNumber result = AddTensor(output);
    graph_.tensors[result].producer = number;
    layers_.emplace_back();
    Owned& owned = layers_.back();
    owned.descriptor = std::make_shared<LayerDescriptor>(descriptor);
    for (const TensorNumber input : inputs) {
      owned.inputs.push_back(graph_.tensors[input].info);
      graph_.tensors[input].readers.push_back(number);
    }
    owned.outputs = {graph_.tensors[result].info};
    owned.constants.assign(inputs.size(), nullptr);
    owned.view.layer_type = type;
    owned.view.descriptor = owned.descriptor.get();
    owned.view.input_infos = owned.inputs.data();
    owned.view.output_infos = owned.outputs.data();
    owned.view.constants = owned.constants.data();
    owned.view.num_inputs = static_cast<std::uint32_t>(inputs.size());
    owned.view.num_outputs = 1;
    graph_.layers.push_back({&owned.view, inputs, {result}});
    return result;
  }

  TensorNumber AddConvolution(TensorNumber input) {
    const TensorNumber weights = AddInput({4, 4, 1, 1});
    return AddLayer(LayerType::kConvolution, ConvolutionDescriptor(), {input, weights}, kShape);
  }

  TensorNumber AddActivation(TensorNumber input, ActivationFunction function) {
    ActivationDescriptor descriptor;
    descriptor.function = function;
    return AddLayer(LayerType::kActivation, descriptor, {input}, kShape);
  }

  TensorNumber AddBinary(BinaryOperation operation, TensorNumber a, TensorNumber b) {
    ElementwiseBinaryDescriptor descriptor;
    descriptor.operation = operation;
    return AddLayer(LayerType::kElementwiseBinary, descriptor, {a, b}, kShape);
  }

  void SetOutput(TensorNumber tensor) { graph_.tensors[tensor].as_output = num_outputs_++; }

  const Graph& Get() const { return graph_; }

  static const TensorShape kShape;

 private:
  struct Owned {
    std::shared_ptr<BaseDescriptor> descriptor;
    std::vector<const TensorInfo*> inputs;
    std::vector<const TensorInfo*> outputs;
    std::vector<const ConstTensor*> constants;
    LayerView view;
  };

  TensorNumber AddTensor(const TensorShape& shape) {
    infos_.emplace_back(shape, DataType::kFloat32);
    graph_.tensors.emplace_back();
    graph_.tensors.back().info = &infos_.back();
    return static_cast<TensorNumber>(graph_.tensors.size() - 1);
  }

  std::deque<TensorInfo> infos_;
  std::deque<Owned> layers_;
  Graph graph_;
  std::uint32_t num_inputs_ = 0;
  std::uint32_t num_outputs_ = 0;
};

const TensorShape MadeGraph::kShape = {1, 4, 6, 6};

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
