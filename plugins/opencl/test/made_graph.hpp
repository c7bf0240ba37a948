#pragma once

/// Parts of networks for tests of what is made of them.

#include "subgraphs/graph.hpp"

#include <backplane/api/descriptors/activation.hpp>
#include <backplane/api/descriptors/convolution.hpp>
#include <backplane/api/descriptors/elementwise_binary.hpp>

#include <deque>
#include <memory>
#include <vector>

namespace backplane {
namespace opencl_test {

/// A graph that owns its layers.
class MadeGraph {
 public:
  opencl::TensorNumber AddInput(const TensorShape& shape) {
    const opencl::TensorNumber tensor = AddTensor(shape);
    graph_.tensors[tensor].as_input = num_inputs_++;
    return tensor;
  }

  /// With one output.
  template <typename LayerDescriptor>
  opencl::TensorNumber AddLayer(LayerType type, const LayerDescriptor& descriptor,
                                const std::vector<opencl::TensorNumber>& inputs,
                                const TensorShape& output) {
    const auto number = static_cast<opencl::LayerNumber>(graph_.layers.size());
    const opencl::TensorNumber result = AddTensor(output);
    graph_.tensors[result].producer = number;
    layers_.emplace_back();
    Owned& owned = layers_.back();
    owned.descriptor = std::make_shared<LayerDescriptor>(descriptor);
    for (const opencl::TensorNumber input : inputs) {
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

  opencl::TensorNumber AddConvolution(opencl::TensorNumber input) {
    const opencl::TensorNumber weights = AddInput({4, 4, 1, 1});
    return AddLayer(LayerType::kConvolution, ConvolutionDescriptor(), {input, weights}, kShape);
  }

  opencl::TensorNumber AddActivation(opencl::TensorNumber input, ActivationFunction function) {
    ActivationDescriptor descriptor;
    descriptor.function = function;
    return AddLayer(LayerType::kActivation, descriptor, {input}, kShape);
  }

  opencl::TensorNumber AddBinary(BinaryOperation operation, opencl::TensorNumber a,
                                 opencl::TensorNumber b) {
    ElementwiseBinaryDescriptor descriptor;
    descriptor.operation = operation;
    return AddLayer(LayerType::kElementwiseBinary, descriptor, {a, b}, kShape);
  }

  void SetOutput(opencl::TensorNumber tensor) { graph_.tensors[tensor].as_output = num_outputs_++; }

  const opencl::Graph& Get() const { return graph_; }

  static inline const TensorShape kShape = {1, 4, 6, 6};

 private:
  struct Owned {
    std::shared_ptr<BaseDescriptor> descriptor;
    std::vector<const TensorInfo*> inputs;
    std::vector<const TensorInfo*> outputs;
    std::vector<const ConstTensor*> constants;
    LayerView view;
  };

  opencl::TensorNumber AddTensor(const TensorShape& shape) {
    infos_.emplace_back(shape, DataType::kFloat32);
    graph_.tensors.emplace_back();
    graph_.tensors.back().info = &infos_.back();
    return static_cast<opencl::TensorNumber>(graph_.tensors.size() - 1);
  }

  std::deque<TensorInfo> infos_;
  std::deque<Owned> layers_;
  opencl::Graph graph_;
  std::uint32_t num_inputs_ = 0;
  std::uint32_t num_outputs_ = 0;
};

}  // namespace opencl_test
}  // namespace backplane
