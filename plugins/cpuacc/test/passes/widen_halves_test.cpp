#include "conformance/typed_tensor.hpp"
#include "simd/simd.hpp"
#include "test/passes/pass_case.hpp"
#include "test/passes/random_network.hpp"

#include <gtest/gtest.h>
#include <backplane/api/descriptors/cast.hpp>
#include <backplane/api/descriptors/gather.hpp>
#include <backplane/api/descriptors/softmax.hpp>

#include <dnnl.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace backplane {
namespace cpuacc_test {
namespace {

using Names = std::vector<std::string>;

StoredTensor Convert(const StoredTensor& tensor, DataType type) {
  TensorInfo info = tensor.info;
  info.data_type = type;
  StoredTensor converted(info);
  const cpuacc::HalfFunctions& halves = cpuacc::GetSimdFunctions().halves;
  const std::int64_t count = info.shape.GetNumElements();
  if (type == DataType::kFloat32) {
    halves.GetWiden(tensor.info.data_type)(tensor.bytes.data(), converted.bytes.data(), count);
  } else {
    halves.GetNarrow(type)(tensor.bytes.data(), converted.bytes.data(), count);
  }
  return converted;
}

/// The same network with another type for its floats.
Graph ConvertGraph(const Graph& graph, DataType type) {
  Graph converted = graph;
  for (cpuacc::GraphTensor& tensor : converted.tensors) {
    StoredTensor content(tensor.info);
    tensor.info.data_type = type;
    if (!tensor.IsConstant()) continue;
    std::memcpy(content.bytes.data(), tensor.content.get(), content.bytes.size());
    const auto copy = std::make_shared<std::vector<unsigned char>>(Convert(content, type).bytes);
    tensor.content = std::shared_ptr<const void>(copy, copy->data());
  }
  return converted;
}

/// Of the numbers of an output.
double FindGreatest(const StoredTensor& tensor) {
  double greatest = 0.0;
  const auto count = static_cast<std::size_t>(tensor.info.shape.GetNumElements());
  for (std::size_t i = 0; i < count; ++i) {
    greatest = std::max<double>(greatest, std::fabs(GetFloat(tensor, i)));
  }
  return greatest;
}

/// What a network of halves gives beside the same one of float32 is apart as its own numbers are,
/// or, where products read bfloat16, as its greatest are, with a bit for each of a few layers.
void ExpectAsInFloat32(const Graph& network, DataType type, Random& random) {
  const Graph halves = ConvertGraph(network, type);
  const std::vector<StoredTensor> inputs = MakeInputs(halves, random);
  std::vector<StoredTensor> wide_inputs;
  for (const StoredTensor& input : inputs) {
    wide_inputs.push_back(Convert(input, DataType::kFloat32));
  }
  const auto found = RunCompiled(halves, inputs, cpuacc::Options());
  const auto expected = RunOnCpuRef(ConvertGraph(halves, DataType::kFloat32), wide_inputs);
  const bool is_rounded = type == DataType::kBFloat16 &&
                          dnnl::get_effective_cpu_isa() == dnnl::cpu_isa::avx512_core_amx;
  const double apart = type == DataType::kFloat16 ? 0x1p-10 : 0x1p-7;
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t output = 0; output < found.size(); ++output) {
    const auto count = static_cast<std::size_t>(found[output].info.shape.GetNumElements());
    const double greatest = FindGreatest(expected[output]);
    for (std::size_t i = 0; i < count; ++i) {
      const double value = GetFloat(expected[output], i);
      const double size = is_rounded ? 4 * greatest : std::fabs(value);
      ASSERT_NEAR(GetFloat(found[output], i), value, apart * size + 1e-4)
          << "output " << output << ", element " << i;
    }
  }
}

class RandomHalfNetworks : public testing::TestWithParam<std::uint32_t> {};

TEST_P(RandomHalfNetworks, AreComputedInFloat32) {
  NetworkCase network = RandomNetwork(GetParam()).Make(14);
  for (const DataType type : {DataType::kFloat16, DataType::kBFloat16}) {
    SCOPED_TRACE(GetDataTypeName(type));
    ExpectAsInFloat32(network.GetGraph(), type, network.GetRandom());
  }
}

INSTANTIATE_TEST_SUITE_P(Passes, RandomHalfNetworks, testing::Range(0U, 50U));

template <typename Descriptor>
TensorId AddHalf(NetworkCase& network, LayerType type, const Descriptor& descriptor,
                 const std::vector<TensorId>& inputs, const TensorShape& shape) {
  return network.AddLayer(type, descriptor, inputs, {TensorInfo(shape, DataType::kFloat16)})[0];
}

TensorId CastTo(NetworkCase& network, TensorId input, DataType type) {
  CastDescriptor cast;
  cast.to = type;
  return network.AddLayer(LayerType::kCast, cast, {input},
                          {TensorInfo(network.GetShape(input), type)})[0];
}

/// What is computed is converted where it enters and leaves, not between layers.
TEST(WidenHalves, ConvertsAtTheBordersAlone) {
  NetworkCase network;
  const TensorInfo info({2, 300}, DataType::kFloat16);
  TensorId value = network.AddInput(info);
  for (int layer = 0; layer < 3; ++layer) {
    SoftmaxDescriptor softmax;
    softmax.axis = 1;
    value = network.AddLayer(LayerType::kSoftmax, softmax, {value}, {info})[0];
  }
  network.AddOutput(value);
  EXPECT_EQ(ListNodes(network), (Names{"Cast", "Softmax", "Softmax", "Softmax", "Cast"}));
}

/// A table keeps its size: what is taken from it is widened.
TEST(WidenHalves, TakesRowsOfATableBeforeItWidensThem) {
  NetworkCase network;
  const TensorInfo table({1000, 8}, DataType::kFloat16);
  const TensorId rows = network.AddConstant(MakeRandomTensor(table, network.GetRandom()));
  const TensorId indices =
      network.AddConstant(MakeStored(TensorInfo({3}, DataType::kInt32), std::vector<int>{5, 0, 7}));
  const TensorId taken =
      AddHalf(network, LayerType::kGather, GatherDescriptor(), {rows, indices}, {3, 8});
  const TensorId added =
      network.AddLayer(LayerType::kElementwiseBinary, ElementwiseBinaryDescriptor(),
                       {taken, network.AddInput(network.GetGraph().tensors[taken].info)},
                       {network.GetGraph().tensors[taken].info})[0];
  network.AddOutput(added);
  ExpectAsCpuRef(network, Precision::kExact);
}

/// A Cast of the network rounds, also between layers that are computed in float32.
TEST(WidenHalves, RoundsWhereTheNetworkDoes) {
  for (const DataType type : {DataType::kFloat16, DataType::kBFloat16}) {
    NetworkCase network;
    const TensorId input = network.AddInput({3, 50});
    const TensorId product = AddBinary(network, BinaryOperation::kMul, input, 1.7F);
    const TensorId rounded = CastTo(network, CastTo(network, product, type), DataType::kFloat32);
    network.AddOutput(AddBinary(network, BinaryOperation::kSub, product, rounded));
    ExpectAsCpuRef(network, Precision::kExact);
  }
}

TEST(WidenHalves, CastsBetweenEveryTwoTypesThatItTakes) {
  for (const DataType from : {DataType::kFloat16, DataType::kBFloat16}) {
    for (const DataType to :
         {DataType::kFloat32, DataType::kFloat16, DataType::kBFloat16, DataType::kInt32,
          DataType::kInt64, DataType::kUInt8, DataType::kInt8, DataType::kBool}) {
      SCOPED_TRACE(std::string(GetDataTypeName(from)) + " to " + GetDataTypeName(to));
      NetworkCase network;
      network.AddOutput(CastTo(network, network.AddInput(TensorInfo({4097}, from)), to));
      ExpectAsCpuRef(network, Precision::kExact);
    }
  }
}

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
