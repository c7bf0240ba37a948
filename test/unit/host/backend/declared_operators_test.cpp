#include "backend/custom_layers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace backplane::backend {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using Attributes = std::vector<OperatorAttribute>;

OptionSchema MakeSchema(const std::string& name, OptionValue initial) {
  OptionSchema schema;
  schema.name = name;
  schema.type = initial.type;
  schema.default_value = std::move(initial);
  return schema;
}

/// acme/Mix of one tensor, one that may be left out, and any number of int32; with the attributes
/// "limit", a float of 0 or more, "axes", a list of ints, and "mode", one of two texts.
std::vector<OperatorDeclaration> Declare() {
  OperatorDeclaration mix;
  mix.domain = "acme";
  mix.type = "Mix";
  mix.version_to = 3;
  const std::vector<DataType> reals{DataType::kFloat32, DataType::kFloat16};
  mix.inputs = {{"x", reals, 0, 1},
                {"scale", reals, BP_SLOT_OPTIONAL, 1},
                {"rest", {DataType::kInt32}, BP_SLOT_VARIADIC | BP_SLOT_OPTIONAL, 0}};
  mix.outputs = {{"y", reals, 0, 1}};
  OptionSchema limit = MakeSchema("limit", 3.0);
  limit.has_range = 1;
  limit.minimum = OptionValue(0.0);
  limit.maximum = OptionValue(1e9);
  OptionSchema axes = MakeSchema("axes", std::int64_t{0});
  axes.is_list = 1;
  OptionSchema mode = MakeSchema("mode", std::string("fast"));
  mode.allowed_strings = {"fast", "exact"};
  mix.attributes = {limit, axes, mode};
  return {mix};
}

const TensorInfo kReal{{2}, DataType::kFloat32};
const TensorInfo kHalf{{2}, DataType::kFloat16};
const TensorInfo kInts{{2}, DataType::kInt32};

/// Why the backend is not asked about such a layer; "" when it is.
std::string FindRefusal(const Attributes& attributes,
                        const std::vector<const TensorInfo*>& inputs = {&kReal},
                        const std::vector<const TensorInfo*>& outputs = {&kReal},
                        std::uint32_t version = 1, const std::string& type = "Mix") {
  const CustomLayer layer("acme", type, version, attributes, {});
  LayerSupportQuery query;
  query.layer_type = LayerType::kCustom;
  query.descriptor = &layer.Get();
  query.inputs = inputs.data();
  query.num_inputs = static_cast<std::uint32_t>(inputs.size());
  query.outputs = outputs.data();
  query.num_outputs = static_cast<std::uint32_t>(outputs.size());
  return FindUndeclared(Declare(), query);
}

TEST(DeclaredOperators, TakeWhatTheyDeclare) {
  EXPECT_EQ(FindRefusal({}), "");
  EXPECT_EQ(FindRefusal({{"limit", 0.0}, {"mode", std::string("exact")}}), "");
  EXPECT_EQ(FindRefusal({{"axes", std::vector<OptionValue>{}}}), "") << "a list may be empty";
  EXPECT_EQ(FindRefusal({}, {&kHalf, nullptr, &kInts, &kInts}, {&kHalf}, 3), "");
}

TEST(DeclaredOperators, RefuseOtherNamesAndVersions) {
  EXPECT_THAT(FindRefusal({}, {&kReal}, {&kReal}, 4),
              StartsWith("it does not declare the operator acme/Mix of version 4, but acme/Mix of "
                         "version 1 to 3"));
  EXPECT_THAT(FindRefusal({}, {&kReal}, {&kReal}, 1, "Max"), HasSubstr("operator acme/Max"));
}

TEST(DeclaredOperators, RefuseOtherAttributes) {
  const std::vector<std::pair<Attributes, std::string>> rows{
      {{{"limt", 1.0}}, "the operator has no attribute \"limt\"; did you mean \"limit\"?"},
      {{{"limit", std::int64_t{2}}}, "attribute \"limit\" is the int 2; expected a float"},
      {{{"limit", std::string("2")}}, "attribute \"limit\" is the string \"2\"; expected a float"},
      {{{"limit", -1.0}}, "attribute \"limit\" is the float -1; expected a float from 0"},
      {{{"limit", std::vector<OptionValue>{1.5}}}, "is a list; expected one value"},
      {{{"limit", std::vector<OptionValue>{}}}, "is a list; expected one value"},
      {{{"limit", 1.0}, {"limit", 2.0}}, "attribute \"limit\" is stated twice"},
      {{{"axes", std::int64_t{1}}}, "is a single value; expected a list"},
      {{{"axes", std::vector<OptionValue>{1.5}}}, "has the float 1.5; expected an int"},
      {{{"mode", std::string("slow")}}, "expected a string, one of \"fast\", \"exact\""},
  };
  for (const auto& [attributes, expected] : rows) {
    EXPECT_THAT(FindRefusal(attributes), HasSubstr(expected));
  }
}

TEST(DeclaredOperators, RefuseOtherInputsAndOutputs) {
  EXPECT_EQ(FindRefusal({}, {}), "it has 0 inputs, and the operator 1 or more");
  EXPECT_EQ(FindRefusal({}, {&kReal}, {}), "it has 0 outputs, and the operator 1");
  EXPECT_EQ(FindRefusal({}, {nullptr}), "input 0 (\"x\") is left out, and is not optional");
  EXPECT_EQ(FindRefusal({}, {&kInts}),
            "input 0 (\"x\") is of type int32, and the operator takes float32, float16");
  EXPECT_EQ(FindRefusal({}, {&kReal, &kReal, &kInts, &kReal}),
            "input 3 (\"rest\") is of type float32, and the operator takes int32");
  EXPECT_EQ(FindRefusal({}, {&kReal, &kHalf}),
            "input 1 (\"scale\") is of type float16, and others of its group are float32");
  EXPECT_EQ(FindRefusal({}, {&kReal}, {&kHalf}),
            "output 0 (\"y\") is of type float16, and others of its group are float32");
}

}  // namespace
}  // namespace backplane::backend
