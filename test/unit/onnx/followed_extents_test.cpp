/// Runs of open models for lengths of which the importer was not asked.

#include "model_builder.hpp"
#include "open_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace backplane::onnx::test {
namespace {

using Floats = std::vector<float>;
using Ints = std::vector<std::int64_t>;

/// 1, 2, 3 and so on.
Data CountUp(const TensorShape& shape) {
  Floats values(static_cast<std::size_t>(shape.GetNumElements()));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i + 1);
  return {shape, values};
}

int CountForeseen(OpenModel& model) {
  int count = 0;
  for (const PlanReport& plan : model.GetRuntime().GetPlanReports(model.GetId())) {
    for (const StageReport& stage : plan.stages) count += stage.is_foreseen ? 1 : 0;
  }
  return count;
}

/// The operators between an input x, float[N], and an output y.
std::string Between(const std::string& nodes) {
  return "f (float[N] x) => (float[M] y) {"
         "  zero = Constant <value = int64[1] {0}> ()"
         "  one = Constant <value = int64[1] {1}> ()"
         "  n = Shape(x)" +
         nodes + "}";
}

/// Runs a model for all lengths, of which it gives the first numbers. Gives how many stages of it
/// were foreseen.
int RunLengths(const std::string& nodes, const Ints& lengths,
               const std::function<std::int64_t(std::int64_t length)>& count) {
  OpenModel model(Between(nodes));
  for (const std::int64_t length : lengths) {
    SCOPED_TRACE(length);
    const std::vector<Data> results = model.Run({CountUp({length})});
    EXPECT_EQ(results.at(0).info.shape, (TensorShape{count(length)}));
    EXPECT_EQ(results.at(0).bytes, CountUp({count(length)}).bytes);
  }
  return CountForeseen(model);
}

constexpr char kSliceToEnd[] = "y = Slice(x, zero, end, zero)";

TEST(FollowedExtents, AreThoseOfNodesThatCalculateWithThem) {
  const std::string nodes = std::string("two = Constant <value = int64[1] {2}> ()") +
                            "twice = Mul(n, two) less = Sub(twice, n) end = Sub(less, two)" +
                            kSliceToEnd;
  EXPECT_EQ(RunLengths(nodes, {10, 11, 13, 14, 20, 7}, [](auto length) { return length - 2; }), 2);
}

TEST(FollowedExtents, EndWhereASliceIsCutOff) {
  const std::string nodes = std::string("end = Constant <value = int64[1] {20}> ()") + kSliceToEnd;
  const auto count = [](std::int64_t length) { return std::min<std::int64_t>(length, 20); };
  EXPECT_EQ(RunLengths(nodes, {10, 11, 12, 13, 16, 19, 20, 21, 30}, count), 2);
}

TEST(FollowedExtents, EndWhereASliceCountedFromTheEndDoes) {
  const std::string nodes = std::string("end = Constant <value = int64[1] {-9}> ()") + kSliceToEnd;
  const auto count = [](std::int64_t length) { return std::max<std::int64_t>(length - 9, 0); };
  EXPECT_EQ(RunLengths(nodes, {14, 15, 16, 17, 20, 12, 9, 5}, count), 2);
}

TEST(FollowedExtents, EndWhereASliceIsNoLongerEmpty) {
  const std::string nodes = std::string(
                                "thirty = Constant <value = int64[1] {30}> () start = Sub(n, one)"
                                "back = Constant <value = int64[1] {-1}> ()"
                                "all = Slice(x, start, thirty, zero, back) end = Shape(all)") +
                            kSliceToEnd;
  const auto count = [](std::int64_t length) { return std::max<std::int64_t>(length - 31, 0); };
  EXPECT_EQ(RunLengths(nodes, {20, 21, 22, 23, 25, 29, 33, 34}, count), 2);
}

TEST(FollowedExtents, EndWhereAComparisonIsAnother) {
  const std::string nodes = std::string(
                                "limit = Constant <value = int64[1] {20}> ()"
                                "two = Constant <value = int64[1] {2}> ()"
                                "is_long = Greater(n, limit) less = Sub(n, two)"
                                "end = Where(is_long, limit, less)") +
                            kSliceToEnd;
  const auto count = [](std::int64_t length) { return length > 20 ? 20 : length - 2; };
  EXPECT_EQ(RunLengths(nodes, {10, 11, 12, 13, 18, 19, 20, 21, 25}, count), 2);
}

