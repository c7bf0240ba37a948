#include "model_builder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace backplane::onnx::test {
namespace {

using Floats = std::vector<float>;

void ExpectNearReduction(const Floats& found, const Floats& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-5F) << i;
}

std::string GetReductionReason(const ModelBuilder& builder, DiagnosticCode code) {
  const Diagnostic error = builder.ImportError();
  EXPECT_EQ(error.code, code);
  return error.causes.empty() ? error.why : error.causes.at(0).what + ": " + error.causes.at(0).why;
}

ModelBuilder MakeReductionUnary(const std::string& op_type, const Dims& dims,
                                std::int64_t opset = 13) {
  ModelBuilder builder(opset);
  builder.Input("x", dims).Output("y", Dims(dims.size(), -1)).Node(op_type, {"x"}, {"y"});
  return builder;
}

TEST(LogSoftmax, TakesTheLastAxisOrAllFromTheSecondOn) {
  const float half = std::log(0.5F);
  const float quarter = std::log(0.25F);
  ExpectNearReduction(MakeReductionUnary("LogSoftmax", {1, 2, 2}, 13).Run({{1, 1, 2, 2}}),
                      {half, half, half, half});
  ExpectNearReduction(MakeReductionUnary("LogSoftmax", {1, 2, 2}, 11).Run({{1, 1, 1, 1}}),
                      {quarter, quarter, quarter, quarter});
}

TEST(Hardmax, TakesTheLastAxisOrAllFromTheSecondOn) {
  ExpectNearReduction(MakeReductionUnary("Hardmax", {1, 2, 2}, 13).Run({{1, 3, 3, 2}}),
                      {0, 1, 1, 0});
  ExpectNearReduction(MakeReductionUnary("Hardmax", {1, 2, 2}, 1).Run({{1, 3, 3, 2}}),
                      {0, 1, 0, 0});
}

/// Of two entries with the classes 1 and 0.
ModelBuilder MakeLoss(const std::string& op_type, const std::string& reduction,
                      const Names& outputs) {
  ModelBuilder builder;
  builder.Input("x", {2, 2}).Int64s("target", {1, 0}).Floats("weight", {2}, {1, 3});
  builder.Output(outputs.back(), {});
  builder.Node(op_type, {"x", "target", "weight"}, outputs).String("reduction", reduction);
  return builder;
}

TEST(NegativeLogLikelihoodLoss, ReadsItsReduction) {
  const auto run = [](const std::string& reduction) {
    return MakeLoss("NegativeLogLikelihoodLoss", reduction, {"y"}).Run({{-1, -2, -4, -8}});
  };
  ExpectNearReduction(run("none"), {6, 4});
  ExpectNearReduction(run("sum"), {10});
  ExpectNearReduction(run("mean"), {2.5F});
}

TEST(NegativeLogLikelihoodLoss, RefusesOtherReductions) {
  EXPECT_TRUE(Contains(GetReductionReason(MakeLoss("NegativeLogLikelihoodLoss", "max", {"y"}),
                                          DiagnosticCode::kUnsupportedAttribute),
                       "only none, mean and sum"));
}

TEST(NegativeLogLikelihoodLoss, IgnoresAnIndex) {
  ModelBuilder builder;
  builder.Input("x", {2, 2}).Int64s("target", {1, -100}).Output("y", {});
  builder.Node("NegativeLogLikelihoodLoss", {"x", "target"}, {"y"}).Int("ignore_index", -100);
  ExpectNearReduction(builder.Run({{-1, -2, -4, -8}}), {2});
}

TEST(SoftmaxCrossEntropyLoss, GivesTheLossAndTheLogarithms) {
  const float half = std::log(0.5F);
  ExpectNearReduction(MakeLoss("SoftmaxCrossEntropyLoss", "mean", {"y"}).Run({{5, 5, 7, 7}}),
                      {-half});
  ExpectNearReduction(
      MakeLoss("SoftmaxCrossEntropyLoss", "mean", {"y", "log_prob"}).Run({{5, 5, 7, 7}}),
      {half, half, half, half});
}

