#include "model_builder.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace backplane::onnx::test {
namespace {

using Floats = std::vector<float>;

void ExpectNearSampling(const Floats& found, const Floats& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-4F) << i;
}

Diagnostic GetCauseSampling(const ModelBuilder& builder) {
  const Diagnostic error = builder.ImportError();
  return error.causes.empty() ? error : error.causes.front();
}

ModelBuilder MakeGrid(const Dims& theta, const Dims& size, std::int64_t align_corners) {
  ModelBuilder builder(20);
  builder.Input("theta", theta).Int64s("size", size).Output("y", Dims(size.size(), -1));
  builder.Node("AffineGrid", {"theta", "size"}, {"y"}).Int("align_corners", align_corners);
  return builder;
}

TEST(AffineGrid, HasThePlacesOfAPlane) {
  const ModelBuilder builder = MakeGrid({1, 2, 3}, {1, 5, 2, 3}, 1);
  EXPECT_EQ(builder.GetOutputShape(), (TensorShape{1, 2, 3, 2}));
  ExpectNearSampling(builder.Run({{1, 0, 0, 0, 1, 0}}), {-1, -1, 0, -1, 1, -1, -1, 1, 0, 1, 1, 1});
  // x is 2y + 1, and y is x.
  ExpectNearSampling(builder.Run({{0, 2, 1, 1, 0, 0}}), {-1, -1, -1, 0, -1, 1, 3, -1, 3, 0, 3, 1});
}

TEST(AffineGrid, LiesBetweenTheOuterEdgesUnlessToldOtherwise) {
  ExpectNearSampling(MakeGrid({1, 2, 3}, {1, 1, 1, 2}, 0).Run({{1, 0, 0, 0, 1, 0}}),
                     {-0.5F, 0, 0.5F, 0});
  // One element is in the middle.
  ExpectNearSampling(MakeGrid({1, 2, 3}, {1, 1, 1, 2}, 1).Run({{1, 0, 0, 0, 1, 0}}), {-1, 0, 1, 0});
}

TEST(AffineGrid, HasThePlacesOfASpace) {
  const ModelBuilder builder = MakeGrid({1, 3, 4}, {1, 1, 2, 1, 2}, 1);
  EXPECT_EQ(builder.GetOutputShape(), (TensorShape{1, 2, 1, 2, 3}));
  ExpectNearSampling(builder.Run({{1, 0, 0, 0, 0, 1, 0, 7, 0, 0, 1, 0}}),
                     {-1, 7, -1, 1, 7, -1, -1, 7, 1, 1, 7, 1});
}

TEST(AffineGrid, RefusesSizesThatDoNotFit) {
  EXPECT_EQ(GetCauseSampling(MakeGrid({1, 2, 3}, {2, 1, 2, 2}, 0)).why,
            "theta is 1x2x3 and size 2x1x2x2; theta [N, 2, 3] with size [N, C, H, W], or "
            "[N, 3, 4] with [N, C, D, H, W], are expected");
  EXPECT_EQ(GetCauseSampling(MakeGrid({1, 2, 3}, {1, 1, 2}, 0)).code,
            DiagnosticCode::kInvalidModel);
  EXPECT_EQ(GetCauseSampling(MakeGrid({1, 2, 3}, {1, 1, -2, 2}, 0)).why,
            "size has the extent -2; 0 or more is expected");
  EXPECT_EQ(GetCauseSampling(MakeGrid({1, 2, 3}, {1, 1, 1 << 30, 1 << 30}, 0)).code,
            DiagnosticCode::kUnsupportedAttribute);
}

/// Two images of 4 channels of 5x6, in 2 groups; 6 output channels with windows of 2x3.
struct Deformed {
  explicit Deformed(const std::string& op_type) : model(19), node(Add(op_type)) {
    node.Ints("strides", {2, 1}).Ints("dilations", {1, 2}).Ints("pads", {1, 0, 0, 2});
    node.Int("group", 2);
  }