TEST(FollowedExtents, EndWhereTheGreaterIsAnother) {
  const std::string nodes =
      std::string("limit = Constant <value = int64[1] {20}> () end = Min(n, limit)") + kSliceToEnd;
  const auto count = [](std::int64_t length) { return std::min<std::int64_t>(length, 20); };
  EXPECT_EQ(RunLengths(nodes, {10, 11, 12, 13, 16, 30, 31}, count), 1);
}

TEST(FollowedExtents, AreNotThoseOfTheGreatestOfMore) {
  const std::string nodes =
      std::string(
          "limit = Constant <value = int64[1] {20}> () most = Max(one, n, limit)"
          "double = Add(n, n) end = Sub(double, most)") +
      kSliceToEnd;
  const auto count = [](std::int64_t length) {
    return std::max<std::int64_t>(2 * length - std::max<std::int64_t>(length, 20), 0);
  };
  EXPECT_EQ(RunLengths(nodes, {12, 13, 14, 15, 16, 30}, count), 0);
}

TEST(FollowedExtents, EndWhereALastPartIsSmaller) {
  OpenModel model(
      "<ir_version: 8, opset_import: [\"\" : 18]> "
      "f (float[N] x) => (float[A] a, float[B] b) { a, b = Split <axis = 0, num_outputs = 2> (x) "
      "}");
  for (const std::int64_t length : {10, 12, 14, 16, 18, 19, 21}) {
    SCOPED_TRACE(length);
    const std::vector<Data> results = model.Run({CountUp({length})});
    EXPECT_EQ(results[0].info.shape, (TensorShape{(length + 1) / 2}));
    EXPECT_EQ(results[1].info.shape, (TensorShape{length / 2}));
  }
  EXPECT_EQ(CountForeseen(model), 1);
}

TEST(FollowedExtents, EndWhereARestIsAnother) {
  const std::string nodes = std::string(
                                "eight = Constant <value = int64[1] {8}> () rest = Mod(n, eight)"
                                "end = Add(rest, one)") +
                            kSliceToEnd;
  const auto count = [](std::int64_t length) { return length % 8 + 1; };
  EXPECT_EQ(RunLengths(nodes, {9, 10, 11, 12, 14, 17, 18, 23, 24, 33}, count), 1);
}

TEST(FollowedExtents, EndWhereAQuotientIsRounded) {
  const std::string nodes =
      std::string(
          "sixteen = Constant <value = int64[1] {16}> () quotient = Div(n, sixteen)"
          "end = Add(quotient, one)") +
      kSliceToEnd;
  const auto count = [](std::int64_t length) { return length / 16 + 1; };
  EXPECT_EQ(RunLengths(nodes, {9, 10, 11, 12, 13, 17, 33}, count), 1);
}

TEST(FollowedExtents, AreNotThoseOfRoundedReals) {
  const std::string nodes = std::string(
      "real = Cast <to = 1> (n) part = Constant <value = float[1] {0.1}> ()"
      "product = Mul(real, part) whole = Floor(product) end = Cast <to = 7> (whole)"
      "more = Add(end, one) y = Slice(x, zero, more, zero)");
  const auto count = [](std::int64_t length) { return length / 10 + 1; };
  EXPECT_EQ(RunLengths(nodes, {11, 12, 13, 14, 15, 21, 35}, count), 0);
}

TEST(FollowedExtents, AreNotThoseOfLargerSteps) {
  const std::string nodes =
      "many = Constant <value = int64[1] {100}> ()"
      "step = Constant <value = int64[1] {7}> ()"
      "all = Slice(x, zero, many, zero, step) count = Shape(all)"
      "y = Slice(x, zero, count, zero)";
  const auto count = [](std::int64_t length) { return (length + 6) / 7; };
  EXPECT_EQ(RunLengths(nodes, {9, 10, 11, 12, 13, 20}, count), 0);
}

TEST(FollowedExtents, EndWhereATableDoes) {
  std::string table = "table = Constant <value = float[70] {";
  for (int i = 0; i < 70; ++i) table += (i > 0 ? "," : "") + std::to_string(i + 1);
  OpenModel model(Between(table + "}> () y = Slice(table, zero, n, zero)"));
  for (const std::int64_t length : {20, 21, 22, 23, 40, 69, 70, 71, 75}) {
    SCOPED_TRACE(length);
    const std::int64_t count = std::min<std::int64_t>(length, 70);
    EXPECT_EQ(model.Run({CountUp({length})})[0].bytes, CountUp({count}).bytes);
  }
  EXPECT_EQ(CountForeseen(model), 2);
}

