#include "model_builder.hpp"

#include <gtest/gtest.h>

namespace backplane::onnx::test {
namespace {

::onnx::NodeProto& AddNode(google::protobuf::RepeatedPtrField<::onnx::NodeProto>& nodes,
                           const std::string& op_type, const Names& inputs, const Names& outputs) {
  ::onnx::NodeProto& node = *nodes.Add();
  node.set_op_type(op_type);
  for (const std::string& name : inputs) node.add_input(name);
  for (const std::string& name : outputs) node.add_output(name);
  return node;
}

::onnx::FunctionProto& AddFunction(ModelBuilder& builder, const std::string& name) {
  ::onnx::FunctionProto& function = *builder.GetProto().add_functions();
  function.set_domain("local");
  function.set_name(name);
  auto& standard = *function.add_opset_import();
  standard.set_domain("");
  standard.set_version(13);
  auto& local = *function.add_opset_import();
  local.set_domain("local");
  local.set_version(1);
  return function;
}

ModelBuilder MakeFunctionsModel() {
  ModelBuilder builder;
  auto& import = *builder.GetProto().add_opset_import();
  import.set_domain("local");
  import.set_version(1);
  builder.Input("x", {2}).Output("y");
  return builder;
}

// Scaled(a) = a * factor + a, with a name within that the model has too.
void AddScaled(ModelBuilder& builder) {
  ::onnx::FunctionProto& function = AddFunction(builder, "Scaled");
  function.add_input("a");
  function.add_output("b");
  function.add_attribute("factor");
  auto& constant = AddNode(*function.mutable_node(), "Constant", {}, {"f"});
  auto& value = *constant.add_attribute();
  value.set_name("value_float");
  value.set_type(::onnx::AttributeProto::FLOAT);
  value.set_ref_attr_name("factor");
  AddNode(*function.mutable_node(), "Mul", {"a", "f"}, {"inner"});
  AddNode(*function.mutable_node(), "Add", {"inner", "a"}, {"b"});
}

TEST(Functions, OfTheModelAreInlined) {
  ModelBuilder builder = MakeFunctionsModel();
  AddScaled(builder);
  builder.Node("Scaled", {"x"}, {"inner"}).Domain("local").Name("first").Float("factor", 2);
  builder.Node("Scaled", {"inner"}, {"y"}).Domain("local").Name("second").Float("factor", 4);
  EXPECT_EQ(builder.Run({{1, 2}}), (std::vector<float>{15, 30}));
  EXPECT_EQ(builder.Import().network->GetOperators().at(0).name, "first/Mul_1");
}

// Fields that functions have since IR versions 9 and 10.
constexpr int kDefaultField = 11;
constexpr int kOverloadField = 13;
constexpr int kOverloadOfNodeField = 8;

TEST(Functions, HaveDefaultsOfAttributes) {
  ModelBuilder builder = MakeFunctionsModel();
  AddScaled(builder);
  ::onnx::FunctionProto& function = *builder.GetProto().mutable_functions(0);
  function.clear_attribute();
  ::onnx::AttributeProto factor;
  factor.set_name("factor");
  factor.set_type(::onnx::AttributeProto::FLOAT);
  factor.set_f(9);
  function.mutable_unknown_fields()->AddLengthDelimited(kDefaultField, factor.SerializeAsString());
  builder.Node("Scaled", {"x"}, {"inner"}).Domain("local");
  builder.Node("Scaled", {"inner"}, {"y"}).Domain("local").Float("factor", 1);
  EXPECT_EQ(builder.Run({{1, 2}}), (std::vector<float>{20, 40}));
}

// The data of a default outlives the import.
TEST(Functions, HaveDefaultsThatAreTensors) {
  ModelBuilder builder = MakeFunctionsModel();
  ::onnx::FunctionProto& function = AddFunction(builder, "AddTensor");
  function.add_input("a");
  function.add_output("b");
  auto& value = *AddNode(*function.mutable_node(), "Constant", {}, {"c"}).add_attribute();
  value.set_name("value");
  value.set_type(::onnx::AttributeProto::TENSOR);
  value.set_ref_attr_name("tensor");
  AddNode(*function.mutable_node(), "Add", {"a", "c"}, {"b"});
  ::onnx::AttributeProto tensor;
  tensor.set_name("tensor");
  tensor.set_type(::onnx::AttributeProto::TENSOR);
  const float numbers[] = {10, 20};
  tensor.mutable_t()->set_data_type(::onnx::TensorProto::FLOAT);
  tensor.mutable_t()->add_dims(2);
  tensor.mutable_t()->set_raw_data(numbers, sizeof(numbers));
  function.mutable_unknown_fields()->AddLengthDelimited(kDefaultField, tensor.SerializeAsString());
  builder.Node("AddTensor", {"x"}, {"y"}).Domain("local");
  EXPECT_EQ(builder.Run({{1, 2}}), (std::vector<float>{11, 22}));
}

TEST(Functions, WithADefaultThatIsNoAttributeAreRefused) {
  ModelBuilder builder = MakeFunctionsModel();
  AddScaled(builder);
  builder.GetProto().mutable_functions(0)->mutable_unknown_fields()->AddLengthDelimited(
      kDefaultField, "\xff\xff");
  builder.Node("Scaled", {"x"}, {"y"}).Domain("local").Float("factor", 1);
  const Diagnostic error = builder.ImportError();
  EXPECT_EQ(error.code, DiagnosticCode::kInvalidModel);
  EXPECT_EQ(error.why, "a default of its attributes is no attribute");
}

TEST(Functions, OfOneNameAreToldByTheirOverload) {
  ModelBuilder builder = MakeFunctionsModel();
  for (const char* op_type : {"Neg", "Abs"}) {
    ::onnx::FunctionProto& function = AddFunction(builder, "Change");
    function.add_input("a");
    function.add_output("b");
    AddNode(*function.mutable_node(), op_type, {"a"}, {"b"});
    function.mutable_unknown_fields()->AddLengthDelimited(kOverloadField, op_type);
  }
  builder.Node("Change", {"x"}, {"inner"}).Domain("local");
  builder.Node("Change", {"inner"}, {"y"}).Domain("local");
  auto& nodes = *builder.GetProto().mutable_graph()->mutable_node();
  nodes[0].mutable_unknown_fields()->AddLengthDelimited(kOverloadOfNodeField, "Neg");
  nodes[1].mutable_unknown_fields()->AddLengthDelimited(kOverloadOfNodeField, "Abs");
  EXPECT_EQ(builder.Run({{1, -2}}), (std::vector<float>{1, 2}));
  nodes.RemoveLast();
  nodes[0].set_output(0, "y");
  EXPECT_EQ(builder.Run({{1, -2}}), (std::vector<float>{-1, 2}));
}

// The checker of ONNX does not have these; what else it finds in functions it still says.
TEST(Functions, MayHaveOperatorsOfNewerSets) {
  ModelBuilder builder = MakeFunctionsModel();
  ::onnx::FunctionProto& function = AddFunction(builder, "Smooth");
  function.mutable_opset_import(0)->set_version(20);
  function.add_input("a");
  function.add_output("b");
  AddNode(*function.mutable_node(), "Gelu", {"a"}, {"b"});
  builder.Node("Smooth", {"x"}, {"y"}).Domain("local");
  EXPECT_NEAR(builder.Run({{1, -2}})[0], 0.8413447F, 1e-5F);
  ::onnx::FunctionProto& wrong = AddFunction(builder, "Wrong");
  AddNode(*wrong.mutable_node(), "Relu", {"a", "a"}, {"b"});
  EXPECT_EQ(builder.ImportError().why, "the checker of ONNX refuses it");
}

TEST(Functions, ThatCallThemselvesAreRefused) {
  ModelBuilder builder = MakeFunctionsModel();
  ::onnx::FunctionProto& function = AddFunction(builder, "Endless");
  function.add_input("a");
  function.add_output("b");
  AddNode(*function.mutable_node(), "Endless", {"a"}, {"b"}).set_domain("local");
  builder.Node("Endless", {"x"}, {"y"}).Domain("local").Name("call");
  const Diagnostic error = builder.ImportError();
  EXPECT_EQ(error.code, DiagnosticCode::kInvalidModel);
  ASSERT_EQ(error.causes.size(), 1U);
  EXPECT_EQ(error.causes[0].what, "node call/Endless_0 (Endless) cannot be imported");
  EXPECT_EQ(error.causes[0].why,
            "it lies within the function Endless, which it calls; no function may call itself");
}

// Ten calls on each of eight levels.
TEST(Functions, ThatMultiplyAreRefused) {
  ModelBuilder builder = MakeFunctionsModel();
  for (int level = 0; level < 8; ++level) {
    ::onnx::FunctionProto& function = AddFunction(builder, "F" + std::to_string(level));
    function.add_input("v0");
    function.add_output("v10");
    const std::string inner = "F" + std::to_string(level - 1);
    for (int i = 0; i < 10; ++i) {
      auto& node = AddNode(*function.mutable_node(), level == 0 ? "Identity" : inner,
                           {"v" + std::to_string(i)}, {"v" + std::to_string(i + 1)});
      if (level > 0) node.set_domain("local");
    }
  }
  builder.Node("F7", {"x"}, {"y"}).Domain("local");
  const Diagnostic error = builder.ImportError();
  EXPECT_EQ(error.code, DiagnosticCode::kInvalidModel);
  ASSERT_EQ(error.causes.size(), 1U);
  EXPECT_TRUE(Contains(error.causes[0].why, "more than 1048576 nodes")) << error.causes[0].why;
}

// Each calls the next.
TEST(Functions, ThatLieDeepInEachOtherAreRefused) {
  ModelBuilder builder = MakeFunctionsModel();
  constexpr int kCount = 5000;
  for (int level = 0; level < kCount; ++level) {
    ::onnx::FunctionProto& function = AddFunction(builder, "F" + std::to_string(level));
    function.add_input("a");
    function.add_output("b");
    AddNode(*function.mutable_node(), "F" + std::to_string(level + 1), {"a"}, {"b"})
        .set_domain("local");
  }
  builder.Node("F0", {"x"}, {"y"}).Domain("local");
  const Diagnostic error = builder.ImportError();
  EXPECT_EQ(error.code, DiagnosticCode::kInvalidModel);
  ASSERT_EQ(error.causes.size(), 1U);
  EXPECT_TRUE(Contains(error.causes[0].why, "more than 64 deep")) << error.causes[0].why;
}

// The body of a function, and its inputs, count with every call.
TEST(Functions, ThatAreLargeAreRefusedWhenTheyAreCalledOften) {
  ModelBuilder builder = MakeFunctionsModel();
  ::onnx::FunctionProto& function = AddFunction(builder, "Wide");
  constexpr int kCount = 2000;
  for (int i = 0; i < kCount; ++i) function.add_input("a" + std::to_string(i));
  function.add_output("b");
  AddNode(*function.mutable_node(), "Relu", {"a0"}, {"b"});
  for (int i = 0; i < kCount; ++i) {
    builder.Node("Wide", {"x"}, {i == 0 ? "y" : "y" + std::to_string(i)}).Domain("local");
  }
  const Diagnostic error = builder.ImportError();
  ASSERT_EQ(error.causes.size(), 1U);
  EXPECT_TRUE(Contains(error.causes[0].why, "more than 1048576 nodes")) << error.causes[0].why;
}

// A list that the call states takes memory with every node that has it.
TEST(Functions, ThatUseALongAttributeOftenAreRefused) {
  ModelBuilder builder = MakeFunctionsModel();
  ::onnx::FunctionProto& function = AddFunction(builder, "Long");
  function.add_input("a");
  function.add_output("b0");
  function.add_attribute("list");
  constexpr int kCount = 6000;
  for (int i = 0; i < kCount; ++i) {
    auto& node = AddNode(*function.mutable_node(), "Constant", {}, {"b" + std::to_string(i)});
    auto& value = *node.add_attribute();
    value.set_name("value_ints");
    value.set_type(::onnx::AttributeProto::INTS);
    value.set_ref_attr_name("list");
  }
  builder.Node("Long", {"x"}, {"y"}).Domain("local").Ints("list", Dims(kCount, 1));
  const Diagnostic error = builder.ImportError();
  ASSERT_EQ(error.causes.size(), 1U);
  EXPECT_TRUE(Contains(error.causes[0].why, "or 268435456 bytes")) << error.causes[0].why;
}

// The name of a call stands before those of all tensors within.
TEST(Functions, WithALongNameAreRefusedWhenTheyReadMuch) {
  ModelBuilder builder = MakeFunctionsModel();
  ::onnx::FunctionProto& function = AddFunction(builder, "Wide");
  function.add_input("a");
  function.add_output("b");
  AddNode(*function.mutable_node(), "Relu", {"a"}, {"t"});
  AddNode(*function.mutable_node(), "Sum", Names(4000, "t"), {"b"});
  builder.Node("Wide", {"x"}, {"y"}).Domain("local").Name(std::string(100000, 'n'));
  const Diagnostic error = builder.ImportError();
  ASSERT_EQ(error.causes.size(), 1U);
  EXPECT_TRUE(Contains(error.causes[0].why, "or 268435456 bytes"));
}

// The name of a call stands before those of all nodes within.
TEST(Functions, WithALongNameAreNamedShortlyWhereNothingCanBeImported) {
  ModelBuilder builder = MakeFunctionsModel();
  ::onnx::FunctionProto& function = AddFunction(builder, "Random");
  function.add_input("a");
  function.add_output("b0");
  for (int i = 0; i < 3; ++i) {
    AddNode(*function.mutable_node(), "RandomNormalLike", {"a"}, {"b" + std::to_string(i)});
  }
  builder.Node("Random", {"x"}, {"y"}).Domain("local").Name(std::string(100000, 'n'));
  const Diagnostic error = builder.ImportError();
  ASSERT_FALSE(error.causes.empty());
  EXPECT_LT(error.causes[0].what.size(), 1000U);
}

// Sum becomes a layer for each input, each with the name of the node.
TEST(Names, ThatTogetherAreLongAreRefused) {
  ModelBuilder builder;
  builder.Input("x", {1}).Output("y");
  builder.Node("Sum", Names(4000, "x"), {"y"}).Name(std::string(100000, 'n'));
  const Diagnostic error = builder.ImportError();
  EXPECT_EQ(error.code, DiagnosticCode::kInvalidModel);
  ASSERT_EQ(error.causes.size(), 1U);
  EXPECT_TRUE(Contains(error.causes[0].why, "at most 268435456")) << error.causes[0].why;
}

TEST(Functions, NameTheNodeWithinThatCannotBeImported) {
  ModelBuilder builder = MakeFunctionsModel();
  ::onnx::FunctionProto& function = AddFunction(builder, "Odd");
  function.add_input("a");
  function.add_output("b");
  AddNode(*function.mutable_node(), "RandomNormalLike", {"a"}, {"b"});
  builder.Node("Odd", {"x"}, {"y"}).Domain("local").Name("odd");
  const Diagnostic error = builder.ImportError();
  EXPECT_EQ(error.code, DiagnosticCode::kUnsupportedOperator);
  ASSERT_EQ(error.causes.size(), 1U);
  EXPECT_EQ(error.causes[0].what, "node odd/RandomNormalLike_0 has the operator RandomNormalLike");
  EXPECT_EQ(error.causes[0].why,
            "domain ai.onnx, operator set 13; it is random; results would differ from run to run");
}

// Both branches read `x` of the model, and make a tensor `inner`, as the model does.
ModelBuilder MakeBranches(bool condition) {
  ModelBuilder builder = MakeFunctionsModel();
  ::onnx::TensorProto& constant = *builder.GetProto().mutable_graph()->add_initializer();
  constant.set_name("condition");
  constant.set_data_type(::onnx::TensorProto::BOOL);
  constant.add_int32_data(condition ? 1 : 0);
  builder.Node("Relu", {"x"}, {"inner"});
  builder.Node("If", {"condition"}, {"chosen"}).Name("choice");
  ::onnx::NodeProto& node = *builder.GetProto().mutable_graph()->mutable_node(1);
  for (const char* name : {"then_branch", "else_branch"}) {
    ::onnx::AttributeProto& attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(::onnx::AttributeProto::GRAPH);
    ::onnx::GraphProto& graph = *attribute.mutable_g();
    graph.set_name(name);
    const bool is_then = name[0] == 't';
    AddNode(*graph.mutable_node(), is_then ? "Add" : "Mul", {"x", "x"}, {"within"});
    AddNode(*graph.mutable_node(), "Identity", {"within"}, {"result"});
    graph.add_output()->set_name("result");
    graph.mutable_output(0)->mutable_type()->mutable_tensor_type()->set_elem_type(
        ::onnx::TensorProto::FLOAT);
  }
  builder.Node("Add", {"chosen", "inner"}, {"y"});
  return builder;
}

TEST(Branches, TakenStandInThePlaceOfTheIf) {
  EXPECT_EQ(MakeBranches(true).Run({{3, -4}}), (std::vector<float>{9, -8}));
  EXPECT_EQ(MakeBranches(false).Run({{3, -4}}), (std::vector<float>{12, 16}));
  EXPECT_EQ(MakeBranches(true).Import().network->GetOperators().at(1).name, "choice/Add_0");
}

// Names within begin with that of the node around them.
TEST(Branches, WithinALongNameAreRefusedWhenTheyReadMuch) {
  ModelBuilder builder = MakeBranches(true);
  ::onnx::NodeProto& node = *builder.GetProto().mutable_graph()->mutable_node(1);
  node.set_name(std::string(100000, 'n'));
  ::onnx::NodeProto& within = *node.mutable_attribute(0)->mutable_g()->mutable_node(0);
  within.set_op_type("Sum");
  for (int i = 0; i < 4000; ++i) within.add_input("x");
  const Diagnostic error = builder.ImportError();
  ASSERT_EQ(error.causes.size(), 1U);
  EXPECT_TRUE(Contains(error.causes[0].why, "at most 268435456")) << error.causes[0].why;
}

TEST(Branches, NotTakenMayHaveAnything) {
  ModelBuilder builder = MakeBranches(true);
  auto& node = *builder.GetProto().mutable_graph()->mutable_node(1);
  node.mutable_attribute(1)->mutable_g()->mutable_node(0)->set_op_type("RandomNormalLike");
  node.mutable_attribute(1)->mutable_g()->mutable_node(0)->mutable_input()->RemoveLast();
  EXPECT_EQ(builder.Run({{3, -4}}), (std::vector<float>{9, -8}));
}

TEST(Branches, NeedAConditionThatIsKnown) {
  ModelBuilder builder = MakeBranches(true);
  builder.GetProto().mutable_graph()->clear_initializer();
  builder.Input("condition", {});
  auto& type = *builder.GetProto().mutable_graph()->mutable_input(1)->mutable_type();
  type.mutable_tensor_type()->set_elem_type(::onnx::TensorProto::BOOL);
  const Diagnostic error = builder.ImportError();
  EXPECT_EQ(error.code, DiagnosticCode::kDataDependentShape);
  EXPECT_EQ(error.causes.at(0).what, "the condition of node choice (If) depends on data");
}

}  // namespace
}  // namespace backplane::onnx::test
