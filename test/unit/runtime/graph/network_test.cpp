#include <backplane/runtime/i_network.hpp>

#include "expect_diagnostic.hpp"
#include "test_networks.hpp"

#include <cstdint>
#include <cstring>
#include <limits>

namespace backplane {
namespace {

constexpr std::int64_t kNetworkHuge = std::int64_t{1} << 40;

TEST(Network, ListsInputsAndOutputsInTheOrderOfAdding) {
  auto network = INetwork::Create("net");
  const OutputSlot a = network->AddInputLayer(Float({2, 3}), "a");
  const OutputSlot b = network->AddInputLayer(Float({3}), "b");
  const LayerId sum = AddSum(*network, a, b, "sum");
  EXPECT_EQ(network->AddOutputLayer({sum, 0}, "total"), 0U);
  EXPECT_EQ(network->AddOutputLayer(b, "unchanged"), 1U);

  const auto inputs = network->GetInputs();
  ASSERT_EQ(inputs.size(), 2U);
  EXPECT_EQ(inputs[1].name, "b");
  EXPECT_EQ(inputs[1].id, 1U);
  const auto outputs = network->GetOutputs();
  ASSERT_EQ(outputs.size(), 2U);
  EXPECT_EQ(outputs[0].info, Float({2, 3}));
  EXPECT_EQ(outputs[1].info, Float({3}));
  EXPECT_EQ(network->GetNumOperators(), 1U);
  EXPECT_EQ(network->GetTensorInfo({sum, 0}), Float({2, 3}));
}

TEST(Network, RejectsDuplicateInputName) {
  auto network = INetwork::Create("net");
  network->AddInputLayer(Float({1}), "x");
  const Diagnostic diagnostic = CatchDiagnostic([&] { network->AddInputLayer(Float({1}), "x"); });
  ExpectDiagnostic(diagnostic, DiagnosticCode::kDuplicateName, "x", "the name \"x\"",
                   "names that differ");
  EXPECT_EQ(network->GetInputs().size(), 1U);
}

TEST(Network, RejectsDuplicateOutputName) {
  auto network = INetwork::Create("net");
  const OutputSlot x = network->AddInputLayer(Float({1}), "x");
  network->AddOutputLayer(x, "y");
  const Diagnostic diagnostic = CatchDiagnostic([&] { network->AddOutputLayer(x, "y"); });
  ExpectDiagnostic(diagnostic, DiagnosticCode::kDuplicateName, "y", "(Output)",
                   "names that differ");
}

TEST(Network, AcceptsOneTensorAsTwoOutputs) {
  auto network = INetwork::Create("net");
  const OutputSlot x = network->AddInputLayer(Float({1}), "x");
  EXPECT_EQ(network->AddOutputLayer(x, "y"), 0U);
  EXPECT_EQ(network->AddOutputLayer(x, "z"), 1U);
}

TEST(Network, RejectsUnknownTensor) {
  auto network = INetwork::Create("net");
  const OutputSlot x = network->AddInputLayer(Float({1}), "x");
  const Diagnostic later = CatchDiagnostic([&] { AddRelu(*network, {7, 0}, "relu"); });
  ExpectDiagnostic(later, DiagnosticCode::kUnknownTensor, "relu", "output 0 of layer 7",
                   "a layer added before, of which there are 1");
  const Diagnostic slot = CatchDiagnostic([&] { AddRelu(*network, {x.layer, 1}, "relu"); });
  ExpectDiagnostic(slot, DiagnosticCode::kUnknownTensor, "relu", "output 1 of layer 0",
                   "a layer added before");
  EXPECT_EQ(network->GetNumOperators(), 0U);
  const Diagnostic asked = CatchDiagnostic([&] { network->GetTensorInfo({3, 0}); });
  ExpectDiagnostic(asked, DiagnosticCode::kUnknownTensor, "3:0", "output 0 of layer 3",
                   "a tensor of this network");
}

TEST(Network, RejectsOutputOfOutput) {
  auto network = INetwork::Create("net");
  const OutputSlot x = network->AddInputLayer(Float({1}), "x");
  network->AddOutputLayer(x, "y");
  const Diagnostic diagnostic = CatchDiagnostic([&] { network->AddOutputLayer({1, 0}, "z"); });
  ExpectDiagnostic(diagnostic, DiagnosticCode::kUnknownTensor, "z", "output 0 of layer 1",
                   "a layer added before");
}

TEST(Network, RejectsWrongInputCount) {
  auto network = INetwork::Create("net");
  const OutputSlot x = network->AddInputLayer(Float({1}), "x");
  const Diagnostic two = CatchDiagnostic([&] {
    AddLayer<LayerType::kActivation>(*network, ActivationDescriptor(), {x, x}, "relu");
  });
  ExpectDiagnostic(two, DiagnosticCode::kWrongInputCount, "relu", "found 2", "expected 1");
  const Diagnostic one = CatchDiagnostic(
      [&] { AddLayer<LayerType::kConvolution>(*network, ConvolutionDescriptor(), {x}, "conv"); });
  ExpectDiagnostic(one, DiagnosticCode::kWrongInputCount, "conv", "found 1", "expected 2 to 3");
  const Diagnostic none = CatchDiagnostic(
      [&] { AddLayer<LayerType::kConcat>(*network, ConcatDescriptor(), {}, "concat"); });
  ExpectDiagnostic(none, DiagnosticCode::kWrongInputCount, "concat", "found 0",
                   "expected 1 or more");
}

TEST(Network, RejectsLayerTypesThatAreNoOperators) {
  auto network = INetwork::Create("net");
  const Diagnostic core = CatchDiagnostic(
      [&] { network->AddOperatorLayer(LayerType::kConstant, NoDescriptor(), {}, "c"); });
  ExpectDiagnostic(core, DiagnosticCode::kUnknownLayerType, "c", "Constant, which belongs",
                   "an operator of layers.def");
  const Diagnostic unknown =
      CatchDiagnostic([&] { network->AddOperatorLayer(LayerType{9999}, NoDescriptor(), {}, "u"); });
  ExpectDiagnostic(unknown, DiagnosticCode::kUnknownLayerType, "u", "number 9999",
                   "an operator of layers.def");
}

TEST(Network, RejectsDescriptorOfUnknownSize) {
  auto network = INetwork::Create("net");
  const OutputSlot x = network->AddInputLayer(Float({1}), "x");
  ActivationDescriptor newer;
  newer.size_bytes += 4;
  const Diagnostic diagnostic = CatchDiagnostic(
      [&] { network->AddOperatorLayer(LayerType::kActivation, newer, {x}, "relu"); });
  ExpectDiagnostic(diagnostic, DiagnosticCode::kInvalidDescriptor, "relu", "found 20 bytes",
                   "4 to 16");
}

TEST(Network, FillsShorterDescriptorWithDefaults) {
  auto network = INetwork::Create("net");
  const OutputSlot x = network->AddInputLayer(Float({1}), "x");
  ActivationDescriptor older;
  older.alpha = std::numeric_limits<float>::quiet_NaN();
  older.size_bytes = 8;  // ends behind `function`
  EXPECT_NO_THROW(network->AddOperatorLayer(LayerType::kActivation, older, {x}, "relu"));
}

TEST(Network, RejectsTensorsThatDoNotFit63Bits) {
  auto network = INetwork::Create("net");
  const Diagnostic diagnostic = CatchDiagnostic([&] {
    network->AddInputLayer(Float({kNetworkHuge, kNetworkHuge}), "x");
  });
  ExpectDiagnostic(diagnostic, DiagnosticCode::kTensorTooLarge, "x",
                   "float32 [1099511627776, 1099511627776]", "fits 63 bits");
  // Also when an extent of 0 makes the product small: partial products would overflow.
  EXPECT_EQ(CatchDiagnostic([&] {
              network->AddInputLayer(Float({kNetworkHuge, kNetworkHuge, 0}), "x");
            }).code,
            DiagnosticCode::kTensorTooLarge);
}

TEST(Network, RejectsOutputThatDoesNotFit63Bits) {
  auto network = INetwork::Create("net");
  const OutputSlot a = network->AddInputLayer(Float({kNetworkHuge, 1}), "a");
  const OutputSlot b = network->AddInputLayer(Float({1, kNetworkHuge}), "b");
  const Diagnostic diagnostic = CatchDiagnostic([&] { AddSum(*network, a, b, "sum"); });
  ExpectDiagnostic(diagnostic, DiagnosticCode::kTensorTooLarge, "sum",
                   "[1099511627776, 1099511627776]", "fits 63 bits");
}

TEST(Network, RejectsNegativeExtent) {
  auto network = INetwork::Create("net");
  const Diagnostic diagnostic = CatchDiagnostic([&] {
    network->AddInputLayer(Float({1, -2}), "x");
  });
  ExpectDiagnostic(diagnostic, DiagnosticCode::kWrongShape, "x", "-2 at axis 1 of [1, -2]",
                   "0 or more");
}

TEST(Network, RejectsRankBeyondTheHighest) {
  auto network = INetwork::Create("net");
  TensorInfo info = Float({1});
  info.shape.rank = 9;
  const Diagnostic diagnostic = CatchDiagnostic([&] { network->AddInputLayer(info, "x"); });
  ExpectDiagnostic(diagnostic, DiagnosticCode::kWrongRank, "x", "rank 9", "at most 8");
}

TEST(Network, RejectsUnknownDataType) {
  auto network = INetwork::Create("net");
  const Diagnostic undefined = CatchDiagnostic([&] {
    network->AddInputLayer({{1}, DataType::kUndefined}, "x");
  });
  ExpectDiagnostic(undefined, DiagnosticCode::kWrongDataType, "x", "number 0", "data_types.def");
  const Diagnostic unknown = CatchDiagnostic([&] {
    network->AddInputLayer({{1}, DataType{77}}, "x");
  });
  ExpectDiagnostic(unknown, DiagnosticCode::kWrongDataType, "x", "number 77", "data_types.def");
}

TEST(Network, RejectsInconsistentQuantization) {
  auto network = INetwork::Create("net");
  TensorInfo info({2, 3}, DataType::kInt8);
  info.quantization.scales = {0.5F, 0.25F};
  info.quantization.axis = 1;
  ExpectDiagnostic(CatchDiagnostic([&] { network->AddInputLayer(info, "x"); }),
                   DiagnosticCode::kWrongShape, "x", "found 2 scales", "expected 3");
  info.quantization.axis = 2;
  ExpectDiagnostic(CatchDiagnostic([&] { network->AddInputLayer(info, "x"); }),
                   DiagnosticCode::kWrongShape, "x", "axis 2", "an axis of [2, 3]");
  info.quantization.axis = 0;
  info.quantization.zero_points = {0};
  ExpectDiagnostic(CatchDiagnostic([&] { network->AddInputLayer(info, "x"); }),
                   DiagnosticCode::kWrongShape, "x", "1 zero points and 2 scales",
                   "as many as scales");
  info.quantization = {};
  info.quantization.scales = {0.0F};
  ExpectDiagnostic(CatchDiagnostic([&] { network->AddInputLayer(info, "x"); }),
                   DiagnosticCode::kWrongShape, "x", "found a scale", "greater than 0");
}

TEST(Network, RejectsConstantWithoutData) {
  auto network = INetwork::Create("net");
  const Diagnostic diagnostic =
      CatchDiagnostic([&] { network->AddConstantLayer(Float({2}), nullptr, "c"); });
  ExpectDiagnostic(diagnostic, DiagnosticCode::kInvalidDescriptor, "c", "found null", "8 bytes");
  EXPECT_NO_THROW(network->AddConstantLayer(Float({0}), nullptr, "empty"));
}

TEST(Network, RejectsMisalignedConstant) {
  auto network = INetwork::Create("net");
  const auto data = CopyConstantData("0123456789ab", 12);
  const std::shared_ptr<const void> shifted(data, static_cast<const char*>(data.get()) + 1);
  const Diagnostic diagnostic =
      CatchDiagnostic([&] { network->AddConstantLayer(Float({2}), shifted, "c"); });
  ExpectDiagnostic(diagnostic, DiagnosticCode::kInvalidDescriptor, "c", "not a multiple of 4",
                   "aligned for float32");
}

TEST(Network, CopiesConstantDataAligned) {
  const std::vector<std::int32_t> values{1, 2, 3};
  const auto copy = CopyConstantData(values.data(), 12);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(copy.get()) % 64, 0U);
  EXPECT_EQ(std::memcmp(copy.get(), values.data(), 12), 0);
  EXPECT_NE(CopyConstantData(nullptr, 0), nullptr);
}

TEST(Network, RejectsHintForLayerThatIsNoOperator) {
  auto network = INetwork::Create("net");
  const OutputSlot x = network->AddInputLayer(Float({1}), "x");
  const Diagnostic input = CatchDiagnostic([&] { network->SetBackendHint(x.layer, "A"); });
  ExpectDiagnostic(input, DiagnosticCode::kUnknownTensor, "0", "layer id 0",
                   "an id that AddOperatorLayer returned");
  EXPECT_EQ(CatchDiagnostic([&] { network->SetBackendHint(9, "A"); }).code,
            DiagnosticCode::kUnknownTensor);
}

TEST(Network, ShowsLayersWithoutNameByTheirId) {
  auto network = INetwork::Create("net");
  network->AddInputLayer(Float({1}), "x");
  const Diagnostic diagnostic = CatchDiagnostic([&] { AddRelu(*network, {7, 0}, ""); });
  EXPECT_EQ(diagnostic.subject.name, "#1");
  ExpectContains(diagnostic.what, "layer #1 (Activation)");
}

}  // namespace
}  // namespace backplane
