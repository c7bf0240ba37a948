#include "graph/infer.hpp"

#include <backplane/api/custom_layer.hpp>

namespace backplane {
namespace {

using Outputs = std::vector<TensorInfo>;

TEST(Custom, GivesTheOutputsThatAreStated) {
  const CustomLayer detect("acme", "Detect", 3, {{"limit", 0.5}},
                           {Float({3, 4}), Typed(DataType::kBool, {})});
  auto network = INetwork::Create("net");
  const OutputSlot a = network->AddInputLayer(Float({2}), "a");
  const OutputSlot b = network->AddInputLayer(Typed(DataType::kInt64, {}), "b");
  const LayerId layer = AddLayer<LayerType::kCustom>(*network, detect.Get(), {a, b}, "layer");
  EXPECT_EQ(network->GetTensorInfo({layer, 0}), Float({3, 4}));
  EXPECT_EQ(network->GetTensorInfo({layer, 1}), Typed(DataType::kBool, {}));
}

TEST(Custom, NeedsNoInput) {
  const CustomLayer noise("acme", "Noise", 1, {}, {Float({})});
  EXPECT_EQ(Infer<LayerType::kCustom>(noise.Get(), {}), Float({}));
}

TEST(Custom, IsCopiedWithAllThatItPointsTo) {
  const std::vector<OperatorAttribute> attributes{{"flag", true},
                                                  {"axes", std::vector<OptionValue>{1, -2, 3}},
                                                  {"scales", std::vector<OptionValue>{0.5, 2.0}},
                                                  {"names", std::vector<OptionValue>{"one", "two"}},
                                                  {"nothing", std::vector<OptionValue>{}},
                                                  {"mode", "wide"}};
  std::unique_ptr<CustomLayer> copy;
  {
    const CustomLayer layer("acme", "Detect", 3, attributes, {Float({2}), Float({})});
    copy = std::make_unique<CustomLayer>(layer.Get());
  }
  EXPECT_STREQ(copy->Get().domain, "acme");
  EXPECT_STREQ(copy->Get().type, "Detect");
  EXPECT_EQ(copy->Get().version, 3U);
  EXPECT_EQ(GetAttributes(copy->Get()), attributes);
  EXPECT_EQ(copy->GetOutputs(), (Outputs{Float({2}), Float({})}));
  EXPECT_EQ(GetAttribute(copy->Get(), "mode", "narrow").string_value, "wide");
  EXPECT_EQ(GetAttribute(copy->Get(), "speed", 7).int_value, 7);
}

TEST(Custom, RejectsNamesThatCannotBeShown) {
  const CustomLayer no_type("acme", "", 1, {}, {Float({})});
  ExpectRefused<LayerType::kCustom>(no_type.Get(), {}, kInvalid, "found \"\"", "printable ASCII");
  const CustomLayer spaced("a b", "Detect", 1, {}, {Float({})});
  ExpectRefused<LayerType::kCustom>(spaced.Get(), {}, kInvalid, "found \"a?b\"", "printable ASCII");
  ExpectRefused<LayerType::kCustom>(CustomDescriptor(), {}, kInvalid, "found \"\"",
                                    "printable ASCII");
}

TEST(Custom, RejectsOutputsThatAreNotPossible) {
  const CustomLayer none("acme", "Noise", 1, {}, {});
  ExpectRefused<LayerType::kCustom>(none.Get(), {}, kInvalid, "found 0", "1 to 16");
  const CustomLayer many("acme", "Noise", 1, {}, Outputs(17, Float({})));
  ExpectRefused<LayerType::kCustom>(many.Get(), {}, kInvalid, "found 17", "1 to 16");
  const CustomLayer untyped("acme", "Noise", 1, {}, {Typed(DataType::kUndefined, {})});
  ExpectRefused<LayerType::kCustom>(untyped.Get(), {}, DiagnosticCode::kWrongDataType,
                                    "data type number 0", "data_types.def");
}

TEST(Custom, RejectsWhatCannotBeRead) {
  const std::int64_t number = 1;
  const bp_named_value of_unknown_type{"axis", {4711, 0, 1, &number}};
  const CustomLayer layer("acme", "Noise", 1, {}, {Float({})});
  CustomDescriptor descriptor = layer.Get();
  descriptor.attributes = &of_unknown_type;
  descriptor.num_attributes = 1;
  ExpectRefused<LayerType::kCustom>(descriptor, {}, kInvalid, "the type 4711",
                                    "bool, int, float and text are");
  descriptor.attributes = nullptr;
  ExpectRefused<LayerType::kCustom>(descriptor, {}, kInvalid, "attributes is null",
                                    "num_attributes is 1");
  descriptor = layer.Get();
  descriptor.outputs = nullptr;
  ExpectRefused<LayerType::kCustom>(descriptor, {}, kInvalid, "outputs is null",
                                    "num_outputs is 1");
  descriptor = layer.Get();
  descriptor.num_subgraphs = 2;
  ExpectRefused<LayerType::kCustom>(descriptor, {}, kInvalid, "num_subgraphs is 2", "expected 0");
  EXPECT_THROW(CustomLayer("acme", "Noise", 1, {{"axes", std::vector<OptionValue>{1, "two"}}}, {}),
               std::invalid_argument);
}

}  // namespace
}  // namespace backplane
