#include "quantised/byte_table.hpp"
#include "simd/simd.hpp"
#include "test/passes/pass_case.hpp"

#include <gtest/gtest.h>
#include <backplane/api/descriptors/dequantize.hpp>

#include <string>
#include <vector>

namespace backplane {
namespace cpuacc_test {
namespace {

using Names = std::vector<std::string>;

const TensorInfo kBytes = Quantised({2, 7, 31}, DataType::kUInt8, 0.047F, 117);

TensorId Dequantise(NetworkCase& network, TensorId integer) {
  return network.Add(LayerType::kDequantize, DequantizeDescriptor(), {integer},
                     network.GetShape(integer));
}

TensorId Quantise(NetworkCase& network, TensorId real, float scale, std::int32_t zero_point,
                  DataType type = DataType::kUInt8) {
  return network.AddLayer(LayerType::kQuantize, NoDescriptor(), {real},
                          {Quantised(network.GetShape(real), type, scale, zero_point)})[0];
}

/// As quantisers write it: x * (clip(x + 3, 0, 6) / 6), where the result of Clip is quantised.
TensorId AddHardSwish(NetworkCase& network, TensorId x) {
  const TensorId three =
      Dequantise(network, network.AddLayer(LayerType::kQuantize, NoDescriptor(),
                                           {network.AddConstant({}, 3.0F)},
                                           {Quantised({}, DataType::kUInt8, 3.0F / 255, 0)})[0]);
  const TensorId sum = AddBinary(network, BinaryOperation::kAdd, x, three);
  const TensorId clip = AddActivation(network, sum, ActivationFunction::kBoundedRelu, 6.0F, 0.0F);
  const TensorId gate = Dequantise(network, Quantise(network, clip, 6.0F / 255, 0));
  return AddBinary(network, BinaryOperation::kMul, x,
                   AddBinary(network, BinaryOperation::kDiv, gate, 6.0F));
}

TEST(TabulateBytes, TakesWhatIsQuantisedInBetween) {
  for (const DataType type : {DataType::kUInt8, DataType::kInt8}) {
    NetworkCase network;
    const std::int32_t zero_point = type == DataType::kUInt8 ? 117 : -9;
    const TensorId x =
        Dequantise(network, network.AddInput(Quantised({2, 7, 31}, type, 0.047F, zero_point)));
    network.AddOutput(Quantise(network, AddHardSwish(network, x), 0.02F, -100, DataType::kInt8));
    EXPECT_EQ(ListNodes(network), Names{"ByteTable"});
    ExpectAsCpuRef(network, Precision::kExact);
  }
}

TEST(TabulateBytes, TakesATableOfATable) {
  NetworkCase network;
  const TensorId x = Dequantise(network, network.AddInput(kBytes));
  const TensorId between =
      Quantise(network, AddActivation(network, x, ActivationFunction::kSwish), 0.02F, 30);
  network.AddOutput(
      Quantise(network, AddUnary(network, Dequantise(network, between), UnaryOperation::kNegate),
               0.03F, 200));
  EXPECT_EQ(ListNodes(network), Names{"ByteTable"});
  network.AddOutput(between);
  EXPECT_EQ(ListNodes(network), (Names{"ByteTable", "ByteTable"}));
  ExpectAsCpuRef(network, Precision::kExact);
}

TEST(TabulateBytes, LeavesRealsThatSomebodyElseReads) {
  NetworkCase network;
  const TensorId x = Dequantise(network, network.AddInput(kBytes));
  const TensorId swish = AddActivation(network, x, ActivationFunction::kSwish);
  network.AddOutput(Quantise(network, swish, 0.02F, 30));
  network.AddOutput(swish);
  EXPECT_EQ(ListNodes(network), (Names{"Dequantize+", "ByteTable"}));
  ExpectAsCpuRef(network);
}

bool HasTable(const NetworkCase& network) {
  for (const std::string& name : ListNodes(network)) {
    if (name == "ByteTable") return true;
  }
  return false;
}

TEST(TabulateBytes, TakesNoFunctionOfTwoBytes) {
  NetworkCase network;
  const TensorId a = Dequantise(network, network.AddInput(kBytes));
  const TensorId b = Dequantise(network, network.AddInput(kBytes));
  network.AddOutput(Quantise(network, AddBinary(network, BinaryOperation::kDiv, a, b), 0.05F, 128));
  EXPECT_FALSE(HasTable(network));
  ExpectAsCpuRef(network, Precision::kExact);
}

TEST(TabulateBytes, TakesNoOperandThatDiffersFromElementToElement) {
  NetworkCase network;
  const TensorId x = Dequantise(network, network.AddInput(kBytes));
  network.AddOutput(Quantise(
      network, AddBinary(network, BinaryOperation::kDiv, x, network.AddConstant({2, 7, 31})), 0.05F,
      128));
  EXPECT_FALSE(HasTable(network));
}

/// A table of 256 results would not be used as often as it was made.
TEST(TabulateBytes, LeavesFewElements) {
  NetworkCase network;
  const TensorId x =
      Dequantise(network, network.AddInput(Quantised({255}, DataType::kUInt8, 0.1F, 128)));
  network.AddOutput(Quantise(network, AddHardSwish(network, x), 0.02F, 30));
  EXPECT_FALSE(HasTable(network));
}

TEST(TabulateBytes, GivesUpAfterManyLayers) {
  for (const int count : {30, 100000}) {
    NetworkCase network;
    TensorId x = Dequantise(network, network.AddInput(kBytes));
    for (int i = 0; i < count; ++i) x = AddUnary(network, x, UnaryOperation::kNegate);
    network.AddOutput(Quantise(network, x, 0.05F, 128));
    cpuacc::Graph graph = network.GetGraph();
    cpuacc::TabulateBytes(graph);
    EXPECT_EQ(graph.nodes.back().kind == cpuacc::NodeKind::kByteTable, count == 30) << count;
  }
}

TEST(TabulateBytes, LooksUpAlikeOnAllInstructionSets) {
  cpuacc::ByteTable table = {};
  std::vector<std::uint8_t> bytes(300);
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<std::uint8_t>(i * 7 + 3);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * 13 + 5);
  for (const auto isa : {cpuacc::InstructionSet::kBaseline, cpuacc::InstructionSet::kAvx2,
                         cpuacc::InstructionSet::kAvx512}) {
    const cpuacc::SimdFunctions* const functions = cpuacc::FindSimdFunctions(isa);
    if (functions == nullptr) continue;  // not on this processor
    for (const std::size_t count : {0, 1, 63, 64, 65, 300}) {
      std::vector<std::uint8_t> found = bytes;
      functions->bytes.look_up(table.data(), found.data(), found.data(),
                               static_cast<std::int64_t>(count));
      for (std::size_t i = 0; i < bytes.size(); ++i) {
        ASSERT_EQ(found[i], i < count ? table[bytes[i]] : bytes[i]) << i << " of " << count;
      }
    }
  }
}

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
