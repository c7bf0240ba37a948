#include "model_builder.hpp"
#include "open_model.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <tuple>

namespace backplane::onnx::test {
namespace {

using Floats = std::vector<float>;
using Ints = std::vector<std::int64_t>;

constexpr char kLoop[] =
    "f (int64 count, float[2] x) => (float[2] last, float[R, 2] all) {"
    "  go = Constant <value = bool {1}> ()"
    "  last, all = Loop (count, go, x) <"
    "    body = b (int64 round, bool on, float[2] before) => (bool goes, float[2] after, float[2] "
    "seen) {"
    "      goes = Identity(on)"
    "      after = Add(before, x)"
    "      seen = Neg(before) }> }";

TEST(Loops, RunAsOftenAsDataSays) {
  OpenModel model(kLoop);
  const Data x({2}, Floats{1, 10});
  std::vector<Data> results = model.Run({Data({}, Ints{3}), x});
  EXPECT_EQ(results[0].Get<float>(), (Floats{4, 40}));
  EXPECT_EQ(results[1].info.shape, (TensorShape{3, 2}));
  EXPECT_EQ(results[1].Get<float>(), (Floats{-1, -10, -2, -20, -3, -30}));
  results = model.Run({Data({}, Ints{0}), x});
  EXPECT_EQ(results[0].Get<float>(), (Floats{1, 10}));
  EXPECT_EQ(results[1].info.shape, (TensorShape{0, 2}));
}

TEST(Loops, MayCarryWhatGrows) {
  OpenModel model(
      "f (int64 count, float[N] x) => (float[M] y) {"
      "  go = Constant <value = bool {1}> ()"
      "  y = Loop (count, go, x) <"
      "    body = b (int64 round, bool on, float[K] before) => (bool goes, float[L] after) {"
      "      goes = Identity(on)"
      "      after = Concat <axis = 0> (before, x) }> }");
  EXPECT_EQ(model.Run({Data({}, Ints{2}), Data({1}, Floats{7})})[0].Get<float>(),
            (Floats{7, 7, 7}));
}

TEST(Loops, ThatNeverEndAreEnded) {
  constexpr char kEndless[] =
      "f (bool go, float[1] x) => (float[1] y) {"
      "  most = Constant <value = int64 {9223372036854775807}> ()"
      "  y = Loop (most, go, x) <"
      "    body = b (int64 round, bool on, float[1] before) => (bool goes, float[1] after) {"
      "      goes = Identity(on)"
      "      after = Neg(before) }> }";
  const std::vector<Data> inputs = {Data({}, std::vector<bool>{true}), Data({1}, Floats{1})};
  ImportOptions few;
  few.max_loop_rounds = 100;
  OpenModel bounded(kEndless, few);
  const Diagnostic too_long = bounded.RunError(inputs);
  EXPECT_EQ(too_long.code, DiagnosticCode::kLoopTooLong);
  EXPECT_TRUE(Contains(too_long.why, "found 100 rounds")) << too_long.why;
  OpenModel model(kEndless);
  RunOptions options;
  options.timeout = std::chrono::milliseconds(100);
  EXPECT_EQ(model.RunError(inputs, options).code, DiagnosticCode::kRunTimedOut);
}

TEST(Scans, GoOverAnAxis) {
  OpenModel model(
      "f (float[2] start, float[N, 2] rows) => (float[2] total, float[N, 2] sums) {"
      "  total, sums = Scan (start, rows) <num_scan_inputs = 1,"
      "    body = b (float[2] before, float[2] row) => (float[2] after, float[2] sum) {"
      "      after = Add(before, row)"
      "      sum = Identity(after) }> }");
  const std::vector<Data> results =
      model.Run({Data({2}, Floats{0, 0}), Data({3, 2}, Floats{1, 2, 3, 4, 5, 6})});
  EXPECT_EQ(results[0].Get<float>(), (Floats{9, 12}));
  EXPECT_EQ(results[1].Get<float>(), (Floats{1, 2, 4, 6, 9, 12}));
}

// Rows of 64 bytes are used where they lie.
TEST(Scans, MayCarryRowsOfWhatTheyScan) {
  OpenModel model(
      "f (float[1, 16] start, float[N, 1, 16] rows) => (float[1, 16] last, float[N, 1, 16] all) {"
      "  last, all = Scan (start, rows) <num_scan_inputs = 1,"
      "    body = b (float[1, 16] before, float[1, 16] row)"
      "        => (float[1, 16] after, float[1, 16] each) {"
      "      after = Identity(row)"
      "      each = Neg(before) }> }");
  const Floats start(16, 1);
  Floats rows(16, 2);
  rows.resize(32, 3);
  const std::vector<Data> results = model.Run({Data({1, 16}, start), Data({2, 1, 16}, rows)});
  EXPECT_EQ(results[0].Get<float>(), Floats(16, 3));
  Floats before(16, -1);
  before.resize(32, -2);
  EXPECT_EQ(results[1].Get<float>(), before);
}

constexpr const char* kBatchedScan =
    "<ir_version: 3, opset_import: [\"\" : 8]>"
    "f (int64[B] lengths, float[B, 2] start, float[B, N, 2] rows)"
    "    => (float[B, 2] total, float[B, N, 2] sums) {"
    "  total, sums = Scan (lengths, start, rows) <num_scan_inputs = 1,"
    "    body = b (float[2] before, float[2] row) => (float[2] after, float[2] sum) {"
    "      after = Add(before, row)"
    "      sum = Identity(after) }> }";

TEST(Scans, OfOperatorSet8GoOverABatch) {
  OpenModel model(kBatchedScan);
  const Data start({2, 2}, Floats{0, 0, 10, 10});
  const Data rows({2, 3, 2}, Floats{1, 2, 3, 4, 5, 6, 1, 1, 1, 1, 9, 9});
  const std::vector<Data> results = model.Run({Data({2}, Ints{3, 2}), start, rows});
  EXPECT_EQ(results[0].Get<float>(), (Floats{9, 12, 12, 12}));
  EXPECT_EQ(results[1].info.shape, (TensorShape{2, 3, 2}));
  EXPECT_EQ(results[1].Get<float>(), (Floats{1, 2, 4, 6, 9, 12, 11, 11, 12, 12, 0, 0}));
  const Diagnostic wrong = model.RunError({Data({2}, Ints{3, 4}), start, rows});
  EXPECT_TRUE(Contains(wrong.why, "found a length of 4; expected 0 to 3")) << wrong.why;
}

TEST(Scans, OfOperatorSet8WantEqualLengths) {
  OpenModel model(
      "<ir_version: 3, opset_import: [\"\" : 8]>"
      "f (int64[B] lengths, float[B, 1] start, float[B, N, 1] a, float[B, M, 1] b)"
      "    => (float[B, 1] total, float[B, K, 1] sums) {"
      "  total, sums = Scan (lengths, start, a, b) <num_scan_inputs = 2,"
      "    body = g (float[1] before, float[1] x, float[1] y) => (float[1] after, float[1] sum) {"
      "      both = Add(x, y)"
      "      after = Add(before, both)"
      "      sum = Identity(after) }> }");
  const Data one({1}, Ints{1});
  const Data start({1, 1}, Floats{0});
  const Data shorter({1, 1, 1}, Floats{1});
  const Data longer({1, 100000, 1}, Floats(100000, 1));
  EXPECT_EQ(model.Run({one, start, shorter, shorter})[0].Get<float>(), Floats{2});
  for (const bool is_first : {false, true}) {
    const Diagnostic wrong =
        model.RunError({one, start, is_first ? longer : shorter, is_first ? shorter : longer});
    EXPECT_EQ(wrong.code, DiagnosticCode::kStageFailed);
    EXPECT_TRUE(Contains(wrong.why, "indices to scan")) << wrong.why;
  }
}

constexpr std::uint32_t kAllAxes = kMaxRank;

/// "1, 1, 1" of a rank.
std::string MakeOnes(std::uint32_t rank) {
  std::string text = "1";
  for (std::uint32_t i = 1; i < rank; ++i) text += ", 1";
  return text;
}

TEST(Ranks, ThatGrowTooLargeAreRefusedByTheirNode) {
  const std::string type = "float[" + MakeOnes(kAllAxes) + "] ";
  const std::string loop = "f (int64 n, " + type + "x) => (float[R, " + MakeOnes(kAllAxes - 1) +
                           "] all) { go = Constant <value = bool {1}> () all = Loop (n, go) <"
                           "    body = b (int64 i, bool on) => (bool goes, " +
                           type + "each) { goes = Identity(on) each = Neg(x) }> }";
  const std::string scan = "f (int64[N] n, " + type + "x) => (float[R, " + MakeOnes(kAllAxes - 1) +
                           "] all) { all = Scan (n) <num_scan_inputs = 1,"
                           "    body = b (int64 i) => (" +
                           type + "each) { each = Neg(x) }> }";
  const std::string join = "f (int64 n, " + type + "x) => (float[R, " + MakeOnes(kAllAxes - 1) +
                           "] all) { s = SequenceConstruct(x, x)"
                           "  all = ConcatFromSequence <axis = 0, new_axis = 1> (s) }";
  const std::string add = "f (int64[K] n, " + type + "x) => (float[R, " + MakeOnes(kAllAxes - 1) +
                          "] all) { all = Unsqueeze(x, n) }";
  const Data x({1, 1, 1, 1, 1, 1, 1, 1}, Floats{1});
  for (const auto& [graph, n] : {std::pair(loop, Data({}, Ints{2})),
                                 {scan, Data({1}, Ints{2})},
                                 {join, Data({}, Ints{2})},
                                 {add, Data({1}, Ints{0})}}) {
    SCOPED_TRACE(graph);
    const Diagnostic error = OpenModel(graph).RunError({n, x});
    EXPECT_EQ(error.code, DiagnosticCode::kStageFailed);
    const std::string text = ToText(error);
    EXPECT_TRUE(Contains(text, "cannot be run")) << text;
    EXPECT_TRUE(Contains(text, "8")) << text;
    EXPECT_FALSE(Contains(text, "export it again")) << text;
  }
}

// As ONNX Runtime does it.
TEST(Loops, TellTheirRoundsInTheShapeThatTheBodyStates) {
  for (const auto& [round, condition, sum] : {std::tuple("int64", "bool", 0),
                                              {"int64[1]", "bool", 1},
                                              {"int64", "bool[1]", 1},
                                              {"int64[1]", "bool[1]", 2},
                                              {"int64[N]", "bool", 1},
                                              {"int64[1, 1]", "bool", 2}}) {
    SCOPED_TRACE(std::string(round) + ", " + condition);
    OpenModel model(std::string("f (int64 n, int64[K] x) => (int64[A] shapes, int64 last) {"
                                "  go = Constant <value = bool {1}> ()"
                                "  zero = Constant <value = int64 {0}> ()"
                                "  shapes, last = Loop (n, go, x, zero) <body = b (") +
                    round + " i, " + condition + " on, int64[B] v, int64 l) => (" + condition +
                    " goes, int64[C] w, int64 m) { goes = Identity(on)"
                    "  s = Shape(i) t = Shape(on) w = Concat <axis = 0> (v, s, t)"
                    "  m = ReduceSum <keepdims = 0> (i) }> }");
    const std::vector<Data> found = model.Run({Data({}, Ints{3}), Data({1}, Ints{7})});
    EXPECT_EQ(found[0].info.shape, (TensorShape{1 + 3 * sum}));
    EXPECT_EQ(found[1].Get<std::int64_t>(), Ints{2});
  }
}

/// `attributes` of a Scan over the rows of x, of which each gives a row.
std::string MakeScan(const std::string& attributes, const std::string& type) {
  return "f (float[N, 2] x) => (float[A, B] y) { y = Scan (x) <num_scan_inputs = 1, " + attributes +
         ", body = b (float[K] r) => (" + type + " s) { s = Neg(r) }> }";
}

TEST(Scans, GoAlongAxesInBothDirections) {
  const Data x({3, 2}, Floats{1, 2, 3, 4, 5, 6});
  for (const auto& [attributes, expected] :
       {std::pair("scan_output_axes = [0]", Floats{-1, -2, -3, -4, -5, -6}),
        {"scan_output_axes = [1]", Floats{-1, -3, -5, -2, -4, -6}},
        {"scan_output_axes = [-1]", Floats{-1, -3, -5, -2, -4, -6}},
        {"scan_output_directions = [1]", Floats{-5, -6, -3, -4, -1, -2}},
        {"scan_output_axes = [1], scan_output_directions = [1]", Floats{-5, -3, -1, -6, -4, -2}},
        {"scan_input_axes = [1]", Floats{-1, -3, -5, -2, -4, -6}},
        {"scan_input_axes = [-1], scan_input_directions = [1]", Floats{-2, -4, -6, -1, -3, -5}}}) {
    SCOPED_TRACE(attributes);
    EXPECT_EQ(OpenModel(MakeScan(attributes, "float[K]")).Run({x})[0].Get<float>(), expected);
  }
}

TEST(Scans, HaveNoOtherAxesThanTheirTensors) {
  const Data x({3, 2}, Floats{1, 2, 3, 4, 5, 6});
  for (const char* attributes : {"scan_output_axes = [2]", "scan_output_axes = [-3]"}) {
    SCOPED_TRACE(attributes);
    const Diagnostic in_run = OpenModel(MakeScan(attributes, "float")).RunError({x});
    EXPECT_EQ(in_run.code, DiagnosticCode::kStageFailed);
    EXPECT_TRUE(Contains(in_run.what, "node Scan_0 (Scan) cannot be run")) << in_run.what;
    EXPECT_TRUE(Contains(in_run.why, "to collect float32 2 along; expected -2 to 1") ||
                Contains(in_run.why, "its axis is"))
        << in_run.why;
  }
  for (const char* attributes :
       {"scan_output_axes = [2]", "scan_output_axes = [-3]", "scan_input_axes = [2]",
        "scan_output_axes = [0, 0]", "scan_input_directions = [2]"}) {
    SCOPED_TRACE(attributes);
    std::string graph = MakeScan(attributes, "float[K]");
    graph.replace(graph.find("N, 2"), 4, "3, 2");
    const Diagnostic at_import = Catch([&] { OpenModel{graph}; });
    EXPECT_EQ(at_import.code, DiagnosticCode::kInvalidModel);
    EXPECT_EQ(at_import.what, "node Scan_0 (Scan) cannot be imported");
  }
}

TEST(Loops, AreRefusedOnRequest) {
  ImportOptions options;
  options.must_be_fixed = true;
  EXPECT_EQ(Catch([&] { OpenModel(kLoop, options); }).code, DiagnosticCode::kUnsupportedOperator);
  options.must_be_fixed = false;
  EXPECT_TRUE(OpenModel(kLoop, options).IsOpen());
}

}  // namespace
}  // namespace backplane::onnx::test
