#include "model_builder.hpp"
#include "open_model.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace backplane::onnx::test {
namespace {

using Floats = std::vector<float>;
using Ints = std::vector<std::int64_t>;

constexpr char kDoubles[] = "f (float[N, 2] x) => (float[N, 2] y) { y = Add(x, x) }";

TEST(OpenShapes, RunWithWhateverShapeFits) {
  OpenModel model(kDoubles);
  ASSERT_TRUE(model.IsOpen());
  EXPECT_EQ(model.GetNetwork().GetInputs()[0].info.shape, (TensorShape{kOpenExtent, 2}));
  for (const std::int64_t rows : {1, 3, 1, 2}) {
    const Floats values(static_cast<std::size_t>(rows * 2), 1.5F);
    const std::vector<Data> results = model.Run({Data({rows, 2}, values)});
    EXPECT_EQ(results[0].info.shape, (TensorShape{rows, 2}));
    EXPECT_EQ(results[0].Get<float>(), Floats(values.size(), 3.0F));
  }
  EXPECT_EQ(model.GetRuntime().GetPlanReports(model.GetId()).size(), 3U);
}

TEST(OpenShapes, AreRefusedWhereTheyDoNotFit) {
  OpenModel model(kDoubles);
  const Diagnostic wrong = model.RunError({Data({2, 3}, Floats(6))});
  EXPECT_EQ(wrong.code, DiagnosticCode::kWrongTensorBinding);
  EXPECT_TRUE(Contains(wrong.why, "input 0 (\"x\") is float32 [2, 3], expected float32 [N, 2]"))
      << wrong.why;
  const Diagnostic no_input = model.RunError({});
  EXPECT_TRUE(Contains(no_input.why, "input 0 (\"x\") is given 0 times, expected once"));
  EXPECT_EQ(model.Run({Data({1, 2}, Floats{1, 2})})[0].Get<float>(), (Floats{2, 4}));
}

TEST(OpenShapes, WithOneNameAreEqual) {
  OpenModel model("f (float[N] a, float[N] b) => (float[N] y) { y = Add(a, b) }");
  const Diagnostic wrong = model.RunError({Data({2}, Floats(2)), Data({3}, Floats(3))});
  EXPECT_EQ(wrong.code, DiagnosticCode::kWrongTensorBinding);
  EXPECT_TRUE(Contains(wrong.why, "N is 2 as axis 0 of input 0 (\"a\") and 3 as axis 0 of input 1"))
      << wrong.why;
}

TEST(OpenShapes, OfTensorsWithoutElementsMayDiffer) {
  // Decoders get such caches with the first token.
  OpenModel model(
      "f (float[N] a, float[N] b, float[N] c) => (float[M] y, float[M] z) {"
      "  y = Concat <axis = 0> (a, b)"
      "  z = Concat <axis = 0> (b, c) }");
  const auto outputs =
      model.Run({Data({0}, Floats()), Data({2}, Floats{1, 2}), Data({0}, Floats())});
  EXPECT_EQ(outputs[0].Get<float>(), (Floats{1, 2}));
  EXPECT_EQ(outputs[1].Get<float>(), (Floats{1, 2}));
  const Diagnostic wrong =
      model.RunError({Data({0}, Floats()), Data({2}, Floats(2)), Data({3}, Floats(3))});
  EXPECT_TRUE(Contains(wrong.why, "N is 2 as axis 0 of input 1 (\"b\") and 3 as axis 0 of input 2"))
      << wrong.why;
}

TEST(OpenShapes, GoThroughWhatComputesWithThem) {
  OpenModel model(
      "f (float[N, C, 2] x) => (float[N, M] y) {"
      "  shape = Shape(x)"
      "  zero = Constant <value = int64 {0}> ()"
      "  n = Gather(shape, zero)"
      "  axes = Constant <value = int64[1] {0}> ()"
      "  n1 = Unsqueeze(n, axes)"
      "  rest = Constant <value = int64[1] {-1}> ()"
      "  target = Concat <axis = 0> (n1, rest)"
      "  y = Reshape(x, target) }");
  EXPECT_EQ(model.Run({Data({2, 3, 2}, Floats(12))})[0].info.shape, (TensorShape{2, 6}));
  EXPECT_EQ(model.Run({Data({1, 5, 2}, Floats(10))})[0].info.shape, (TensorShape{1, 10}));
}

TEST(OpenShapes, FillRoomThatIsGiven) {
  OpenModel model(kDoubles);
  Floats room(8, -1.0F);
  ResultTensor result;
  OutputTensor output;
  output.data = room.data();
  output.size_bytes = room.size() * sizeof(float);
  std::optional<Diagnostic> failure;
  const std::vector<Data> inputs = {Data({1, 2}, Floats{1, 2})};
  EXPECT_EQ(model.Enqueue(inputs, {output}, {}, failure), Status::kInvalidArgument);
  EXPECT_TRUE(Contains(failure->why, "has room for 32 bytes, expected 8")) << failure->why;
  output.result = &result;
  EXPECT_EQ(model.Enqueue(inputs, {output}, {}, failure), Status::kSuccess);
  EXPECT_EQ(result.info.shape, (TensorShape{1, 2}));
  EXPECT_EQ(result.data, nullptr);
  EXPECT_EQ(room[1], 4.0F);
  EXPECT_EQ(room[2], -1.0F);
}

/// Options that leave room for this many plans of kDoubles.
OptimizerOptions KeepPlans(std::uint64_t count) {
  OpenModel model(kDoubles, {}, {});
  model.Run({Data({1, 2}, Floats{1, 2})});
  const PlanReport plan = model.GetRuntime().GetPlanReports(model.GetId()).at(0);
  OptimizerOptions options;
  options.max_plan_bytes = count * plan.size_bytes + plan.size_bytes / 2;
  return options;
}

TEST(OpenShapes, KeepAsManyPlansAsTheyMay) {
  OpenModel model(kDoubles, {}, KeepPlans(2));
  for (const std::int64_t rows : {1, 2, 3, 2, 4}) {
    model.Run({Data({rows, 2}, Floats(static_cast<std::size_t>(2 * rows)))});
  }
  std::vector<TensorShape> shapes;
  for (const PlanReport& plan : model.GetRuntime().GetPlanReports(model.GetId())) {
    shapes.push_back(plan.input_shapes[0]);
  }
  EXPECT_EQ(shapes, (std::vector<TensorShape>{{2, 2}, {4, 2}}));
  const TransferReport transfers = model.GetRuntime().GetTransferReport(model.GetId());
  EXPECT_EQ(transfers.inputs[0].imported_runs + transfers.inputs[0].copied_runs, 5U);
}

TEST(OpenShapes, ArePlannedAheadWhenAnnounced) {
  OptimizerOptions options;
  options.announced_shapes = {{{4, 2}}, {{5, 2}}};
  OpenModel model(kDoubles, {}, options);
  EXPECT_EQ(model.GetRuntime().GetPlanReports(model.GetId()).size(), 2U);
  options.announced_shapes = {{{4, 3}}};
  const Diagnostic wrong = Catch([&] { OpenModel(kDoubles, {}, options); });
  EXPECT_EQ(wrong.code, DiagnosticCode::kWrongTensorBinding);
  EXPECT_TRUE(Contains(wrong.why, "is announced as float32 [4, 3], expected float32 [N, 2]"));
}

TEST(OpenShapes, MayBeThoseOfSeveralRunsAtOnce) {
  OpenModel model(kDoubles, {}, KeepPlans(3));
  std::vector<std::thread> threads;
  for (std::int64_t thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&model, thread] {
      for (std::int64_t run = 0; run < 40; ++run) {
        const std::int64_t rows = 1 + (run * (thread + 1)) % 7;
        const Floats values(static_cast<std::size_t>(2 * rows), static_cast<float>(thread));
        const std::vector<Data> results = model.Run({Data({rows, 2}, values)});
        EXPECT_EQ(results[0].info.shape, (TensorShape{rows, 2}));
        EXPECT_EQ(results[0].Get<float>(),
                  Floats(values.size(), 2.0F * static_cast<float>(thread)));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(OpenShapes, WinOverStatedOnesWhenTheyMay) {
  ImportOptions options;
  options.input_shapes["x"] = {3, 2};
  const std::string graph = "f (float[1, 2] x) => (float[1, 2] y) { y = Neg(x) }";
  EXPECT_EQ(Catch([&] { OpenModel(graph, options); }).code, DiagnosticCode::kWrongInput);
  options.may_override_shapes = true;
  OpenModel model(graph, options);
  EXPECT_FALSE(model.IsOpen());
  EXPECT_EQ(model.Run({Data({3, 2}, Floats(6))})[0].info.shape, (TensorShape{3, 2}));
  options.input_shapes["x"] = {kOpenExtent, 2};
  OpenModel opened(graph, options);
  EXPECT_TRUE(opened.IsOpen());
  EXPECT_EQ(opened.Run({Data({5, 2}, Floats(10))})[0].info.shape, (TensorShape{5, 2}));
}

TEST(OpenShapes, AreRefusedOnRequest) {
  ImportOptions options;
  options.must_be_fixed = true;
  EXPECT_EQ(Catch([&] { OpenModel(kDoubles, options); }).code, DiagnosticCode::kUnknownDimension);
}

TEST(OpenShapes, ThatFailInTheMiddleLeaveTheOthers) {
  OpenModel model("f (float[N] a, float[M] b) => (float[K] y) { y = Add(a, b) }");
  EXPECT_EQ(model.RunError({Data({2}, Floats(2)), Data({3}, Floats(3))}).code,
            DiagnosticCode::kStageFailed);
  EXPECT_EQ(model.Run({Data({2}, Floats{1, 2}), Data({1}, Floats{3})})[0].Get<float>(),
            (Floats{4, 5}));
}

TEST(ModelDescription, SaysWhatTheModelDoes) {
  ModelBuilder model;
  model.Input("x", {-1, 3}).Output("y", {-1, 3}).Node("Neg", {"x"}, {"y"});
  model.GetProto().set_producer_name("maker");
  model.GetProto().set_producer_version("2");
  auto& property = *model.GetProto().add_metadata_props();
  property.set_key("author");
  property.set_value("somebody");
  const ModelDescription description =
      DescribeModelFromMemory(model.GetProto().SerializeAsString());
  EXPECT_EQ(description.producer, "maker 2");
  EXPECT_EQ(description.properties.at("author"), "somebody");
  EXPECT_EQ(description.inputs.at(0).dims, (Dims{kOpenExtent, 3}));
  EXPECT_EQ(description.outputs.at(0).name, "y");
  EXPECT_EQ(description.num_nodes, 1U);
  EXPECT_EQ(description.operator_sets.at(""), 13);
}

TEST(OpenShapes, OfInputsMayBeCalledOtherwiseInABranchThatIsTaken) {
  OpenModel model(
      "f (float[N] x) => (float[N] y) { yes = Constant <value = bool {1}> ()"
      "  y = If (yes) < then_branch = t () => (float[N] a) { i = Identity(x) a = Add(i, x) },"
      "    else_branch = e () => (float[N] b) { b = Neg(x) }> }");
  const std::vector<Data> outputs = model.Run({Data({2}, std::vector<float>{1, 2})});
  EXPECT_EQ(outputs[0].Get<float>(), (std::vector<float>{2, 4}));
}

}  // namespace
}  // namespace backplane::onnx::test
