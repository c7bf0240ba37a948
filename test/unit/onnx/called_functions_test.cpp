#include "model_builder.hpp"
#include "open_model.hpp"

#include <gtest/gtest.h>

namespace backplane::onnx::test {
namespace {

using Bools = std::vector<bool>;
using Floats = std::vector<float>;
using Ints = std::vector<std::int64_t>;

/// A call within the graph, of a function whose nodes are those of the text.
::onnx::ModelProto CallWith(const std::string& graph, const std::string& body, const Names& inputs,
                            const Names& outputs) {
  ::onnx::ModelProto model = ParseCaller(graph);
  for (::onnx::NodeProto& node : *model.mutable_graph()->mutable_node()) {
    if (node.op_type() == "F") node.set_domain("local");
  }
  ::onnx::FunctionProto& function = *model.add_functions();
  function.set_domain("local");
  function.set_name("F");
  *function.mutable_opset_import() = model.opset_import();
  for (const std::string& name : inputs) function.add_input(name);
  for (const std::string& name : outputs) function.add_output(name);
  const ::onnx::ModelProto parsed = ParseCaller("g () => () {" + body + "}");
  *function.mutable_node() = parsed.graph().node();
  return model;
}

// The function has a tensor x within a branch, and the call gives it another x.
TEST(CalledFunctions, KeepNamesOfCallersApart) {
  ExpectOutputs(CallWith("f (float[N] x, bool c) => (float[N] y) { t = Neg(x) y = F(x, t, c) }",
                         "y = If (c) <then_branch = b () => (float[N] r) { x = Add(b, b)"
                         "  t = Add(x, a) r = Neg(t) },"
                         "  else_branch = e () => (float[N] r) { r = Add(a, b) }>",
                         {"a", "b", "c"}, {"y"}),
                {Data({2}, Floats{1, 10}), Data({}, Bools{true})}, {Data({2}, Floats{1, 10})});
}

/// Of a set with operators that the checker of ONNX does not know: it leaves out functions with
/// them.
void SetOpset(google::protobuf::RepeatedPtrField<::onnx::OperatorSetIdProto>& imports) {
  for (auto& import : imports) {
    if (import.domain().empty()) import.set_version(25);
  }
}

TEST(CalledFunctions, MayHideTheirInputsWithinGraphs) {
  ::onnx::ModelProto model =
      CallWith("f (float[N] x, bool c) => (float[N] y) { y = F(x, x, c) }",
               "g = Gelu(b) y = If (c) <then_branch = t () => (float[N] r) { a = Neg(b)"
               "  r = Add(a, a) },"
               "  else_branch = e () => (float[N] r) { r = Add(a, b) }>",
               {"a", "b", "c"}, {"y"});
  SetOpset(*model.mutable_opset_import());
  SetOpset(*model.mutable_functions(0)->mutable_opset_import());
  ExpectOutputs(model, {Data({2}, Floats{1, 10}), Data({}, Bools{true})},
                {Data({2}, Floats{-2, -20})});
}

TEST(CalledFunctions, MayGiveWhatTheyAreGiven) {
  ExpectOutputs(CallWith("f (float[N] x) => (float[N] y, float[N] z) { y, z = F(x) }", "b = Neg(a)",
                         {"a"}, {"a", "b"}),
                {Data({2}, Floats{1, 10})}, {Data({2}, Floats{1, 10}), Data({2}, Floats{-1, -10})});
}

TEST(CalledFunctions, MayLackInputsAndOutputs) {
  ::onnx::ModelProto model = CallWith("f (float[N] x) => (float[N] y) { y = F(x) }",
                                      "b = Clip(a, low) c = Neg(a)", {"a", "low"}, {"b", "c"});
  ExpectOutputs(model, {Data({2}, Floats{-1, 10})}, {Data({2}, Floats{-1, 10})});
  ::onnx::NodeProto& call = *model.mutable_graph()->mutable_node(0);
  call.set_output(0, "");
  call.add_output("y");
  ExpectOutputs(model, {Data({2}, Floats{-1, 10})}, {Data({2}, Floats{1, -10})});
}

// Until operator set 17, the axes of ReduceMax are an attribute.
TEST(CalledFunctions, KeepTheirOperatorSets) {
  ::onnx::ModelProto model =
      CallWith("f (float[N] x, bool c) => (float y) { y = F(x, c) }",
               "y = If (c) <then_branch = t () => (float r) {"
               "  axes = Constant <value = int64[1] {0}> () r = ReduceMax <keepdims = 0> (a, axes)"
               "}, else_branch = e () => (float r) { r = ReduceSum <keepdims = 0> (a) }>",
               {"a", "c"}, {"y"});
  SetOpset(*model.mutable_functions(0)->mutable_opset_import());
  ExpectOutputs(model, {Data({2}, Floats{1, 10}), Data({}, Bools{true})}, {Data({}, Floats{10})});
}

TEST(CalledFunctions, ReferToAttributesWithinGraphs) {
  ::onnx::ModelProto model = CallWith(
      "f (float[2, N] x, bool c) => (float[2, N] y, float[2, N] z) {"
      "  y = F <direction = 1> (x, c) z = F (x, c) }",
      "y = If (c) <then_branch = t () => (float[2, N] r) {"
      "  zero = Constant <value = int64 {0}> () r = CumSum (a, zero) },"
      "  else_branch = e () => (float[2, N] r) { r = Neg(a) }>",
      {"a", "c"}, {"y"});
  model.mutable_functions(0)->add_attribute("direction");
  auto& attribute = *model.mutable_functions(0)
                         ->mutable_node(0)
                         ->mutable_attribute(0)
                         ->mutable_g()
                         ->mutable_node(1)
                         ->add_attribute();
  attribute.set_name("reverse");
  attribute.set_type(::onnx::AttributeProto::INT);
  attribute.set_ref_attr_name("direction");
  ExpectOutputs(model, {Data({2, 1}, Floats{1, 10}), Data({}, Bools{true})},
                {Data({2, 1}, Floats{11, 10}), Data({2, 1}, Floats{1, 11})});
}

// 300 numbers are shared by both calls.
TEST(CalledFunctions, ShareLargeConstants) {
  ::onnx::ModelProto model = CallWith("f (float[N] x) => (float[M] y) { once = F(x) y = F(once) }",
                                      "b = Add(a, c)", {"a"}, {"b"});
  ::onnx::NodeProto constant;
  constant.set_op_type("Constant");
  constant.add_output("c");
  ::onnx::AttributeProto& value = *constant.add_attribute();
  value.set_name("value");
  value.set_type(::onnx::AttributeProto::TENSOR);
  const Floats numbers(300, 1.5F);
  value.mutable_t()->set_data_type(::onnx::TensorProto::FLOAT);
  value.mutable_t()->add_dims(300);
  value.mutable_t()->set_raw_data(numbers.data(), numbers.size() * sizeof(float));
  ::onnx::FunctionProto& function = *model.mutable_functions(0);
  *function.add_node() = constant;
  function.mutable_node()->SwapElements(0, 1);
  ExpectOutputs(model, {Data({1}, Floats{1})}, {Data({300}, Floats(300, 4))});
  function.set_output(0, "c");
  ExpectOutputs(model, {Data({1}, Floats{1})}, {Data({300}, numbers)});
}

// Each has its own tensor t, on which a shape depends.
TEST(Branches, OfNodesThatAreCalledAlikeAreKeptApart) {
  const auto make = [](const std::string& name, const std::string& output, int offset) {
    return output + " = If (yes) <then_branch = t" + name +
           " () => (float[A] r) { k = Constant <value = int64[1] {" + std::to_string(offset) +
           "}> () t = Add(n, k) r = Expand(x, t) }, else_branch = e" + name +
           " () => (float[A] r) { r = Identity(x) }> ";
  };
  ::onnx::ModelProto model = ParseCaller(
      "f (float[1] x, int64[1] n) => (float[A] y, float[B] z) {"
      "  yes = Constant <value = bool {1}> () " +
      make("a", "y", 1) + make("b", "z", 2) + "}");
  model.mutable_graph()->mutable_node(1)->set_name("If_2");  // as the other is called, unnamed
  ExpectOutputs(model, {Data({1}, Floats{5}), Data({1}, Ints{1})},
                {Data({2}, Floats{5, 5}), Data({3}, Floats{5, 5, 5})});
}

TEST(Nodes, OfOneNameAreRefused) {
  ::onnx::ModelProto model = ParseCaller(
      "f (float[N] x, bool c) => (float[N] y) { t = Neg(x) y = If (c) <"
      "  then_branch = t () => (float[N] r) { s = Neg(t) r = Abs(s) },"
      "  else_branch = e () => (float[N] r) { r = Identity(t) }> }");
  auto& nodes = *model.mutable_graph()->mutable_node();
  auto& within = *nodes[1].mutable_attribute(0)->mutable_g()->mutable_node();
  nodes[0].set_name("one");
  within[0].set_name("one");  // in another graph
  ExpectOutputs(model, {Data({1}, Floats{5}), Data({}, Bools{true})}, {Data({1}, Floats{5})});
  within[1].set_name("one");
  const Diagnostic inner = Catch([&] { OpenModel{model}; });
  EXPECT_EQ(inner.code, DiagnosticCode::kInvalidModel);
  EXPECT_EQ(inner.what, "two nodes of test.onnx are called one");
  EXPECT_TRUE(Contains(inner.why, "the second has the operator Abs")) << inner.why;
  within[1].set_name("two");
  nodes[1].set_name("one");
  EXPECT_EQ(Catch([&] { OpenModel{model}; }).what, "two nodes of test.onnx are called one");
}

TEST(Nodes, OfOneNameMayBeConstants) {
  ::onnx::ModelProto model = ParseCaller(
      "f (float[N] x) => (float[N] y) { a = Constant <value = float {2}> ()"
      "  b = Constant <value = float {3}> () t = Mul(x, a) y = Add(t, b) }");
  for (auto& node : *model.mutable_graph()->mutable_node()) {
    if (node.op_type() == "Constant") node.set_name("one");
  }
  ExpectOutputs(model, {Data({1}, Floats{5})}, {Data({1}, Floats{13})});
}

}  // namespace
}  // namespace backplane::onnx::test
