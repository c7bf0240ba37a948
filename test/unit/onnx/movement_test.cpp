#include "model_builder.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <utility>

namespace backplane::onnx::test {
namespace {

using Floats = std::vector<float>;
using Set = std::function<void(NodeBuilder&)>;

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

/// A model of one node with attributes and further inputs, lists of int64 that are constants.
ModelBuilder MakeMovementModel(std::int64_t opset, const std::string& op_type, const Dims& input,
                               const std::vector<Dims>& constants, const Set& set = {}) {
  ModelBuilder builder(opset);
  builder.Input("x", input).Output("y");
  Names inputs = {"x"};
  for (const Dims& constant : constants) {
    inputs.push_back("constant" + std::to_string(inputs.size()));
    builder.Int64s(inputs.back(), constant);
  }
  NodeBuilder node = builder.Node(op_type, inputs, {"y"});
  if (set) set(node);
  return builder;
}

/// Of an operator that reads "x", floats, and "computed", int64 that no constant gives.
DiagnosticCode GetCodeWhenComputed(const std::string& op_type, const Names& inputs) {
  ModelBuilder builder;
  builder.Input("x", {2}).Input("computed", {1}).Output("y");
  builder.GetProto()
      .mutable_graph()
      ->mutable_input(1)
      ->mutable_type()
      ->mutable_tensor_type()
      ->set_elem_type(::onnx::TensorProto::INT64);
  builder.Node(op_type, inputs, {"y"});
  return builder.ImportError().code;
}

std::string GetWhy(const ModelBuilder& builder, DiagnosticCode code) {
  const Diagnostic error = builder.ImportError();
  EXPECT_EQ(error.code, code);
  return ToText(error);
}

const Floats kFive = {0, 1, 2, 3, 4};

TEST(Slice, ReadsItsRangesInEveryOperatorSet) {
  for (const std::int64_t opset : {1, 9}) {
    const ModelBuilder builder = MakeMovementModel(opset, "Slice", {5}, {}, [](NodeBuilder& node) {
      node.Ints("starts", {1}).Ints("ends", {-1});
    });
    EXPECT_EQ(builder.Run({kFive}), (Floats{1, 2, 3})) << opset;
  }
  for (const std::int64_t opset : {10, 11, 13, 17}) {
    EXPECT_EQ(MakeMovementModel(opset, "Slice", {5}, {{1}, {-1}, {0}, {2}}).Run({kFive}),
              (Floats{1, 3}))
        << opset;
  }
}

TEST(Slice, TakesWhatThereIsOfRangesThatReachFurther) {
  const auto run = [](std::int64_t start, std::int64_t end, std::int64_t step) {
    return MakeMovementModel(13, "Slice", {5}, {{start}, {end}, {-1}, {step}}).Run({kFive});
  };
  EXPECT_EQ(run(-9, kMost, 2), (Floats{0, 2, 4}));
  EXPECT_EQ(run(kMost, -kMost - 1, -2), (Floats{4, 2, 0}));
  EXPECT_EQ(run(-1, 1, -1), (Floats{4, 3, 2}));
  EXPECT_EQ(run(1, 4, kMost), (Floats{1}));
  EXPECT_EQ(run(4, 0, -kMost - 1), (Floats{4}));
  EXPECT_TRUE(run(3, 3, 1).empty());
  EXPECT_TRUE(run(1, 3, -1).empty());
}

TEST(Slice, RefusesRangesThatAreNone) {
  EXPECT_TRUE(Contains(GetWhy(MakeMovementModel(13, "Slice", {5}, {{0}, {1}, {0}, {0}}),
                              DiagnosticCode::kInvalidModel),
                       "its step along axis 0 is 0"));
  EXPECT_TRUE(Contains(GetWhy(MakeMovementModel(13, "Slice", {5}, {{0, 0}, {1}, {0}}),
                              DiagnosticCode::kInvalidModel),
                       "it has 2 starts, 1 ends"));
  EXPECT_EQ(GetCodeWhenComputed("Slice", {"x", "computed", "computed"}),
            DiagnosticCode::kDataDependentShape);
}

TEST(Pad, ReadsItsPaddingInEveryOperatorSet) {
  const Floats expected = {7, 1, 2, 7, 7};
  const auto with = [](const std::string& name) {
    return [name](NodeBuilder& node) { node.Ints(name, {1, 2}).Float("value", 7); };
  };
  EXPECT_EQ(MakeMovementModel(1, "Pad", {2}, {}, with("paddings")).Run({{1, 2}}), expected);
  EXPECT_EQ(MakeMovementModel(2, "Pad", {2}, {}, with("pads")).Run({{1, 2}}), expected);
  for (const std::int64_t opset : {11, 13, 17}) {
    ModelBuilder builder(opset);
    builder.Input("x", {2}).Int64s("pads", {1, 2}).Floats("value", {}, {7}).Output("y");
    builder.Node("Pad", {"x", "pads", "value"}, {"y"});
    EXPECT_EQ(builder.Run({{1, 2}}), expected);
  }
}

TEST(Pad, TakesEveryMode) {
  const auto run = [](const std::string& mode, const Dims& pads) {
    const auto set = [&](NodeBuilder& node) { node.String("mode", mode); };
    return MakeMovementModel(13, "Pad", {3}, {pads}, set).Run({{1, 2, 3}});
  };
  EXPECT_EQ(run("constant", {1, -1}), (Floats{0, 1, 2}));
  EXPECT_EQ(run("reflect", {2, 1}), (Floats{3, 2, 1, 2, 3, 2}));
  EXPECT_EQ(run("edge", {2, 1}), (Floats{1, 1, 1, 2, 3, 3}));
}

TEST(Pad, RefusesWhatDoesNotFit) {
  EXPECT_TRUE(
      Contains(GetWhy(MakeMovementModel(13, "Pad", {3}, {{1}}), DiagnosticCode::kInvalidModel),
               "it has 1 numbers of padding; 2 are expected"));
  const auto set = [](NodeBuilder& node) { node.String("mode", "mirror"); };
  EXPECT_TRUE(Contains(GetWhy(MakeMovementModel(13, "Pad", {3}, {{1, 1}}, set),
                              DiagnosticCode::kUnsupportedAttribute),
                       "constant, reflect, edge and wrap are supported"));
  EXPECT_EQ(GetCodeWhenComputed("Pad", {"x", "computed"}), DiagnosticCode::kDataDependentShape);
}

TEST(Pad, WrapsAround) {
  const auto model = [](const Dims& pads) {
    return MakeMovementModel(19, "Pad", {3}, {pads},
                             [](NodeBuilder& node) { node.String("mode", "wrap"); });
  };
  EXPECT_EQ(model({1, 2}).Run({{1, 2, 3}}), (Floats{3, 1, 2, 3, 1, 2}));
  EXPECT_EQ(model({7, 0}).Run({{1, 2, 3}}), (Floats{3, 1, 2, 3, 1, 2, 3, 1, 2, 3}));
  EXPECT_EQ(model({-1, 3}).Run({{1, 2, 3}}), (Floats{2, 3, 2, 3, 2}));
  EXPECT_EQ(model({2, -1}).Run({{1, 2, 3}}), (Floats{1, 2, 1, 2}));
  EXPECT_EQ(model({-3, 0}).GetOutputShape(), (TensorShape{0}));
  EXPECT_TRUE(
      Contains(GetWhy(model({-3, 1}), DiagnosticCode::kInvalidModel),
               "its padding along axis 0 is -3 and 1; its input is 3, of which at least one "
               "element must be left to be repeated"));
  GetWhy(model({kMost, kMost}), DiagnosticCode::kInvalidModel);
  GetWhy(model({0, std::int64_t{1} << 32}), DiagnosticCode::kUnsupportedAttribute);
}

TEST(Pad, WrapsEveryAxisThatIsPadded) {
  ModelBuilder builder(19);
  builder.Input("x", {2, 1, 2}).Int64s("pads", {1, 1, 0, 0}).Int64s("axes", {-1, 0});
  builder.Output("y", {-1, -1, -1});
  builder.Node("Pad", {"x", "pads", "", "axes"}, {"y"}).String("mode", "wrap");
  EXPECT_EQ(builder.GetOutputShape(), (TensorShape{3, 1, 3}));
  EXPECT_EQ(builder.Run({{1, 2, 3, 4}}), (Floats{4, 3, 4, 2, 1, 2, 4, 3, 4}));
}

TEST(Pad, RefusesAnAxisTwice) {
  EXPECT_TRUE(Contains(
      GetWhy(MakeMovementModel(18, "Pad", {3}, {{1, 1, 1, 1}}), DiagnosticCode::kInvalidModel),
      "4 numbers of padding; 2 are expected"));
  ModelBuilder twice(18);
  twice.Input("x", {3}).Int64s("pads", {1, 1, 1, 1}).Int64s("axes", {0, -1}).Output("y");
  twice.Node("Pad", {"x", "pads", "", "axes"}, {"y"});
  EXPECT_TRUE(Contains(GetWhy(twice, DiagnosticCode::kInvalidModel), "name axis 0 twice"));
}

ModelBuilder MakeCentered(const Dims& dims, const Dims& shape, const Dims& axes) {
  return MakeMovementModel(18, "CenterCropPad", dims, {shape}, [&](NodeBuilder& node) {
    if (!axes.empty()) node.Ints("axes", axes);
  });
}

TEST(CenterCropPad, DividesWhatIsTakenOrAddedBetweenBothEnds) {
  EXPECT_EQ(MakeCentered({5}, {2}, {}).Run({kFive}), (Floats{1, 2}));
  EXPECT_EQ(MakeCentered({5}, {3}, {0}).Run({kFive}), (Floats{1, 2, 3}));
  EXPECT_EQ(MakeCentered({5}, {8}, {-1}).Run({kFive}), (Floats{0, 0, 1, 2, 3, 4, 0, 0}));
  EXPECT_EQ(MakeCentered({5}, {0}, {}).GetOutputShape(), (TensorShape{0}));
  const ModelBuilder some = MakeCentered({1, 3, 2}, {4, 1}, {2, -2});
  EXPECT_EQ(some.GetOutputShape(), (TensorShape{1, 1, 4}));
  EXPECT_EQ(some.Run({{1, 2, 3, 4, 5, 6}}), (Floats{0, 3, 4, 0}));
}

TEST(CenterCropPad, RefusesShapesThatDoNotFit) {
  EXPECT_TRUE(Contains(GetWhy(MakeCentered({5}, {2, 2}, {}), DiagnosticCode::kInvalidModel),
                       "its shape has 2 values; 1 are expected, one for each axis"));
  EXPECT_TRUE(Contains(GetWhy(MakeCentered({5}, {-2}, {}), DiagnosticCode::kInvalidModel),
                       "its shape has the extent -2; 0 or more is expected"));
  EXPECT_TRUE(Contains(GetWhy(MakeCentered({5}, {2}, {1}), DiagnosticCode::kInvalidModel),
                       "its axis is 1"));
  ModelBuilder computed(18);
  computed.Input("x", {5}).Input("shape", {1}).Output("y");
  computed.Node("CenterCropPad", {"x", "shape"}, {"y"});
  GetWhy(computed, DiagnosticCode::kDataDependentShape);
}

TEST(Transpose, ReversesTheAxesWhenNoneAreStated) {
  EXPECT_EQ(MakeMovementModel(13, "Transpose", {2, 3}, {}).Run({{1, 2, 3, 4, 5, 6}}),
            (Floats{1, 4, 2, 5, 3, 6}));
  const auto set = [](NodeBuilder& node) { node.Ints("perm", {0}); };
  EXPECT_TRUE(Contains(
      GetWhy(MakeMovementModel(13, "Transpose", {2, 3}, {}, set), DiagnosticCode::kInvalidModel),
      "its perm has 1 axes, but its input is 2x3"));
}

TEST(Expand, BroadcastsBothShapes) {
  EXPECT_EQ(MakeMovementModel(8, "Expand", {2, 1}, {{3}}).Run({{1, 2}}),
            (Floats{1, 1, 1, 2, 2, 2}));
  EXPECT_EQ(MakeMovementModel(13, "Expand", {2}, {{2, 1}}).Run({{1, 2}}), (Floats{1, 2, 1, 2}));
  EXPECT_TRUE(
      Contains(GetWhy(MakeMovementModel(13, "Expand", {2}, {{3}}), DiagnosticCode::kInvalidModel),
               "extent 2 cannot be expanded to 3"));
  EXPECT_EQ(GetCodeWhenComputed("Expand", {"x", "computed"}), DiagnosticCode::kDataDependentShape);
}

TEST(Tile, RepeatsOneAxisInOperatorSetOne) {
  ModelBuilder builder(1);
  builder.Input("x", {1, 2}).Floats("tiles", {1}, {3}).Floats("axis", {1}, {1}).Output("y");
  builder.Node("Tile", {"x", "tiles", "axis"}, {"y"});
  EXPECT_EQ(builder.Run({{1, 2}}), (Floats{1, 2, 1, 2, 1, 2}));
}

TEST(Tile, RepeatsAllAxes) {
  EXPECT_EQ(MakeMovementModel(13, "Tile", {1, 2}, {{2, 2}}).Run({{1, 2}}),
            (Floats{1, 2, 1, 2, 1, 2, 1, 2}));
  EXPECT_TRUE(
      Contains(GetWhy(MakeMovementModel(13, "Tile", {1, 2}, {{2}}), DiagnosticCode::kInvalidModel),
               "it has 1 repeats, but its input is 1x2"));
}

TEST(Trilu, TakesTheUpperPartUnlessToldOtherwise) {
  EXPECT_EQ(MakeMovementModel(14, "Trilu", {2, 2}, {}).Run({{1, 2, 3, 4}}), (Floats{1, 2, 0, 4}));
  const auto set = [](NodeBuilder& node) { node.Int("upper", 0); };
  EXPECT_EQ(MakeMovementModel(14, "Trilu", {2, 2}, {{1}}, set).Run({{1, 2, 3, 4}}),
            (Floats{1, 2, 3, 4}));
}

TEST(Gather, TakesConstantIndices) {
  const auto set = [](NodeBuilder& node) { node.Int("axis", -1); };
  EXPECT_EQ(MakeMovementModel(13, "Gather", {2, 2}, {{-1}}, set).Run({{1, 2, 3, 4}}),
            (Floats{2, 4}));
  EXPECT_EQ(MakeMovementModel(11, "GatherElements", {2}, {{1, 1, 0}}).Run({{5, 6}}),
            (Floats{6, 6, 5}));
  EXPECT_EQ(MakeMovementModel(12, "GatherND", {2, 2}, {{1}}).Run({{1, 2, 3, 4}}), (Floats{3, 4}));
}

TEST(Scatter, HasTwoNames) {
  for (const auto& [op_type, opset] :
       {std::pair<const char*, std::int64_t>{"Scatter", 9}, {"ScatterElements", 11}}) {
    ModelBuilder builder(opset);
    builder.Input("x", {3}).Int64s("indices", {2, 0}).Floats("updates", {2}, {8, 9}).Output("y");
    builder.Node(op_type, {"x", "indices", "updates"}, {"y"});
    EXPECT_EQ(builder.Run({{1, 2, 3}}), (Floats{9, 2, 8}));
  }
}

TEST(Scatter, TakesReductions) {
  ModelBuilder builder(16);
  builder.Input("x", {3}).Int64s("indices", {0, 0}).Floats("updates", {2}, {8, 9}).Output("y");
  builder.Node("ScatterElements", {"x", "indices", "updates"}, {"y"}).String("reduction", "add");
  EXPECT_EQ(builder.Run({{1, 2, 3}}), (Floats{18, 2, 3}));
}

TEST(OneHot, ReadsADepthOfAnyType) {
  ModelBuilder builder(11);
  builder.Input("x", {2}).Floats("depth", {1}, {3}).Floats("values", {2}, {0, 1}).Output("y");
  builder.Node("OneHot", {"x", "depth", "values"}, {"y"});
  EXPECT_EQ(builder.Run({{0, -1}}), (Floats{1, 0, 0, 0, 0, 1}));
}

TEST(DepthToSpace, ReadsItsMode) {
  const auto run = [](const std::string& mode) {
    const auto set = [&](NodeBuilder& node) { node.Int("blocksize", 2).String("mode", mode); };
    return MakeMovementModel(13, "DepthToSpace", {1, 8, 1, 1}, {}, set)
        .Run({{0, 1, 2, 3, 4, 5, 6, 7}});
  };
  EXPECT_EQ(run("DCR"), (Floats{0, 2, 4, 6, 1, 3, 5, 7}));
  EXPECT_EQ(run("CRD"), (Floats{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST(SpaceToDepth, RefusesBlocksThatAreNone) {
  const auto set = [](NodeBuilder& node) { node.Int("blocksize", 0); };
  EXPECT_TRUE(Contains(GetWhy(MakeMovementModel(13, "SpaceToDepth", {1, 1, 2, 2}, {}, set),
                              DiagnosticCode::kInvalidModel),
                       "its blocksize is 0; 1 or more is expected"));
}

TEST(ReverseSequence, CountsTimeFromTheFirstAxis) {
  EXPECT_EQ(MakeMovementModel(10, "ReverseSequence", {2, 2}, {{2, 1}}).Run({{1, 2, 3, 4}}),
            (Floats{3, 2, 1, 4}));
}

TEST(Generation, RefusesWhatDependsOnData) {
  constexpr auto kRefused = DiagnosticCode::kDataDependentShape;
  EXPECT_EQ(GetCodeWhenComputed("ConstantOfShape", {"computed"}), kRefused);
  EXPECT_EQ(GetCodeWhenComputed("Range", {"computed", "computed", "computed"}), kRefused);
  EXPECT_EQ(GetCodeWhenComputed("NonZero", {"x"}), kRefused);
  EXPECT_EQ(GetCodeWhenComputed("Unique", {"x"}), kRefused);
}

}  // namespace
}  // namespace backplane::onnx::test
