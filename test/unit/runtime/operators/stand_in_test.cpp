#include "operators/infer.hpp"

namespace backplane {
namespace {

StandInDescriptor Named(const std::string& name) {
  StandInDescriptor descriptor;
  name.copy(descriptor.name, kMaxStandInName);
  descriptor.data_types[0] = DataType::kFloat32;
  return descriptor;
}

TEST(StandIn, GivesTheOutputsOfItsDescriptor) {
  StandInDescriptor descriptor = Named("acme.Detect");
  descriptor.num_outputs = 2;
  descriptor.ranks[0] = 2;
  descriptor.dims[0][0] = 3;
  descriptor.dims[0][1] = 4;
  descriptor.data_types[1] = DataType::kBool;
  auto network = INetwork::Create("net");
  const OutputSlot a = network->AddInputLayer(Float({2}), "a");
  const OutputSlot b = network->AddInputLayer(Typed(DataType::kInt64, {}), "b");
  const LayerId layer = AddLayer<LayerType::kStandIn>(*network, descriptor, {a, b}, "layer");
  EXPECT_EQ(network->GetTensorInfo({layer, 0}), Float({3, 4}));
  EXPECT_EQ(network->GetTensorInfo({layer, 1}), Typed(DataType::kBool, {}));
}

TEST(StandIn, NeedsNoInput) {
  EXPECT_EQ(Infer<LayerType::kStandIn>(Named("Noise"), {}), Float({}));
}

TEST(StandIn, RejectsNamesThatCannotBeShown) {
  ExpectRefused<LayerType::kStandIn>(Named(""), {}, kInvalid, "found \"\"", "1 to 63 printable");
  ExpectRefused<LayerType::kStandIn>(Named("a b"), {}, kInvalid, "found \"a?b\"",
                                     "1 to 63 printable");
  ExpectRefused<LayerType::kStandIn>(Named(std::string(64, 'a')), {}, kInvalid,
                                     "without a 0 behind it", "1 to 63 printable");
}

TEST(StandIn, RejectsOutputsThatAreNotPossible) {
  StandInDescriptor descriptor = Named("Noise");
  descriptor.num_outputs = 0;
  ExpectRefused<LayerType::kStandIn>(descriptor, {}, kInvalid, "found 0", "1 to 16");
  descriptor.num_outputs = 17;
  ExpectRefused<LayerType::kStandIn>(descriptor, {}, kInvalid, "found 17", "1 to 16");
  descriptor.num_outputs = 1;
  descriptor.ranks[0] = 9;
  ExpectRefused<LayerType::kStandIn>(descriptor, {}, kInvalid, "rank 9", "at most 8");
  descriptor.ranks[0] = 0;
  descriptor.data_types[0] = DataType::kUndefined;
  ExpectRefused<LayerType::kStandIn>(descriptor, {}, DiagnosticCode::kWrongDataType,
                                     "data type number 0", "data_types.def");
}

}  // namespace
}  // namespace backplane
