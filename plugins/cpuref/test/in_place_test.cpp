#include "test/run_layer.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <functional>
#include <map>

namespace backplane {
namespace cpuref_test {
namespace {

/// Runs a layer with its output where one of its inputs lies.
std::vector<float> RunInPlace(LayerType type, const BaseDescriptor& descriptor,
                              std::vector<FloatTensor> inputs, std::size_t overwritten) {
  TestLayer layer(type, descriptor, {}, inputs[overwritten].GetInfo());
  std::vector<std::unique_ptr<MemoryHandle>> handles;
  std::vector<ITensorHandle*> input_handles;
  for (FloatTensor& input : inputs) {
    layer.inputs.push_back(input.GetInfo());
    handles.push_back(std::make_unique<MemoryHandle>(input.GetInfo(), input.data.data()));
    input_handles.push_back(handles.back().get());
  }
  MemoryHandle output(layer.outputs[0], inputs[overwritten].data.data());
  EXPECT_EQ(Execute(*MakeWorkload(layer), input_handles, {&output}), Status::kSuccess);
  return inputs[overwritten].data;
}

void ExpectOverwrites(LayerType type, const BaseDescriptor& descriptor,
                      const std::vector<FloatTensor>& inputs, std::size_t overwritten) {
  EXPECT_EQ(RunInPlace(type, descriptor, inputs, overwritten),
            RunLayer(type, descriptor, inputs, inputs[overwritten].shape))
      << GetLayerTypeName(type) << " in place of input " << overwritten;
}

void CheckActivation(Random& random) {
  for (std::uint32_t function = 1; function <= 5; ++function) {
    ActivationDescriptor descriptor;
    descriptor.function = static_cast<ActivationFunction>(function);
    descriptor.alpha = 0.75F;
    descriptor.beta = 0.25F;
    ExpectOverwrites(LayerType::kActivation, descriptor, {random.Tensor({3, 67})}, 0);
  }
}

void CheckElementwiseBinary(Random& random) {
  const FloatTensor whole = random.Tensor({3, 4, 67});
  const TensorShape others[] = {{3, 4, 67}, {4, 67}, {67}, {3, 1, 67}, {4, 1}, {3, 4, 1}, {1}, {}};
  for (std::uint32_t operation = 1; operation <= 6; ++operation) {
    ElementwiseBinaryDescriptor descriptor;
    descriptor.operation = static_cast<BinaryOperation>(operation);
    for (const TensorShape& shape : others) {
      const FloatTensor other = random.Tensor(shape);
      ExpectOverwrites(LayerType::kElementwiseBinary, descriptor, {whole, other}, 0);
      ExpectOverwrites(LayerType::kElementwiseBinary, descriptor, {other, whole}, 1);
    }
  }
}

void CheckSoftmax(Random& random) {
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    SoftmaxDescriptor descriptor;
    descriptor.axis = axis;
    ExpectOverwrites(LayerType::kSoftmax, descriptor, {random.Tensor({3, 5, 150})}, 0);
  }
}

const std::map<LayerType, std::function<void(Random&)>>& GetChecks() {
  static const std::map<LayerType, std::function<void(Random&)>> checks = {
      {LayerType::kActivation, CheckActivation},
      {LayerType::kElementwiseBinary, CheckElementwiseBinary},
      {LayerType::kSoftmax, CheckSoftmax},
  };
  return checks;
}

constexpr LayerType kKernels[] = {
#define CPUREF_KERNEL(name) LayerType::k##name,
#include "kernels.def"
#undef CPUREF_KERNEL
};

// The backend states that it works in place, for every operator that allows it.
TEST(InPlace, EveryKernelOfAnOperatorThatAllowsItGivesTheSame) {
  for (const LayerType type : kKernels) {
    if (FindLayerTypeInfo(type)->aliasing != LayerAliasing::kInPlace) continue;
    const auto check = GetChecks().find(type);
    ASSERT_NE(check, GetChecks().end()) << GetLayerTypeName(type) << " has no check here";
    Random random(22);
    check->second(random);
  }
}

// The same memory three times: x + x in place of x.
TEST(InPlace, BothInputsMayBeOverwritten) {
  Random random(23);
  FloatTensor tensor = random.Tensor({4, 67});
  const std::vector<float> before = tensor.data;
  const ElementwiseBinaryDescriptor add;
  const TestLayer layer(LayerType::kElementwiseBinary, add, {tensor.GetInfo(), tensor.GetInfo()},
                        tensor.GetInfo());
  MemoryHandle handle(tensor.GetInfo(), tensor.data.data());
  EXPECT_EQ(Execute(*MakeWorkload(layer), {&handle, &handle}, {&handle}), Status::kSuccess);
  for (std::size_t i = 0; i < before.size(); ++i) ASSERT_EQ(tensor.data[i], 2.0F * before[i]);
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
