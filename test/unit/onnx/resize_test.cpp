#include "model_builder.hpp"

#include <gtest/gtest.h>

namespace backplane::onnx::test {
namespace {

using Floats = std::vector<float>;

constexpr const char* kResizeNothing = "";

TEST(Resize, ReadsScalesInEveryOperatorSet) {
  for (const std::int64_t opset : {10, 11, 13, 17}) {
    SCOPED_TRACE(opset);
    ModelBuilder builder(opset);
    builder.Input("x", {1, 1, 1, 2}).Output("y", {-1, -1, -1, -1});
    builder.Floats("none", {0}, {}).Floats("scales", {4}, {1, 1, 2, 1.5F});
    const Names inputs = opset == 10 ? Names{"x", "scales"} : Names{"x", "none", "scales"};
    NodeBuilder node = builder.Node("Resize", inputs, {"y"});
    if (opset > 10) node.String("coordinate_transformation_mode", "asymmetric");
    if (opset > 10) node.String("nearest_mode", "floor");
    EXPECT_EQ(builder.Run({{1, 2}}), (Floats{1, 1, 2, 1, 1, 2}));
  }
}

TEST(Resize, ReadsSizesBesideEmptyScales) {
  ModelBuilder builder(11);
  builder.Input("x", {1, 2}).Output("y", {-1, -1});
  builder.Floats("none", {0}, {}).Int64s("sizes", {1, 4});
  builder.Node("Resize", {"x", "none", "none", "sizes"}, {"y"}).String("mode", "linear");
  EXPECT_EQ(builder.Run({{1, 2}}), (Floats{1, 1.25F, 1.75F, 2}));
}

TEST(Resize, ReadsTheRegionOfACrop) {
  ModelBuilder builder(13);
  builder.Input("x", {3}).Output("y");
  builder.Floats("roi", {2}, {0.5F, 1.5F}).Int64s("sizes", {3});
  builder.Node("Resize", {"x", "roi", kResizeNothing, "sizes"}, {"y"})
      .String("mode", "linear")
      .String("coordinate_transformation_mode", "tf_crop_and_resize")
      .Float("extrapolation_value", 7);
  EXPECT_EQ(builder.Run({{1, 2, 3}}), (Floats{2, 3, 7}));
}

TEST(Resize, RoundsExtentsDownAsFloats) {
  ModelBuilder builder(13);
  builder.Input("x", {3}).Output("y");
  builder.Floats("scales", {1}, {7.0F / 3.0F});
  builder.Node("Resize", {"x", kResizeNothing, "scales"}, {"y"});
  EXPECT_EQ(builder.GetOutputShape(), (TensorShape{7}));
}

TEST(Resize, RefusesWhatItDoesNotKnow) {
  ModelBuilder builder(13);
  builder.Input("x", {3}).Output("y").Int64s("sizes", {3});
  builder.Node("Resize", {"x", kResizeNothing, kResizeNothing, "sizes"}, {"y"})
      .String("mode", "area");
  const Diagnostic error = builder.ImportError();
  EXPECT_EQ(error.code, DiagnosticCode::kUnsupportedAttribute);
  EXPECT_TRUE(Contains(error.causes.at(0).why, "area"));
  EXPECT_TRUE(Contains(error.causes.at(0).why, "nearest, linear"));
}

TEST(Resize, RefusesScalesThatAreNotThere) {
  ModelBuilder builder(13);
  builder.Input("x", {3}).Input("scales", {1}).Output("y");
  builder.Node("Resize", {"x", kResizeNothing, "scales"}, {"y"});
  EXPECT_EQ(builder.ImportError().code, DiagnosticCode::kDataDependentShape);
}

TEST(Resize, NeedsAScaleForEachAxis) {
  ModelBuilder builder(13);
  builder.Input("x", {3}).Output("y").Floats("scales", {2}, {1, 2});
  builder.Node("Resize", {"x", kResizeNothing, "scales"}, {"y"});
  const Diagnostic error = builder.ImportError();
  EXPECT_EQ(error.code, DiagnosticCode::kInvalidModel);
  EXPECT_TRUE(Contains(error.causes.at(0).why, "scales has 2 values; 1 are expected"));
}

TEST(Upsample, ReadsItsScalesWhereTheyAre) {
  const Floats expected = {1, 1, 2, 2, 1, 1, 2, 2};
  ModelBuilder input(9);
  input.Input("x", {1, 1, 1, 2}).Output("y", {-1, -1, -1, -1});
  input.Floats("scales", {4}, {1, 1, 2, 2}).Node("Upsample", {"x", "scales"}, {"y"});
  EXPECT_EQ(input.Run({{1, 2}}), expected);
  ModelBuilder factors(1);
  factors.Input("x", {1, 1, 1, 2}).Output("y", {-1, -1, -1, -1});
  factors.Node("Upsample", {"x"}, {"y"}).Float("height_scale", 2).Float("width_scale", 2);
  EXPECT_EQ(factors.Run({{1, 2}}), expected);
}

}  // namespace
}  // namespace backplane::onnx::test
