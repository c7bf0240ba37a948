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

/// Of one node that resizes to sizes.
struct SizedResize {
  SizedResize(const Dims& input, const Dims& sizes, const std::string& mode = "linear")
      : model(19), node(Add(input, sizes).String("mode", mode)) {}

  NodeBuilder Add(const Dims& input, const Dims& sizes) {
    model.Input("x", input).Output("y", Dims(input.size(), -1)).Int64s("sizes", sizes);
    return model.Node("Resize", {"x", kResizeNothing, kResizeNothing, "sizes"}, {"y"});
  }

  ModelBuilder model;
  NodeBuilder node;
};

TEST(Resize, KeepsProportionsWithinBounds) {
  const auto get_shape = [](const std::string& policy, const Dims& sizes) {
    SizedResize resize({1, 2, 4}, sizes);
    resize.node.Ints("axes", {2, 1}).String("keep_aspect_ratio_policy", policy);
    return resize.model.GetOutputShape();
  };
  EXPECT_EQ(get_shape("stretch", {3, 1}), (TensorShape{1, 1, 3}));
  EXPECT_EQ(get_shape("not_larger", {3, 1}), (TensorShape{1, 1, 2}));
  EXPECT_EQ(get_shape("not_smaller", {3, 1}), (TensorShape{1, 2, 3}));  // 1.5 is rounded up
  EXPECT_EQ(get_shape("not_larger", {16, 7}), (TensorShape{1, 7, 14}));
  EXPECT_EQ(get_shape("not_smaller", {16, 7}), (TensorShape{1, 8, 16}));
}

TEST(Resize, HasOneScaleWhereProportionsAreKept) {
  SizedResize resize({2, 2}, {3, 8}, "nearest");
  resize.node.String("keep_aspect_ratio_policy", "not_larger");
  EXPECT_EQ(resize.model.Run({{1, 2, 3, 4}}), (Floats{1, 1, 2, 1, 1, 2, 3, 3, 4}));
}

TEST(Resize, RefusesProportionsOfNothing) {
  SizedResize empty({0, 2}, {3, 8});
  empty.node.String("keep_aspect_ratio_policy", "not_larger");
  EXPECT_EQ(empty.model.ImportError().causes.at(0).why,
            "it keeps proportions, and the size of axis 0 is 3 for its input 0x2; 0 or more, for "
            "axes with elements, is expected");
  SizedResize other({1, 2}, {3, 8});
  other.node.String("keep_aspect_ratio_policy", "crop");
  EXPECT_TRUE(Contains(other.model.ImportError().causes.at(0).why, "stretch, not_larger"));
}

void ExpectNearResize(const Floats& found, const Floats& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-5F) << i;
}

/// Resizes the squares of the numbers from 1 to 7 by a scale.
Floats ResizeSquares(const std::string& coordinates, float scale, std::int64_t antialias = 0) {
  ModelBuilder builder(18);
  builder.Input("x", {7}).Output("y").Floats("roi", {2}, {0, 1}).Floats("scales", {1}, {scale});
  builder.Node("Resize", {"x", "roi", "scales"}, {"y"})
      .String("mode", "linear")
      .String("coordinate_transformation_mode", coordinates)
      .Int("antialias", antialias);
  return builder.Run({{1, 4, 9, 16, 25, 36, 49}});
}

// ONNX Runtime and PyTorch give the same.
TEST(Resize, AlignsCornersOfWhatScalesMakeGrow) {
  const Floats grown = {1, 3, 17.0F / 3, 9, 41.0F / 3, 19, 25, 97.0F / 3, 121.0F / 3, 49};
  ExpectNearResize(ResizeSquares("align_corners", 1.5F), grown);
  ExpectNearResize(ResizeSquares("tf_crop_and_resize", 1.5F), grown);
  ExpectNearResize(ResizeSquares("tf_crop_and_resize", 0.6F), {1, 9, 25, 49});
}