TEST(Reduce, IsThatOfItsOperator) {
  const auto run = [](const std::string& op_type) {
    return MakeReductionUnary(op_type, {2, 2}).Run({{1, 2, 3, 4}});
  };
  ExpectNearReduction(run("ReduceSum"), {10});
  ExpectNearReduction(run("ReduceMean"), {2.5F});
  ExpectNearReduction(run("ReduceMax"), {4});
  ExpectNearReduction(run("ReduceMin"), {1});
  ExpectNearReduction(run("ReduceProd"), {24});
  ExpectNearReduction(run("ReduceL1"), {10});
  ExpectNearReduction(run("ReduceL2"), {std::sqrt(30.0F)});
  ExpectNearReduction(run("ReduceLogSum"), {std::log(10.0F)});
  ExpectNearReduction(run("ReduceLogSumExp"), {4.4401897F});
  ExpectNearReduction(run("ReduceSumSquare"), {30});
}

TEST(Reduce, KeepsAxesUnlessToldOtherwise) {
  EXPECT_EQ(MakeReductionUnary("ReduceMax", {2, 3}).GetOutputShape(), (TensorShape{1, 1}));
  ModelBuilder builder;
  builder.Input("x", {2, 3}).Output("y");
  builder.Node("ReduceMax", {"x"}, {"y"}).Ints("axes", {-1}).Int("keepdims", 0);
  EXPECT_EQ(builder.GetOutputShape(), (TensorShape{2}));
  ExpectNearReduction(builder.Run({{1, 5, 2, 9, 8, 7}}), {5, 9});
}

TEST(Reduce, ReadsAxesInEveryOperatorSet) {
  for (const std::int64_t opset : {1, 11, 12, 13, 17}) {
    SCOPED_TRACE(opset);
    ModelBuilder builder(opset);
    builder.Input("x", {2, 2}).Output("y");
    if (opset >= 13) {
      builder.Int64s("axes", {0}).Node("ReduceSum", {"x", "axes"}, {"y"}).Int("keepdims", 0);
    } else {
      builder.Node("ReduceSum", {"x"}, {"y"}).Ints("axes", {0}).Int("keepdims", 0);
    }
    ExpectNearReduction(builder.Run({{1, 2, 3, 4}}), {4, 6});
  }
}

TEST(Reduce, WithoutAxesMayChangeNothing) {
  ModelBuilder builder;
  builder.Input("x", {2, 2}).Output("y", {-1, -1}).Int64s("axes", {});
  builder.Node("ReduceSum", {"x", "axes"}, {"y"}).Int("noop_with_empty_axes", 1);
  ExpectNearReduction(builder.Run({{1, 2, 3, 4}}), {1, 2, 3, 4});
}

TEST(Reduce, WithoutAxesMayReduceEachElementByItself) {
  const auto run = [](const std::string& op_type) {
    ModelBuilder builder(18);
    builder.Input("x", {2}).Output("y");
    builder.Node(op_type, {"x"}, {"y"}).Int("noop_with_empty_axes", 1).Int("keepdims", 0);
    return builder.Run({{0.5F, 3}});
  };
  for (const char* op_type : {"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd",
                              "ReduceL1", "ReduceL2", "ReduceLogSumExp"}) {
    SCOPED_TRACE(op_type);
    ExpectNearReduction(run(op_type), {0.5F, 3});
  }
  ExpectNearReduction(run("ReduceSumSquare"), {0.25F, 9});
  ExpectNearReduction(run("ReduceLogSum"), {std::log(0.5F), std::log(3.0F)});
}

