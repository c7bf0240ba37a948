#include "model_builder.hpp"
#include "open_model.hpp"

#include <gtest/gtest.h>

#include <map>
#include <ostream>

namespace backplane::onnx::test {
namespace {

using Bools = std::vector<bool>;
using Floats = std::vector<float>;
using Ints = std::vector<std::int64_t>;

/// A graph that is put into functions, and what it gives.
struct FunctionCase {
  std::string graph;
  std::vector<Data> inputs;
  std::vector<Data> outputs;
};

/// One or more for each operator between stages.
const std::multimap<std::string, FunctionCase>& GetCases() {
  const Data x({3}, Floats{3, 0, -2});
  const Data yes({}, Bools{true});
  const Data no({}, Bools{false});
  static const std::multimap<std::string, FunctionCase> cases = {
      {"Compress",
       {"f (float[N] x, bool[N] c) => (float[M] y) { k = Compress <axis = 0> (x, c) y = Neg(k) }",
        {x, Data({3}, Bools{true, false, true})},
        {Data({2}, Floats{-3, 2})}}},
      {"ConcatFromSequence",
       {"f (float[N] x) => (float[M] y) { d = Add(x, x) s = SequenceConstruct(x, d)"
        "  y = ConcatFromSequence <axis = 0> (s) }",
        {x},
        {Data({6}, Floats{3, 0, -2, 6, 0, -4})}}},
      {"If",
       {"f (bool c, float[N] x) => (float[M] y) { d = Add(x, x) y = If (c) <"
        "  then_branch = t () => (float[N] a) { a = Add(d, x) },"
        "  else_branch = e () => (float[K] b) { b = Concat <axis = 0> (x, d) }> }",
        {no, x},
        {Data({6}, Floats{3, 0, -2, 6, 0, -4})}}},
      {"If",
       {"f (bool c, float[N] x) => (float[M] y) { y = If (c) <"
        "  then_branch = t () => (float[N] y) { a = Add(x, x) y = Neg(a) },"
        "  else_branch = e () => (float[N] y) { y = Identity(x) }> }",
        {yes, x},
        {Data({3}, Floats{-6, -0.0F, 4})}}},
      {"Loop",
       {"f (int64 n, float[N] x) => (float[N] last, float[R, N] all) {"
        "  go = Constant <value = bool {1}> ()"
        "  last, all = Loop (n, go, x) <"
        "    body = b (int64 i, bool on, float[N] v) => (bool goes, float[N] w, float[N] seen) {"
        "      goes = Identity(on) w = Add(v, x) seen = Neg(v) }> }",
        {Data({}, Ints{2}), x},
        {Data({3}, Floats{9, 0, -6}), Data({2, 3}, Floats{-3, -0.0F, 2, -6, -0.0F, 4})}}},
      {"NonMaxSuppression",
       {"f (float[1, N, 4] b, float[1, 1, N] s) => (int64[M, 3] y) {"
        "  m = Constant <value = int64[1] {5}> () o = Constant <value = float[1] {0.5}> ()"
        "  y = NonMaxSuppression(b, s, m, o) }",
        {Data({1, 3, 4}, Floats{0, 0, 2, 2, 0, 0, 2, 2, 5, 5, 6, 6}),
         Data({1, 1, 3}, Floats{0.25F, 0.75F, 0.5F})},
        {Data({2, 3}, Ints{0, 0, 1, 0, 0, 2})}}},
      {"NonZero",
       {"f (float[N] x) => (int64[1, M] y) { d = Add(x, x) y = NonZero(d) }",
        {x},
        {Data({1, 2}, Ints{0, 2})}}},
      {"Optional",
       {"f (float[N] x) => (float[N] y) { o = Optional(x) g = OptionalGetElement(o) y = Neg(g) }",
        {x},
        {Data({3}, Floats{-3, -0.0F, 2})}}},
      {"OptionalGetElement",
       {"f (float[N] x) => (float[N] y) { d = Add(x, x) o = Optional(d)"
        "  y = OptionalGetElement(o) }",
        {x},
        {Data({3}, Floats{6, 0, -4})}}},
      {"OptionalHasElement",
       {"f (float[N] x) => (bool y) { o = Optional(x) y = OptionalHasElement(o) }", {x}, {yes}}},
      {"Scan",
       {"f (float[2] start, float[N, 2] rows) => (float[2] total, float[N, 2] sums) {"
        "  total, sums = Scan (start, rows) <num_scan_inputs = 1,"
        "    body = b (float[2] before, float[2] row) => (float[2] after, float[2] sum) {"
        "      part = Add(before, row) after = Add(part, start) sum = Identity(after) }> }",
        {Data({2}, Floats{1, 2}), Data({2, 2}, Floats{1, 2, 3, 4})},
        {Data({2}, Floats{7, 12}), Data({2, 2}, Floats{3, 6, 7, 12})}}},
      {"SequenceAt",
       {"f (float[N] x, int64 at) => (float[N] y) { d = Add(x, x) s = SequenceConstruct(x, d)"
        "  y = SequenceAt(s, at) }",
        {x, Data({}, Ints{-1})},
        {Data({3}, Floats{6, 0, -4})}}},
      {"SequenceConstruct",
       {"f (float[N] x) => (int64 y) { s = SequenceConstruct(x, x) y = SequenceLength(s) }",
        {x},
        {Data({}, Ints{2})}}},
      {"SequenceEmpty",
       {"f (float[N] x) => (float[N] y) { e = SequenceEmpty() s = SequenceInsert(e, x)"
        "  y = ConcatFromSequence <axis = 0> (s) }",
        {x},
        {x}}},
      {"SequenceErase",
       {"f (float[N] x) => (float[N] y) { d = Add(x, x) s = SequenceConstruct(x, d)"
        "  o = SequenceErase(s) y = ConcatFromSequence <axis = 0> (o) }",
        {x},
        {x}}},
      {"SequenceInsert",
       {"f (float[N] x, int64 at) => (float[M] y) { d = Add(x, x) s = SequenceConstruct(x)"
        "  t = SequenceInsert(s, d, at) y = ConcatFromSequence <axis = 0> (t) }",
        {x, Data({}, Ints{0})},
        {Data({6}, Floats{6, 0, -4, 3, 0, -2})}}},
      {"SequenceLength",
       {"f (float[N] x) => (int64 y) { s = SplitToSequence <axis = 0> (x) n = SequenceLength(s)"
        "  y = Add(n, n) }",
        {x},
        {Data({}, Ints{6})}}},
      {"SequenceMap",
       {"f (float[N] x) => (float[M] y) { s = SequenceConstruct(x, x)"
        "  t = SequenceMap (s) <body = b (float[N] v) => (float[N] w) { w = Add(v, x) }>"
        "  y = ConcatFromSequence <axis = 0> (t) }",
        {x},
        {Data({6}, Floats{6, 0, -4, 6, 0, -4})}}},
      {"SplitToSequence",
       {"f (float[N] x, int64[2] sizes) => (float[M] y) { s = SplitToSequence <axis = 0> (x, sizes)"
        "  one = Constant <value = int64 {1}> () y = SequenceAt(s, one) }",
        {x, Data({2}, Ints{1, 2})},
        {Data({2}, Floats{0, -2})}}},
      {"Unique",
       {"f (float[N] x) => (float[M] y) { d = Mul(x, x) y = Unique(d) }",
        {Data({3}, Floats{2, 0, -2})},
        {Data({2}, Floats{0, 4})}}},
  };
  return cases;
}

::onnx::FunctionProto& AddFunction(::onnx::ModelProto& model, const std::string& name) {
  ::onnx::FunctionProto& function = *model.add_functions();
  function.set_domain("local");
  function.set_name(name);
  *function.mutable_opset_import() = model.opset_import();
  return function;
}

/// A node that calls the function with the inputs of a graph, and gives its outputs.
::onnx::NodeProto MakeCall(const ::onnx::GraphProto& graph, const std::string& name) {
  ::onnx::NodeProto call;
  call.set_op_type(name);
  call.set_domain("local");
  for (const auto& input : graph.input()) call.add_input(input.name());
  for (const auto& output : graph.output()) call.add_output(output.name());
  return call;
}

/// The nodes of the graph become those of a function, which is called in their place.
void PutIntoFunction(::onnx::ModelProto& model, const std::string& name) {
  ::onnx::GraphProto& graph = *model.mutable_graph();
  ::onnx::FunctionProto& function = AddFunction(model, name);
  function.mutable_node()->Swap(graph.mutable_node());
  for (const auto& input : graph.input()) function.add_input(input.name());
  for (const auto& output : graph.output()) function.add_output(output.name());
  *graph.add_node() = MakeCall(graph, name);
}

/// The nodes of the graph become those of both branches of an If.
void PutIntoBranches(::onnx::ModelProto& model) {
  ::onnx::GraphProto& graph = *model.mutable_graph();
  ::onnx::NodeProto choice;
  choice.set_op_type("If");
  choice.add_input("which");
  for (const char* branch : {"then_branch", "else_branch"}) {
    ::onnx::AttributeProto& attribute = *choice.add_attribute();
    attribute.set_name(branch);
    attribute.set_type(::onnx::AttributeProto::GRAPH);
    ::onnx::GraphProto& within = *attribute.mutable_g();
    within.set_name(branch);
    *within.mutable_node() = graph.node();
    for (const auto& output : graph.output()) {
      ::onnx::ValueInfoProto& own = *within.add_output();
      own = output;
      own.set_name("own_" + output.name());
      ::onnx::NodeProto& forward = *within.add_node();
      forward.set_op_type("Identity");
      forward.add_input(output.name());
      forward.add_output(own.name());
    }
  }
  for (const auto& output : graph.output()) choice.add_output(output.name());
  ::onnx::ValueInfoProto& which = *graph.add_input();
  which.set_name("which");
  which.mutable_type()->mutable_tensor_type()->set_elem_type(::onnx::TensorProto::BOOL);
  which.mutable_type()->mutable_tensor_type()->mutable_shape();
  graph.clear_node();
  *graph.add_node() = choice;
}

TEST(StagedFunctions, MayHaveEveryOperatorBetweenStages) {
#define BACKPLANE_STAGE_OPERATOR(op, kind) \
  EXPECT_TRUE(GetCases().count(#op) > 0) << "no function with " #op;
#include "stage_operators.def"
#undef BACKPLANE_STAGE_OPERATOR
  for (const auto& [op, test] : GetCases()) {
    SCOPED_TRACE(op);
    ::onnx::ModelProto model = ParseCaller(test.graph);
    ExpectOutputs(model, test.inputs, test.outputs);
    PutIntoFunction(model, "Inner");
    ExpectOutputs(model, test.inputs, test.outputs);
    PutIntoFunction(model, "Outer");
    ExpectOutputs(model, test.inputs, test.outputs);
  }
}

TEST(StagedFunctions, MayBeCalledWithinBranchesAndHaveThem) {
  for (const auto& [op, test] : GetCases()) {
    SCOPED_TRACE(op);
    std::vector<Data> inputs = test.inputs;
    inputs.emplace_back(TensorShape(), Bools{false});
    ::onnx::ModelProto model = ParseCaller(test.graph);
    PutIntoFunction(model, "Inner");
    PutIntoBranches(model);
    ExpectOutputs(model, inputs, test.outputs);
    PutIntoFunction(model, "Outer");
    ExpectOutputs(model, inputs, test.outputs);
  }
}

// What a function is given and what it gives are values between stages.
TEST(StagedFunctions, StandBetweenOperationsOfStages) {
  ::onnx::ModelProto model = ParseCaller(
      "f (float[N] x) => (float[M] y) { at = NonZero(x) places = Double(at)"
      "  list = Transpose(places) halves = Half(list) y = GatherND(x, halves) }");
  for (const auto& [name, op_type] : {std::pair("Double", "Add"), {"Half", "Div"}}) {
    const bool is_half = *op_type == 'D';
    ::onnx::FunctionProto& function = AddFunction(model, name);
    function.add_input("x");
    function.add_output("y");
    if (is_half) {
      ::onnx::NodeProto& constant = *function.add_node();
      constant.set_op_type("Constant");
      constant.add_output("two");
      ::onnx::AttributeProto& value = *constant.add_attribute();
      value.set_name("value_int");
      value.set_type(::onnx::AttributeProto::INT);
      value.set_i(2);
    }
    ::onnx::NodeProto& node = *function.add_node();
    node.set_op_type(op_type);
    node.add_input("x");
    node.add_input(is_half ? "two" : "x");
    node.add_output("y");
  }
  for (::onnx::NodeProto& node : *model.mutable_graph()->mutable_node()) {
    if (node.op_type() == "Double" || node.op_type() == "Half") node.set_domain("local");
  }
  ExpectOutputs(model, {Data({4}, Floats{0, 5, 0, 7})}, {Data({2}, Floats{5, 7})});
}

TEST(StagedFunctions, MayComputeShapes) {
  ::onnx::ModelProto model = ParseCaller(
      "f (float[1] x, int64[1] n) => (float[M] y) { two = Constant <value = int64[1] {2}> ()"
      "  shape = Add(n, two) wide = Expand(x, shape) y = Add(wide, wide) }");
  PutIntoFunction(model, "Widen");
  ExpectOutputs(model, {Data({1}, Floats{3}), Data({1}, Ints{1})}, {Data({3}, Floats{6, 6, 6})});
}

}  // namespace
}  // namespace backplane::onnx::test
