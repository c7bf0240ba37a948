#include "conformance/every_layer.hpp"
#include "test/run_stored.hpp"

#include <gtest/gtest.h>
#include <backplane/api/descriptors.hpp>

namespace backplane {
namespace cpuref_test {
namespace {

TestLayer MakeInPlaceLayer(const LayerCase& layer, DataType type) {
  TestLayer made(layer.type, *layer.descriptor, {}, {});
  const auto make_infos = [type](const std::vector<TensorShape>& shapes,
                                 const std::vector<OwnTensor>& own_tensors) {
    std::vector<TensorInfo> infos;
    for (std::size_t index = 0; index < shapes.size(); ++index) {
      const OwnTensor* own = FindOwn(own_tensors, index);
      infos.emplace_back(shapes[index], own != nullptr ? own->data_type : type);
    }
    return infos;
  };
  made.inputs = make_infos(layer.inputs, layer.own_inputs);
  made.outputs = make_infos(layer.outputs, layer.own_outputs);
  return made;
}

/// Runs a layer with its output where one of its inputs lies; what lies there then.
std::vector<unsigned char> RunInPlace(const TestLayer& layer, std::vector<StoredTensor> inputs,
                                      std::size_t overwritten) {
  const StoredHandles handles(inputs);
  MemoryHandle output(layer.outputs[0], inputs[overwritten].bytes.data());
  std::unique_ptr<IWorkloadFactory> factory;
  const std::unique_ptr<IWorkload> workload = MakeWorkload(layer, &factory);
  const std::unique_ptr<IExecutionState> state = factory->CreateExecutionState();
  EXPECT_EQ(Execute(*workload, handles.Get(), {&output}, state.get()), Status::kSuccess);
  return inputs[overwritten].bytes;
}

/// A view has the same bytes in another shape.
bool MayLieAt(const TensorInfo& output, const TensorInfo& input, LayerType type) {
  const bool is_view = FindLayerTypeInfo(type)->aliasing == LayerAliasing::kView;
  return is_view ? input.GetSizeBytes() == output.GetSizeBytes() : input == output;
}

/// The number of inputs that the output could overwrite.
int ExpectOverwrites(const LayerCase& layer, DataType type, Random& random) {
  const TestLayer made = MakeInPlaceLayer(layer, type);
  if (!GetRefusal(made).empty()) return 0;
  const std::vector<StoredTensor> inputs = MakeInputs(layer, made, random);
  const StoredTensor expected = RunStored(layer.type, *layer.descriptor, inputs, made.outputs[0]);
  int count = 0;
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    if (!MayLieAt(made.outputs[0], inputs[index].info, layer.type)) continue;
    ++count;
    EXPECT_EQ(RunInPlace(made, inputs, index), expected.bytes) << "in place of input " << index;
  }
  return count;
}

class InPlace : public testing::TestWithParam<std::size_t> {};

// The backend states that it works in place, for every operator that allows it.
TEST_P(InPlace, EveryKernelOfAnOperatorThatAllowsItGivesTheSame) {
  const Oracle oracle = kOracles[GetParam()]();
  const LayerAliasing aliasing = FindLayerTypeInfo(oracle.type)->aliasing;
  if (aliasing != LayerAliasing::kInPlace && aliasing != LayerAliasing::kView) return;
  Random random(22);
  int count = 0;
  for (const DataType type : kDataTypes) {
    for (int round = 0; round < 4; ++round) {
      for (const LayerCase& layer : oracle.make_cases(random)) {
        SCOPED_TRACE(GetDataTypeName(type));
        count += ExpectOverwrites(layer, type, random);
        ASSERT_FALSE(HasFailure());
      }
    }
  }
  EXPECT_GT(count, 0) << "no input was ever overwritten";
}

INSTANTIATE_TEST_SUITE_P(EveryLayer, InPlace, testing::Range<std::size_t>(0, std::size(kOracles)),
                         NameOfOracle());

/// Runs a float32 layer on rows long enough for vectorised loops, in place of an input.
void ExpectLongRowsAreOverwritten(LayerType type, const BaseDescriptor& descriptor,
                                  const std::vector<FloatTensor>& inputs, std::size_t overwritten) {
  std::vector<StoredTensor> stored;
  for (const FloatTensor& input : inputs) stored.push_back(MakeStored(input.GetInfo(), input.data));
  TestLayer layer(type, descriptor, {}, inputs[overwritten].GetInfo());
  for (const FloatTensor& input : inputs) layer.inputs.push_back(input.GetInfo());
  EXPECT_EQ(RunInPlace(layer, stored, overwritten),
            RunStored(type, descriptor, stored, layer.outputs[0]).bytes)
      << GetLayerTypeName(type) << " in place of input " << overwritten;
}

TEST(InPlaceRows, LongRowsOfTwoOperandsGiveTheSame) {
  Random random(24);
  const FloatTensor whole = random.Tensor({3, 4, 67});
  const TensorShape others[] = {{3, 4, 67}, {4, 67}, {67}, {3, 1, 67}, {4, 1}, {3, 4, 1}, {1}, {}};
  const ElementwiseBinaryDescriptor subtract = [] {
    ElementwiseBinaryDescriptor descriptor;
    descriptor.operation = BinaryOperation::kSub;
    return descriptor;
  }();
  for (const TensorShape& shape : others) {
    const FloatTensor other = random.Tensor(shape);
    ExpectLongRowsAreOverwritten(LayerType::kElementwiseBinary, subtract, {whole, other}, 0);
    ExpectLongRowsAreOverwritten(LayerType::kElementwiseBinary, subtract, {other, whole}, 1);
  }
}

TEST(InPlaceRows, LongRowsOfActivationsAndSoftmaxGiveTheSame) {
  Random random(25);
  ExpectLongRowsAreOverwritten(LayerType::kActivation, ActivationDescriptor(),
                               {random.Tensor({3, 67})}, 0);
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    SoftmaxDescriptor descriptor;
    descriptor.axis = axis;
    ExpectLongRowsAreOverwritten(LayerType::kSoftmax, descriptor, {random.Tensor({3, 5, 150})}, 0);
    ExpectLongRowsAreOverwritten(LayerType::kLogSoftmax, descriptor, {random.Tensor({3, 5, 150})},
                                 0);
  }
}

// The same memory three times: x + x in place of x.
TEST(InPlaceRows, BothInputsMayBeOverwritten) {
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