TEST(Reduce, OfBoolIsAnyOrAll) {
  const auto run = [](const std::string& op_type, const Dims& dims, const Floats& values) {
    ModelBuilder builder(20);
    builder.Input("x", dims).Output("y").Int64s("axes", {1});
    builder.Node("Cast", {"x"}, {"flags"}).Int("to", ::onnx::TensorProto::BOOL);
    builder.Node(op_type, {"flags", "axes"}, {"reduced"}).Int("keepdims", 0);
    builder.Node("Cast", {"reduced"}, {"y"}).Int("to", ::onnx::TensorProto::FLOAT);
    return builder.Run({values});
  };
  ExpectNearReduction(run("ReduceMax", {3, 2}, {0, 0, 0, 1, 1, 1}), {0, 1, 1});
  ExpectNearReduction(run("ReduceMin", {3, 2}, {0, 0, 0, 1, 1, 1}), {0, 0, 1});
  ExpectNearReduction(run("ReduceMax", {1, 0}, {}), {0});
  ExpectNearReduction(run("ReduceMin", {1, 0}, {}), {1});
}

TEST(Reduce, RefusesBoolWhereItHasNoMeaning) {
  ModelBuilder builder(20);
  builder.Input("x", {2}).Output("y");
  builder.Node("Cast", {"x"}, {"flags"}).Int("to", ::onnx::TensorProto::BOOL);
  builder.Node("ReduceSum", {"flags"}, {"y"});
  GetReductionReason(builder, DiagnosticCode::kInvalidModel);
}

TEST(Reduce, OfNothingIsWhatChangesNothing) {
  const auto run = [](const std::string& op_type) {
    ModelBuilder builder(20);
    builder.Input("x", {2, 0}).Output("y").Int64s("axes", {1});
    builder.Node(op_type, {"x", "axes"}, {"y"}).Int("keepdims", 0);
    return builder.Run({{}});
  };
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const char* op_type : {"ReduceSum", "ReduceL1", "ReduceL2", "ReduceSumSquare"}) {
    EXPECT_EQ(run(op_type), (Floats{0, 0})) << op_type;
  }
  EXPECT_EQ(run("ReduceProd"), (Floats{1, 1}));
  for (const char* op_type : {"ReduceMax", "ReduceLogSum", "ReduceLogSumExp"}) {
    EXPECT_EQ(run(op_type), (Floats{-kInfinity, -kInfinity})) << op_type;
  }
  EXPECT_EQ(run("ReduceMin"), (Floats{kInfinity, kInfinity}));
}

TEST(Reduce, RefusesAxesThatTheModelComputesAndAxesTwice) {
  ModelBuilder computed;
  computed.Input("x", {2, 2}).Input("axes", {1}).Output("y", {-1, -1});
  computed.Node("ReduceSum", {"x", "axes"}, {"y"});
  GetReductionReason(computed, DiagnosticCode::kDataDependentShape);
  ModelBuilder twice;
  twice.Input("x", {2, 2}).Output("y", {-1, -1});
  twice.Node("ReduceMax", {"x"}, {"y"}).Ints("axes", {1, -1});
  EXPECT_TRUE(Contains(GetReductionReason(twice, DiagnosticCode::kInvalidModel), "twice"));
}

TEST(ArgMinMax, ReadsItsAxis) {
  for (const char* op_type : {"ArgMax", "ArgMin"}) {
    EXPECT_EQ(MakeReductionUnary(op_type, {2, 3}).GetOutputShape(), (TensorShape{1, 3}));
    ModelBuilder builder;
    builder.Input("x", {2, 3}).Output("y");
    builder.Node(op_type, {"x"}, {"y"})
        .Int("axis", -1)
        .Int("keepdims", 0)
        .Int("select_last_index", 1);
    EXPECT_EQ(builder.GetOutputShape(), (TensorShape{2}));
  }
}

TEST(TopK, ReadsItsCountInEveryOperatorSet) {
  for (const std::int64_t opset : {1, 10, 11, 17}) {
    SCOPED_TRACE(opset);
    ModelBuilder builder(opset);
    builder.Input("x", {4}).Output("y");
    if (opset < 10) {
      builder.Node("TopK", {"x"}, {"y", "indices"}).Int("k", 2);
    } else {
      builder.Int64s("k", {2}).Node("TopK", {"x", "k"}, {"y", "indices"});
    }
    ExpectNearReduction(builder.Run({{3, 1, 4, 2}}), {4, 3});
  }
}