// Tests of ONNX have it so: the places are multiples of 6 / 3.2.
TEST(Resize, AlignsFractionalLengthsOfWhatScalesShrink) {
  ExpectNearResize(ResizeSquares("align_corners", 0.6F), {1, 8.375F, 22.75F, 44.125F});
}

TEST(Resize, AveragesAroundAlignedCorners) {
  const Floats found = ResizeSquares("align_corners", 0.6F, 1);
  ASSERT_EQ(found.size(), 4U);
  // Neighbours weigh as 1 - distance * 0.6; outside of the corners lie the elements at the ends.
  EXPECT_NEAR(found[0], (1 + 0.4F * (1 + 4)) / 1.8F, 1e-5F);
  EXPECT_NEAR(found[3], (49 + 0.4F * (36 + 49)) / 1.8F, 1e-5F);
}

// Half as long: the weights of the neighbours 0.5 and 1.5 away are as 3 to 1. What lies outside is
// the element at that end.
TEST(Resize, AveragesWhatFallsTogether) {
  SizedResize resize({4}, {2});
  resize.node.Int("antialias", 1);
  ExpectNearResize(resize.model.Run({{8, 16, 32, 64}}), {14, 46});
  resize.node.Int("exclude_outside", 1);
  ExpectNearResize(resize.model.Run({{8, 16, 32, 64}}), {104.0F / 7, 304.0F / 7});
}

TEST(Resize, AveragesAlongEveryAxis) {
  SizedResize resize({2, 4, 1, 2}, {1, 2, 1, 1}, "cubic");
  resize.node.Int("antialias", 1);
  EXPECT_EQ(resize.model.GetOutputShape(), (TensorShape{1, 2, 1, 1}));
  ExpectNearResize(resize.model.Run({Floats(16, 3)}), {3, 3});
}

TEST(Resize, AveragesIntegersAndRoundsThem) {
  ModelBuilder model(19);
  model.Input("x", {4}).Output("y").Int64s("sizes", {2});
  model.Node("Cast", {"x"}, {"bytes"}).Int("to", ::onnx::TensorProto::UINT8);
  NodeBuilder node =
      model.Node("Resize", {"bytes", kResizeNothing, kResizeNothing, "sizes"}, {"small"});
  node.String("mode", "linear").Int("antialias", 1);
  model.Node("Cast", {"small"}, {"y"}).Int("to", ::onnx::TensorProto::FLOAT);
  EXPECT_EQ(model.Run({{255, 255, 250, 255}}), (Floats{254, 253}));
}

// Nothing falls together where no axis shrinks, and the nearest element is one only.
TEST(Resize, IsOneLayerWhereNothingIsAveraged) {
  SizedResize grown({2}, {3});
  grown.node.Int("antialias", 1);
  EXPECT_EQ(grown.model.Import().network->GetNumOperators(), 1U);
  SizedResize nearest({4, 1}, {2, 1}, "nearest");
  nearest.node.Int("antialias", 1);
  EXPECT_EQ(nearest.model.Import().network->GetNumOperators(), 1U);
}

TEST(Resize, RefusesToAverageACrop) {
  ModelBuilder crop(19);
  crop.Input("x", {4}).Output("y").Floats("roi", {2}, {0, 1}).Int64s("sizes", {2});
  crop.Node("Resize", {"x", "roi", kResizeNothing, "sizes"}, {"y"})
      .String("mode", "linear")
      .Int("antialias", 1)
      .String("coordinate_transformation_mode", "tf_crop_and_resize");
  EXPECT_TRUE(Contains(crop.ImportError().causes.at(0).why, "the other modes are supported"));
}

TEST(Resize, RefusesToAverageMoreThanFitsMemory) {
  SizedResize large({1 << 20}, {1 << 19});
  large.node.Int("antialias", 1);
  EXPECT_TRUE(Contains(large.model.ImportError().causes.at(0).why,
                       "axis 0 needs 524288 times 1048576 weights"));
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