TEST(FollowedExtents, MayBeProductsOfTwo) {
  OpenModel model(
      "f (float[N, N, M] x) => (float[A, M] y) {"
      "  shape = Constant <value = int64[2] {-1, 0}> ()"
      "  last = Constant <value = int64[1] {2}> () all = Shape(x) m = Gather(all, last)"
      "  rest = Constant <value = int64[1] {-1}> () wanted = Concat <axis = 0> (rest, m)"
      "  y = Reshape(x, wanted) }");
  for (const std::int64_t n : {5, 6, 7, 9, 8, 10}) {
    const std::vector<Data> results = model.Run({CountUp({n, n, 3})});
    EXPECT_EQ(results[0].info.shape, (TensorShape{n * n, 3}));
    EXPECT_EQ(results[0].bytes, CountUp({n * n, 3}).bytes);
  }
  EXPECT_EQ(CountForeseen(model), 2);
}

TEST(FollowedExtents, AreNotThoseOfOperatorsOfWhichNothingIsKnown) {
  OpenModel model(
      "f (float[1, 1, N] x) => (float[1, 1, M] y) {"
      "  y = MaxPool <kernel_shape = [5], strides = [5]> (x) }");
  for (const std::int64_t n : {10, 11, 12, 13, 14, 15}) {
    EXPECT_EQ(model.Run({CountUp({1, 1, n})})[0].info.shape[2], n / 5);
  }
  EXPECT_EQ(CountForeseen(model), 0);
}

constexpr char kPlaces[] =
    "none = Constant <value = int64 {0}> () next = Constant <value = int64 {1}> ()"
    "count = Squeeze(n) places = Range(none, count, next)";

/// The product of a number for each place and the first of x, which is 1. The nodes make `numbers`
/// of the places 0, 1, 2 and so on, as many as x is long.
std::string OfPlaces(const std::string& nodes) {
  return Between(
      kPlaces + nodes +
      "reals = Cast <to = 1> (numbers) first = Slice(x, zero, one) y = Mul(reals, first)");
}

/// Runs such a model for all lengths. Gives how many stages of it were foreseen.
int RunPlaces(const std::string& nodes, const Ints& lengths,
              const std::function<float(std::int64_t place, std::int64_t length)>& expect) {
  OpenModel model(OfPlaces(nodes));
  for (const std::int64_t length : lengths) {
    SCOPED_TRACE(length);
    Floats expected;
    for (std::int64_t place = 0; place < length; ++place) {
      expected.push_back(expect(place, length));
    }
    EXPECT_EQ(model.Run({CountUp({length})})[0].bytes, (Data{{length}, expected}.bytes));
  }
  return CountForeseen(model);
}

TEST(FollowedExtents, LetMasksBeRecalculated) {
  const std::string window =
      "width = Constant <value = int64[1] {30}> () back = Sub(n, places)"
      "is_seen = Less(back, width) two = Constant <value = int64[1] {2}> ()"
      "numbers = Where(is_seen, zero, two)";
  const auto expect = [](std::int64_t place, std::int64_t length) {
    return length - place < 30 ? 0.0F : 2.0F;
  };
  EXPECT_EQ(RunPlaces(window, {20, 21, 22, 23, 29, 30, 31, 45, 70}, expect), 5);
}

TEST(FollowedExtents, LetMasksOfABranchBeRecalculated) {
  const std::string branch =
      "is_long = Greater(count, none) last = Sub(n, one)"
      "distances = If (is_long) <"
      "  then_branch = a () => (back) { back = Sub(last, places) },"
      "  else_branch = b () => (same) { same = Identity(places) }>"
      "half = Constant <value = int64[1] {2}> () numbers = Div(distances, half)";
  const auto expect = [](std::int64_t place, std::int64_t length) {
    return static_cast<float>((length - 1 - place) / 2);
  };
  EXPECT_EQ(RunPlaces(branch, {20, 21, 22, 23, 24, 25, 40, 79}, expect), 4);
}

TEST(FollowedExtents, LetDistancesInGroupsBeRecalculated) {
  const std::string groups =
      "eight = Constant <value = int64[1] {8}> () last = Sub(n, one)"
      "distances = Sub(last, places) half = Div(distances, eight)"
      "table = Constant <value = int64[10] {5, 3, 1, 4, 9, 2, 6, 8, 7, 0}> ()"
      "numbers = Gather(table, half)";
  const auto expect = [](std::int64_t place, std::int64_t length) {
    constexpr float kTable[] = {5, 3, 1, 4, 9, 2, 6, 8, 7, 0};
    return kTable[(length - 1 - place) / 8];
  };
  EXPECT_EQ(RunPlaces(groups, {20, 21, 22, 23, 24, 25, 40, 79}, expect), 4);
}