TEST(TopK, MayTakeTheSmallest) {
  ModelBuilder builder;
  builder.Input("x", {2, 3}).Output("y", {-1, -1}).Int64s("k", {1});
  builder.Node("TopK", {"x", "k"}, {"y", "indices"})
      .Int("largest", 0)
      .Int("axis", 0)
      .Int("sorted", 0);
  ExpectNearReduction(builder.Run({{3, 1, 4, 2, 5, 0}}), {2, 1, 0});
}

TEST(TopK, RefusesACountThatTheModelComputes) {
  ModelBuilder computed;
  computed.Input("x", {4}).Input("k", {1}).Output("y");
  computed.Node("TopK", {"x", "k"}, {"y", "indices"});
  GetReductionReason(computed, DiagnosticCode::kDataDependentShape);
}

TEST(CumulativeSum, ReadsItsAxis) {
  ModelBuilder builder;
  builder.Input("x", {2, 2}).Output("y", {-1, -1}).Int64s("axis", {-2});
  builder.Node("CumSum", {"x", "axis"}, {"y"}).Int("exclusive", 1).Int("reverse", 1);
  ExpectNearReduction(builder.Run({{1, 2, 3, 4}}), {3, 4, 0, 0});
}

Floats RunProducts(const Dims& dims, std::int64_t axis, bool is_exclusive, bool is_reverse,
                   const Floats& values) {
  ModelBuilder builder(26);
  builder.Input("x", dims).Output("y", Dims(dims.size(), -1)).Int64s("axis", {axis});
  builder.Node("CumProd", {"x", "axis"}, {"y"})
      .Int("exclusive", is_exclusive ? 1 : 0)
      .Int("reverse", is_reverse ? 1 : 0);
  return builder.Run({values});
}

TEST(CumulativeProduct, MultipliesFromEitherEnd) {
  const Floats x = {2, 3, 4, 5, 6};
  EXPECT_EQ(RunProducts({5}, 0, false, false, x), (Floats{2, 6, 24, 120, 720}));
  EXPECT_EQ(RunProducts({5}, 0, true, false, x), (Floats{1, 2, 6, 24, 120}));
  EXPECT_EQ(RunProducts({5}, -1, false, true, x), (Floats{720, 360, 120, 30, 6}));
  EXPECT_EQ(RunProducts({5}, 0, true, true, x), (Floats{360, 120, 30, 6, 1}));
}

TEST(CumulativeProduct, TakesEveryExtent) {
  EXPECT_TRUE(RunProducts({0}, 0, true, false, {}).empty());
  EXPECT_EQ(RunProducts({1}, 0, false, false, {7}), (Floats{7}));
  EXPECT_EQ(RunProducts({1}, 0, true, false, {7}), (Floats{1}));
  EXPECT_EQ(RunProducts({2, 2}, -2, false, false, {2, 3, 4, 5}), (Floats{2, 3, 8, 15}));
}

// Products of float32 from an element in the middle on are out of range.
TEST(CumulativeProduct, IsInRangeWhereItsResultIs) {
  EXPECT_EQ(RunProducts({4}, 0, false, false, {0, 1e30F, 1e30F, 1e30F}), (Floats{0, 0, 0, 0}));
}

TEST(CumulativeProduct, OfIntegersWrapsAround) {
  ModelBuilder builder(26);
  builder.Input("x", {3}).Output("y").Int64s("axis", {0});
  builder.Node("Cast", {"x"}, {"integers"}).Int("to", ::onnx::TensorProto::INT32);
  builder.Node("CumProd", {"integers", "axis"}, {"products"});
  builder.Node("Cast", {"products"}, {"y"}).Int("to", ::onnx::TensorProto::FLOAT);
  EXPECT_EQ(builder.Run({{65536, 65536, 3}}), (Floats{65536, 0, 0}));
}

}  // namespace
}  // namespace backplane::onnx::test