  NodeBuilder Add(const std::string& op_type) {
    Floats weights(std::size_t{6} * 2 * 2 * 3);
    std::iota(weights.begin(), weights.end(), -10.0F);
    model.Input("x", {2, 4, 5, 6}).Floats("w", {6, 2, 2, 3}, weights).Output("y", {-1, -1, -1, -1});
    model.Floats("bias", {6}, {1, 2, 3, 4, 5, 6});
    if (op_type == "Conv") return model.Node(op_type, {"x", "w", "bias"}, {"y"});
    model.Floats("offset", {2, 24, 3, 4}, Floats(std::size_t{2} * 24 * 12, 0));
    model.Floats("mask", {2, 12, 3, 4}, Floats(std::size_t{2} * 12 * 12, 1));
    NodeBuilder added = model.Node(op_type, {"x", "w", "offset", "bias", "mask"}, {"y"});
    added.Int("offset_group", 2);
    return added;
  }

  ModelBuilder model;
  NodeBuilder node;
};

TEST(DeformConv, WithoutOffsetsIsAConvolution) {
  Floats x(std::size_t{2} * 4 * 5 * 6);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * i % 17);
  const Deformed deformed("DeformConv");
  EXPECT_EQ(deformed.model.GetOutputShape(), (TensorShape{2, 6, 3, 4}));
  const Floats found = deformed.model.Run({x});
  const Floats expected = Deformed("Conv").model.Run({x});
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-2F) << i;
}

/// Of one channel of 2x3 with windows of one element and the weight 1.
ModelBuilder MakeMoved(const Dims& offset, const Floats& offsets) {
  ModelBuilder builder(19);
  builder.Input("x", {1, 1, 2, 3}).Floats("w", {1, 1, 1, 1}, {1}).Output("y", {-1, -1, -1, -1});
  builder.Floats("offset", offset, offsets);
  builder.Node("DeformConv", {"x", "w", "offset"}, {"y"});
  return builder;
}

// The first offset is that along the outer axis. Outside is 0.
TEST(DeformConv, MovesEachElementOfAWindow) {
  const Floats x = {1, 2, 3, 4, 5, 6};
  const Floats down(6, 1);
  const Floats none(6, 0);
  const auto run = [&x](Floats outer, const Floats& inner) {
    outer.insert(outer.end(), inner.begin(), inner.end());
    return MakeMoved({1, 2, 2, 3}, outer).Run({x});
  };
  ExpectNearSampling(run(down, none), {4, 5, 6, 0, 0, 0});
  ExpectNearSampling(run(none, {1, 1, 1, -0.5F, -0.5F, -0.5F}), {2, 3, 0, 2, 4.5F, 5.5F});
}

TEST(DeformConv, RefusesShapesThatDoNotFit) {
  EXPECT_EQ(GetCauseSampling(MakeMoved({1, 2, 2, 2}, Floats(8))).why,
            "its input 2 is 1x2x2x2; 1x2x2x3 is expected");
  ModelBuilder wide(19);
  wide.Input("x", {1, 1, 2, 2}).Floats("w", {1, 1, 3, 3}, Floats(9)).Output("y", {-1, -1, -1, -1});
  wide.Floats("offset", {1, 18, 1, 1}, Floats(18)).Node("DeformConv", {"x", "w", "offset"}, {"y"});
  EXPECT_EQ(GetCauseSampling(wide).why,
            "its windows are 3 long along spatial axis 0, and its input with padding only 2");
  Deformed grouped("DeformConv");
  grouped.model.GetProto().mutable_graph()->mutable_node(0)->mutable_attribute(0)->set_i(3);
  EXPECT_TRUE(Contains(GetCauseSampling(grouped.model).why, "with group 2 and offset_group 3"));
}

TEST(DeformConv, RefusesOneSpatialAxis) {
  ModelBuilder line(19);
  line.Input("x", {1, 1, 4}).Floats("w", {1, 1, 1}, {1}).Output("y", {-1, -1, -1});
  line.Floats("offset", {1, 1, 4}, Floats(4)).Node("DeformConv", {"x", "w", "offset"}, {"y"});
  EXPECT_EQ(GetCauseSampling(line).why, "its input is 1x1x4; [N, C, H, W] is supported");
}

}  // namespace
}  // namespace backplane::onnx::test