TEST(FollowedExtents, LetQuantisedTablesBeRecalculated) {
  OpenModel model(Between(std::string(kPlaces) +
                          "table = Constant <value = uint8[4] {8, 2, 6, 4}> ()"
                          "four = Constant <value = int64[1] {4}> () at = Mod(places, four)"
                          "numbers = Gather(table, at) half = Constant <value = float {0.5}> ()"
                          "reals = DequantizeLinear(numbers, half) first = Slice(x, zero, one)"
                          "y = Mul(reals, first)"));
  for (const std::int64_t length : {20, 21, 22, 23, 24, 25, 50}) {
    SCOPED_TRACE(length);
    Floats expected;
    for (std::int64_t place = 0; place < length; ++place) {
      expected.push_back(std::array<float, 4>{4, 1, 3, 2}[static_cast<std::size_t>(place % 4)]);
    }
    EXPECT_EQ(model.Run({CountUp({length})})[0].bytes, (Data{{length}, expected}.bytes));
  }
  EXPECT_EQ(CountForeseen(model), 3);
}

TEST(FollowedExtents, LetSumsOfThemBeRecalculated) {
  const std::string sums =
      "two = Constant <value = int64[1] {2}> () odd = Mod(places, two) numbers = CumSum(odd, none)";
  const auto expect = [](std::int64_t place, std::int64_t /*length*/) {
    return static_cast<float>((place + 1) / 2);
  };
  EXPECT_EQ(RunPlaces(sums, {20, 21, 22, 23, 24, 25, 40, 79}, expect), 4);
}

TEST(FollowedExtents, AreThoseOfABranchThatARunTakes) {
  OpenModel model(
      "merged (float[N] x, bool c) => (float[N] y) {"
      "  y = If (c) <"
      "    then_branch = t () => (float[N] a) { a = Relu(x) },"
      "    else_branch = e () => (float[N] b) { b = Neg(x) }> }");
  for (const std::int64_t length : {20, 21, 22, 23, 26, 30}) {
    const Data taken({}, std::vector<bool>{true});
    EXPECT_EQ(model.Run({CountUp({length}), taken})[0].bytes, CountUp({length}).bytes);
  }
  EXPECT_EQ(CountForeseen(model), 2);
  const auto plans = model.GetRuntime().GetPlanReports(model.GetId());
  ASSERT_EQ(plans.size(), 12U);
  EXPECT_EQ(plans.front().network, "merged");
  EXPECT_FALSE(plans.front().is_within);
  EXPECT_EQ(plans.back().network, "merged/If_0/then_branch");
  EXPECT_TRUE(plans.back().is_within);
  EXPECT_EQ(plans.back().num_runs, 1U);
}

TEST(FollowedExtents, MayComeWithConstantsWithoutElements) {
  OpenModel model(
      "f (float[N] x) => (float[N] y, float[M] z) {"
      "  y = Relu(x) z = Constant <value = float[0] {}> () }");
  for (const std::int64_t length : {20, 21, 22, 23, 26}) {
    const std::vector<Data> results = model.Run({CountUp({length})});
    EXPECT_EQ(results[0].bytes, CountUp({length}).bytes);
    EXPECT_EQ(results[1].info.shape, (TensorShape{0}));
  }
  EXPECT_EQ(CountForeseen(model), 1);
}

TEST(FollowedExtents, MayBeRealsInTheNetwork) {
  OpenModel model(Between("real = Cast <to = 1> (n) y = Mul(x, real)"));
  for (const std::int64_t length : {20, 21, 22, 23, 30, 33, 40, 70}) {
    SCOPED_TRACE(length);
    Floats expected;
    for (std::int64_t i = 1; i <= length; ++i) expected.push_back(static_cast<float>(i * length));
    EXPECT_EQ(model.Run({CountUp({length})})[0].bytes, (Data{{length}, expected}.bytes));
  }
  EXPECT_EQ(CountForeseen(model), 4);
}

TEST(FollowedExtents, EndWhereANumberOf32BitsWraps) {
  const std::string nodes = std::string(
                                "many = Constant <value = int32[1] {20000000}> ()"
                                "small = Cast <to = 6> (n) product = Mul(small, many)"
                                "large = Cast <to = 7> (product) past = Greater(large, zero)"
                                "late = Cast <to = 7> (past) end = Add(late, one)") +
                            kSliceToEnd;
  const auto count = [](std::int64_t length) { return length * 20000000 >= 1LL << 31 ? 1 : 2; };
  EXPECT_EQ(RunLengths(nodes, {30, 31, 32, 33, 100, 107, 108, 110}, count), 2);
}

