#include "model_builder.hpp"
#include "open_model.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace backplane::onnx::test {
namespace {

using Floats = std::vector<float>;
using Ints = std::vector<std::int64_t>;

TEST(DataDependentShapes, AreKnownWhenTheyHaveRun) {
  OpenModel model(
      "f (float[4] x) => (float[M] y) {"
      "  doubled = Add(x, x)"
      "  at = NonZero(doubled)"
      "  list = Transpose(at)"
      "  chosen = GatherND(doubled, list)"
      "  y = Neg(chosen) }");
  ASSERT_TRUE(model.IsOpen());
  EXPECT_EQ(model.Run({Data({4}, Floats{0, 1, 0, 2})})[0].Get<float>(), (Floats{-2, -4}));
  EXPECT_EQ(model.Run({Data({4}, Floats{3, 1, 0, 2})})[0].Get<float>(), (Floats{-6, -2, -4}));
  const std::vector<Data> none = model.Run({Data({4}, Floats{0, 0, 0, 0})});
  EXPECT_EQ(none[0].info.shape, (TensorShape{0}));
}

// What is too much to be evaluated while a model is imported is not while it runs.
TEST(DataDependentShapes, MayBeOfLargeTensors) {
  OpenModel boxes(
      "f (float[1, 3000, 4] boxes, float[1, 80, 3000] scores, int64 most, float overlap, float "
      "least)"
      " => (int64[M, 3] chosen) {"
      "  chosen = NonMaxSuppression(boxes, scores, most, overlap, least) }");
  Floats corners;
  for (int i = 0; i < 3000; ++i) {
    const auto at = static_cast<float>(i * 10);
    corners.insert(corners.end(), {at, at, at + 5, at + 5});
  }
  Floats scores(80 * 3000, 0.0F);
  scores[5 * 3000 + 7] = 0.9F;
  const std::vector<Data> chosen =
      boxes.Run({Data({1, 3000, 4}, corners), Data({1, 80, 3000}, scores), Data({}, Ints{10}),
                 Data({}, Floats{0.5F}), Data({}, Floats{0.5F})});
  EXPECT_EQ(chosen[0].Get<std::int64_t>(), (Ints{0, 5, 7}));
  OpenModel zeros("f (float[N] x) => (int64[1, M] at) { at = NonZero(x) }");
  Floats many(2 << 20, 0.0F);
  many[1 << 20] = 1.0F;
  EXPECT_EQ(zeros.Run({Data({2 << 20}, many)})[0].Get<std::int64_t>(), (Ints{1 << 20}));
}

TEST(Values, OfInputsDecideOnShapes) {
  OpenModel model(
      "f (float[2, 3] x, int64[2] target) => (float[A, B] y) {"
      "  y = Reshape(x, target) }");
  const Floats values = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(model.Run({Data({2, 3}, values), Data({2}, Ints{3, 2})})[0].info.shape,
            (TensorShape{3, 2}));
  EXPECT_EQ(model.Run({Data({2, 3}, values), Data({2}, Ints{1, 6})})[0].info.shape,
            (TensorShape{1, 6}));
  const Diagnostic wrong = model.RunError({Data({2, 3}, values), Data({2}, Ints{4, 2})});
  EXPECT_EQ(wrong.code, DiagnosticCode::kInvalidModel) << ToText(wrong);
}

TEST(Values, ThatAreComputedDecideOnShapes) {
  OpenModel model(
      "f (float[4] x, int64[1] count) => (float[M] y) {"
      "  one = Constant <value = int64[1] {1}> ()"
      "  end = Add(count, one)"
      "  zero = Constant <value = int64[1] {0}> ()"
      "  negated = Neg(x)"
      "  y = Slice(negated, zero, end) }");
  EXPECT_EQ(model.Run({Data({4}, Floats{1, 2, 3, 4}), Data({1}, Ints{1})})[0].Get<float>(),
            (Floats{-1, -2}));
  EXPECT_EQ(model.Run({Data({4}, Floats{1, 2, 3, 4}), Data({1}, Ints{2})})[0].Get<float>(),
            (Floats{-1, -2, -3}));
}

constexpr char kBranches[] =
    "f (bool condition, float[N] x) => (float[M] y) {"
    "  y = If (condition) <"
    "    then_branch = t () => (float[N] a) { a = Neg(x) },"
    "    else_branch = e () => (float[K] b) { b = Concat <axis = 0> (x, x) }> }";

TEST(Branches, AreTakenAsDataSays) {
  OpenModel model(kBranches);
  const Data x({2}, Floats{1, 2});
  EXPECT_EQ(model.Run({Data({}, std::vector<bool>{true}), x})[0].Get<float>(), (Floats{-1, -2}));
  EXPECT_EQ(model.Run({Data({}, std::vector<bool>{false}), x})[0].Get<float>(),
            (Floats{1, 2, 1, 2}));
}

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

TEST(Sequences, AreMadeTakenApartAndJoined) {
  OpenModel model(
      "f (float[N, 2] x, int64 place) => (float[A, 2] joined, float[B, 2] one, int64 count) {"
      "  two = Constant <value = int64 {2}> ()"
      "  parts = SplitToSequence <axis = 0> (x, two)"
      "  more = SequenceInsert(parts, x, place)"
      "  joined = ConcatFromSequence <axis = 0> (more)"
      "  one = SequenceAt(more, place)"
      "  count = SequenceLength(more) }");
  const std::vector<Data> results =
      model.Run({Data({3, 2}, Floats{1, 2, 3, 4, 5, 6}), Data({}, Ints{0})});
  EXPECT_EQ(results[0].info.shape, (TensorShape{6, 2}));
  EXPECT_EQ(results[1].Get<float>(), (Floats{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(results[2].Get<std::int64_t>(), Ints{3});
  const Diagnostic wrong = model.RunError({Data({3, 2}, Floats(6)), Data({}, Ints{9})});
  EXPECT_EQ(wrong.code, DiagnosticCode::kStageFailed);
  EXPECT_TRUE(Contains(wrong.why, "found position 9; expected one of a list of 2")) << wrong.why;
}

TEST(Sequences, CountPositionsFromTheirEnd) {
  OpenModel model(
      "f (float[N] x, float[M] y, int64 place) => (float[A] joined) {"
      "  two = SequenceConstruct(x, x)"
      "  three = SequenceInsert(two, y, place)"
      "  joined = ConcatFromSequence <axis = 0> (three) }");
  const auto insert = [&](std::int64_t place) {
    return model.Run({Data({1}, Floats{1}), Data({1}, Floats{5}), Data({}, Ints{place})})[0]
        .Get<float>();
  };
  EXPECT_EQ(insert(-1), (Floats{1, 5, 1}));
  EXPECT_EQ(insert(-2), (Floats{5, 1, 1}));
  EXPECT_EQ(insert(2), (Floats{1, 1, 5}));
  EXPECT_EQ(model.RunError({Data({1}, Floats{1}), Data({1}, Floats{5}), Data({}, Ints{-3})}).code,
            DiagnosticCode::kStageFailed);
}

TEST(Branches, WithinLoopsSeeWhatIsAroundThem) {
  OpenModel model(
      "f (int64 count, float[1] x) => (float[1] y) {"
      "  go = Constant <value = bool {1}> ()"
      "  two = Constant <value = int64 {2}> ()"
      "  ten = Constant <value = float[1] {10.0}> ()"
      "  y = Loop (count, go, x) <"
      "    body = b (int64 round, bool on, float[1] before) => (bool goes, float[1] after) {"
      "      goes = Identity(on)"
      "      early = Less(round, two)"
      "      after = If (early) <"
      "        then_branch = t () => (float[1] a) { a = Add(before, x) },"
      "        else_branch = e () => (float[1] c) { c = Mul(before, ten) }> }> }");
  // 1, 2, 3, 30, 300
  EXPECT_EQ(model.Run({Data({}, Ints{4}), Data({1}, Floats{1})})[0].Get<float>(), Floats{300});
}

TEST(DataDependentShapes, AreRefusedOnRequest) {
  ImportOptions options;
  options.must_be_fixed = true;
  EXPECT_EQ(Catch([&] { OpenModel(kLoop, options); }).code, DiagnosticCode::kUnsupportedOperator);
  options.must_be_fixed = false;
  EXPECT_TRUE(OpenModel(kLoop, options).IsOpen());
}

}  // namespace
}  // namespace backplane::onnx::test
