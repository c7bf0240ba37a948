#include "model_builder.hpp"
#include "open_model.hpp"

#include <gtest/gtest.h>

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
  EXPECT_EQ(wrong.code, DiagnosticCode::kStageFailed) << ToText(wrong);
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

// The sizes add up to 2 when they are taken modulo 2^64.
TEST(Sequences, AreNotMadeOfPartsThatAreTooLarge) {
  OpenModel model(
      "f (float[N] x, int64[K] sizes) => (int64 count) {"
      "  parts = SplitToSequence <axis = 0> (x, sizes)"
      "  count = SequenceLength(parts) }");
  constexpr std::int64_t kHuge = std::int64_t{1} << 62;
  const Data x({2}, Floats{1, 2});
  const Diagnostic huge = model.RunError({x, Data({5}, Ints{kHuge, kHuge, kHuge, kHuge, 2})});
  EXPECT_EQ(huge.code, DiagnosticCode::kStageFailed);
  EXPECT_TRUE(Contains(huge.what, "node SplitToSequence_0 (SplitToSequence)")) << huge.what;
  EXPECT_TRUE(Contains(huge.why, "found a part of 4611686018427387904 where 2 are left of 2"))
      << huge.why;
  const Diagnostic less = model.RunError({x, Data({1}, Ints{1})});
  EXPECT_TRUE(Contains(less.why, "found parts that leave 1 of 2")) << less.why;
  EXPECT_EQ(model.Run({x, Data({2}, Ints{0, 2})})[0].Get<std::int64_t>(), Ints{2});
}

// Of the floats of 16 bits, the bits are looked at.
TEST(NonZero, LooksAtAllTypes) {
  using ::onnx::TensorProto;
  for (const auto type :
       {TensorProto::FLOAT, TensorProto::DOUBLE, TensorProto::FLOAT16, TensorProto::BFLOAT16,
        TensorProto::INT8, TensorProto::INT64, TensorProto::BOOL}) {
    SCOPED_TRACE(type);
    OpenModel model(std::string("f (float[N, M, 3] x) => (int64[3, K] y) { t = Cast <to = ") +
                    std::to_string(type) + "> (x) y = NonZero(t) }");
    EXPECT_EQ(model.Run({Data({1, 2, 3}, Floats{0, 1, 0, 2, -0.0F, 3})})[0].Get<std::int64_t>(),
              (Ints{0, 0, 0, 0, 1, 1, 1, 0, 2}));
  }
}

TEST(DataDependentShapes, ThatAreWrongAreTheFaultOfTheRun) {
  OpenModel model(
      "f (float[N] x, int64[2] target) => (float[A, B] y) {"
      "  shape = Add(target, target) y = Reshape(x, shape) }");
  const Diagnostic wrong = model.RunError({Data({6}, Floats(6)), Data({2}, Ints{2, 2})});
  EXPECT_EQ(wrong.code, DiagnosticCode::kStageFailed);
  EXPECT_EQ(wrong.what, "test.onnx cannot go on with a run");
  ASSERT_EQ(wrong.causes.size(), 1U);
  EXPECT_EQ(wrong.causes[0].what, "node Reshape_1 (Reshape) cannot be run");
  EXPECT_EQ(wrong.causes[0].fix, "give other data or shapes, or correct the model");
}

TEST(DataDependentShapes, OfOtherTensorsAreToldByTheirNode) {
  OpenModel model(
      "f (float[B, N, 4] boxes, float[B, C, M] scores) => (int64[K, 3] y) {"
      "  y = NonMaxSuppression(boxes, scores) }");
  const Diagnostic wrong = model.RunError({Data({1, 2, 4}, Floats(8)), Data({1, 1, 3}, Floats(3))});
  EXPECT_EQ(wrong.what, "node NonMaxSuppression_0 (NonMaxSuppression) cannot be run");
  EXPECT_TRUE(Contains(wrong.why, "found 1x2x4 float32, 1x1x3 float32")) << wrong.why;
}

}  // namespace
}  // namespace backplane::onnx::test