TEST(FollowedExtents, MayBeCastToATypeThatIsNamed) {
  OpenModel model(
      "<ir_version: 3, opset_import: [\"\" : 5]> f (float[N] x) => (float[N] y) {"
      "  n = Shape(x) real = Cast <to = \"FLOAT\"> (n) y = Mul <broadcast = 1> (x, real) }");
  for (const std::int64_t length : {4, 5}) {
    Floats expected;
    for (std::int64_t i = 1; i <= length; ++i) expected.push_back(static_cast<float>(i * length));
    EXPECT_EQ(model.Run({CountUp({length})})[0].bytes, (Data{{length}, expected}.bytes));
  }
}

TEST(FollowedExtents, AreNotThoseOfAColumnComparedWithARow) {
  const std::string nodes = std::string(
                                "twenty = Constant <value = int64[1] {24}> ()"
                                "pair = Concat <axis = 0> (n, one) row = Unsqueeze(pair, zero)"
                                "other = Concat <axis = 0> (one, twenty)"
                                "column = Unsqueeze(other, one) are = Greater(row, column)"
                                "numbers = Cast <to = 7> (are)"
                                "total = ReduceSum <keepdims = 0> (numbers)"
                                "end = Reshape(total, one)") +
                            kSliceToEnd;
  const auto count = [](std::int64_t length) { return length > 24 ? 2 : 1; };
  RunLengths(nodes, {20, 21, 22, 23, 26, 30}, count);
}

TEST(FollowedExtents, EndWhereALastPartIsNoLongerSmaller) {
  OpenModel model(
      "<ir_version: 8, opset_import: [\"\" : 18]> " +
      Between(kPlaces +
              std::string("a, r, s, t, u, b = Split <axis = 0, num_outputs = 6> (places)"
                          "end = Shape(a)") +
              kSliceToEnd));
  for (const std::int64_t length : {37, 38, 39, 40, 41, 36}) {
    SCOPED_TRACE(length);
    const std::int64_t part = (length + 5) / 6;
    EXPECT_EQ(model.Run({CountUp({length})})[0].info.shape, (TensorShape{part}));
  }
}

TEST(FollowedExtents, EndWhereAnExtentThatNoLayerHasIsOne) {
  const std::string nodes = std::string(
                                "thirty = Constant <value = int64[1] {30}> ()"
                                "rest = Sub(thirty, n) both = Concat <axis = 0> (rest, n)"
                                "ones = ConstantOfShape(both) squeezed = Squeeze(ones)"
                                "all = Shape(squeezed) rank = Shape(all)"
                                "end = Add(rank, one)") +
                            kSliceToEnd;
  const auto count = [](std::int64_t length) { return length == 29 ? 2 : 3; };
  RunLengths(nodes, {20, 21, 22, 23, 25, 29}, count);
}

TEST(FollowedExtents, AreNotThoseThatARealDecides) {
  const std::string nodes = std::string(
                                "real = Cast <to = 1> (n)"
                                "little = Constant <value = float[1] {2e-9}> ()"
                                "whole = Constant <value = float[1] {1}> ()"
                                "product = Mul(real, little) sum = Add(product, whole)"
                                "up = Ceil(sum) end = Cast <to = 7> (up)") +
                            kSliceToEnd;
  const auto count = [](std::int64_t length) {
    return static_cast<std::int64_t>(std::ceil(static_cast<float>(length) * 2e-9F + 1.0F));
  };
  RunLengths(nodes, {20, 21, 22, 23, 40, 60, 70}, count);
}

/// Runs a model that gives as many numbers as there are places behind the first 25, and one.
int RunWithLate(const std::string& nodes) {
  OpenModel model(
      Between(kPlaces +
              std::string("limit = Constant <value = int64[1] {24}> ()"
                          "is_late = Greater(places, limit) late = Cast <to = 7> (is_late)"
                          "num_late = ReduceSum <keepdims = 0> (late)") +
              nodes + kSliceToEnd));
  for (const std::int64_t length : {20, 21, 22, 23, 26, 30, 40}) {
    SCOPED_TRACE(length);
    const std::int64_t count = std::max<std::int64_t>(length - 25, 0) + 1;
    EXPECT_EQ(model.Run({CountUp({length})})[0].bytes, CountUp({count}).bytes);
  }
  return CountForeseen(model);
}

TEST(FollowedExtents, AreNotThoseThatARecalculatedNumberDecides) {
  EXPECT_EQ(RunWithLate("late_list = Reshape(num_late, one) end = Add(late_list, one)"), 0);
  EXPECT_EQ(RunWithLate("more = Add(num_late, next) count_list = Reshape(more, one)"
                        "all = ConstantOfShape(count_list) end = Shape(all)"),
            0);
}

}  // namespace
}  // namespace backplane::onnx::test
