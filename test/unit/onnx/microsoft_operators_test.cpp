#include "attention_reference.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace backplane::onnx::test {
namespace {

/// One operator of com.microsoft, whose inputs x have these shapes.
ModelBuilder MakeOne(const std::string& op_type, const std::vector<Dims>& shapes,
                     const Names& outputs = {"y"}) {
  ModelBuilder model = MakeMicrosoftModel();
  Names inputs;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    inputs.push_back("x" + std::to_string(i));
    model.Input(inputs.back(), shapes[i]);
  }
  model.Node(op_type, inputs, outputs).Domain("com.microsoft");
  for (const std::string& output : outputs) {
    if (!output.empty()) model.Output(output, {-1, -1, -1});
  }
  return model;
}

NodeBuilder EditFirst(ModelBuilder& model) {
  return NodeBuilder(*model.GetProto().mutable_graph()->mutable_node(0));
}

std::string GetReasonOf(const ModelBuilder& model, DiagnosticCode code) {
  const Diagnostic diagnostic = model.ImportError();
  EXPECT_EQ(diagnostic.code, code) << ToText(diagnostic);
  return ToText(diagnostic);
}

double Gelu(double x) {
  return x / 2 * (1 + std::erf(x / std::sqrt(2.0)));
}

TEST(BiasAdd, AddsBiasAndSkip) {
  const ModelBuilder model = MakeOne("BiasAdd", {{1, 2, 2}, {2}, {1, 2, 2}});
  ExpectNearReals(model.Run({{1, 2, 3, 4}, {10, 20}, {100, 200, 300, 400}}), {111, 222, 313, 424});
  const ModelBuilder wrong = MakeOne("BiasAdd", {{1, 2, 2}, {3}, {1, 2, 2}});
  EXPECT_TRUE(Contains(GetReasonOf(wrong, DiagnosticCode::kInvalidModel), "its bias is 3"));
}

TEST(BiasSplitGelu, GatesOneHalfByTheOther) {
  const ModelBuilder model = MakeOne("BiasSplitGelu", {{1, 1, 4}, {4}});
  ExpectNearReals(model.Run({{1, 2, 3, -1}, {1, 0, 0, 0.5F}}),
                  {static_cast<float>(2 * Gelu(3)), static_cast<float>(2 * Gelu(-0.5))});
  const ModelBuilder odd = MakeOne("BiasSplitGelu", {{1, 1, 3}, {3}});
  EXPECT_TRUE(Contains(GetReasonOf(odd, DiagnosticCode::kInvalidModel), "even number of columns"));
}

TEST(BiasSoftmax, IsSoftmaxOfASum) {
  ModelBuilder rows = MakeOne("BiasSoftmax", {{1, 2, 2}, {1, 1, 2}});
  EditFirst(rows).Int("axis", 2).Int("is_inner_broadcast", 1);
  ExpectNearReals(rows.Run({{0, 1, 1, 0}, {1, 0}}), {0.5F, 0.5F, 0.8807971F, 0.1192029F});
  ModelBuilder all = MakeOne("BiasSoftmax", {{1, 2, 2}, {2, 2}});
  EditFirst(all).Int("axis", 1).Int("is_inner_broadcast", 0);
  ExpectNearReals(all.Run({{1, 1, 1, 1}, {0, 0, 0, 0}}), {0.25F, 0.25F, 0.25F, 0.25F});
  const ModelBuilder wrong = MakeOne("BiasSoftmax", {{1, 2, 2}, {3}});
  EXPECT_TRUE(Contains(GetReasonOf(wrong, DiagnosticCode::kInvalidModel), "its bias is 3"));
}

TEST(FusedMatMul, MovesTheFirstAxisToTheRows) {
  // A [row, batch, column] of 2 batches, each with the rows of 1 matrix; B the identity.
  ModelBuilder model = MakeOne("FusedMatMul", {{2, 2, 2}, {2, 2, 2}});
  EditFirst(model).Int("transBatchA", 1).Float("alpha", 2);
  ExpectNearReals(model.Run({{1, 2, 3, 4, 5, 6, 7, 8}, {1, 0, 0, 1, 1, 0, 0, 1}}),
                  {2, 4, 10, 12, 6, 8, 14, 16});
  ModelBuilder matrix = MakeOne("FusedMatMul", {{2, 2}, {2, 2}});
  EditFirst(matrix).Int("transBatchB", 1);
  EXPECT_TRUE(
      Contains(GetReasonOf(matrix, DiagnosticCode::kInvalidModel), "transBatchB is 1, but"));
}

/// Two words of a table of three, with everything that the operator may have.
ModelBuilder MakeEmbedding(const Names& outputs) {
  ModelBuilder model = MakeMicrosoftModel();
  AddInt32s(model, "words", {1, 2}, {2, 0});
  AddInt32s(model, "segments", {1, 2}, {1, 0});
  AddInt32s(model, "mask", {1, 2}, {1, 0});
  model.Input("table", {3, 2}).Floats("places", {4, 2}, {10, 0, 20, 0, 30, 0, 40, 0});
  model.Floats("kinds", {2, 2}, {0, 100, 0, 200});
  model.Floats("gamma", {2}, {1, 10}).Floats("beta", {2}, {0, 1});
  model
      .Node("EmbedLayerNormalization",
            {"words", "segments", "table", "places", "kinds", "gamma", "beta", "mask"}, outputs)
      .Domain("com.microsoft")
      .Float("epsilon", 0);
  for (const std::string& output : outputs) {
    if (!output.empty()) model.Output(output, {-1, -1, -1});
  }
  return model;
}

TEST(EmbedLayerNormalization, NormalisesTheSumOfThreeTables) {
  const Reals table = {1, 2, 3, 4, 5, 6};
  ExpectNearReals(MakeEmbedding({"", "", "sum"}).Run({table}), {15, 206, 21, 102});
  ExpectNearReals(MakeEmbedding({"y"}).Run({table}), {-1, 11, -1, 11});
}

TEST(EmbedLayerNormalization, CountsWhatItsMaskKeeps) {
  ModelBuilder model = MakeEmbedding({"y", "count"});
  model.Output("kept", {-1}).Node("Cast", {"count"}, {"kept"}).Int("to", 1);
  model.GetProto().mutable_graph()->mutable_output()->DeleteSubrange(0, 2);
  ExpectNearReals(model.Run({{1, 2, 3, 4, 5, 6}}), {1});
}

TEST(EmbedLayerNormalization, RefusesTablesOfOtherWidths) {
  ModelBuilder model = MakeEmbedding({"y"});
  model.Floats("narrow", {2, 1}, {1, 2});
  model.GetProto().mutable_graph()->mutable_node(0)->set_input(4, "narrow");
  EXPECT_TRUE(Contains(GetReasonOf(model, DiagnosticCode::kInvalidModel),
                       "segment_embedding is 2x1; rows of 2 elements"));
}

float Swish(double x) {
  return static_cast<float>(x / (1 + std::exp(-x)));
}

TEST(GroupNorm, NormalisesImagesWhoseChannelsAreLast) {
  ModelBuilder model = MakeOne("GroupNorm", {{1, 1, 2, 2}, {2}, {2}});
  EditFirst(model).Int("groups", 2).Int("activation", 0).Float("epsilon", 0);
  ExpectNearReals(model.Run({{1, 5, 3, 9}, {1, 2}, {0, 10}}), {-1, 8, 1, 12});
}

TEST(GroupNorm, MayHaveChannelsSecondAndSwish) {
  ModelBuilder model = MakeOne("GroupNorm", {{1, 2, 1, 2}, {2}, {2}});
  EditFirst(model)
      .Int("groups", 2)
      .Int("activation", 1)
      .Int("channels_last", 0)
      .Float("epsilon", 0);
  ExpectNearReals(model.Run({{1, 3, 5, 9}, {1, 2}, {0, 10}}),
                  {Swish(-1), Swish(1), Swish(8), Swish(12)});
}

TEST(SkipGroupNorm, NormalisesASumAndGivesIt) {
  for (const Dims& skip : {Dims{1, 1, 2, 2}, Dims{1, 2}}) {
    for (const bool is_sum_read : {false, true}) {
      ModelBuilder model = MakeOne("SkipGroupNorm", {{1, 1, 2, 2}, {2}, {2}, skip, {2}},
                                   is_sum_read ? Names{"", "sum"} : Names{"y"});
      EditFirst(model).Int("groups", 2).Int("activation", 0).Float("epsilon", 0);
      const Reals added = skip.size() == 2 ? Reals{7, 8} : Reals{7, 8, 7, 8};
      const Reals expected = is_sum_read ? Reals{9, 15, 11, 19} : Reals{-1, -1, 1, 1};
      ExpectNearReals(model.Run({{1, 5, 3, 9}, {1, 1}, {0, 0}, added, {1, 2}}), expected);
    }
  }
}

TEST(GroupNorm, RefusesWhatItDoesNotKnow) {
  ModelBuilder model = MakeOne("GroupNorm", {{1, 1, 2, 2}, {2}, {2}});
  EditFirst(model).Int("groups", 2).Int("activation", 2);
  EXPECT_TRUE(
      Contains(GetReasonOf(model, DiagnosticCode::kUnsupportedAttribute), "activation is 2"));
  ModelBuilder gamma = MakeOne("GroupNorm", {{1, 1, 2, 2}, {3}, {2}});
  EditFirst(gamma).Int("groups", 2).Int("activation", 0);
  EXPECT_TRUE(Contains(GetReasonOf(gamma, DiagnosticCode::kInvalidModel), "2 is expected"));
}

ModelBuilder MakePositionBias(std::int64_t buckets, std::int64_t length, bool is_bidirectional) {
  ModelBuilder model = MakeMicrosoftModel();
  model.Input("table", {buckets, 1}).Int64s("length", {length}).Output("y", {-1, -1, -1, -1});
  model.Node("RelativePositionBias", {"table", "length", "length"}, {"y"})
      .Domain("com.microsoft")
      .Int("max_distance", 8)
      .Int("is_bidirectional", is_bidirectional ? 1 : 0);
  return model;
}

TEST(RelativePositionBias, HasBucketsOfDistances) {
  const Reals table = {0, 1, 2, 3, 4, 5, 6, 7};
  // Of 8 buckets 4 are of either side: distances 0 and 1, then 2 to 3, then more.
  ExpectNearReals(MakePositionBias(8, 3, true).Run({table}), {0, 5, 6, 1, 0, 5, 2, 1, 0});
  // One side: distances 0 to 3 have one bucket each, 4 to 8 the others by their logarithm.
  const Reals found = MakePositionBias(8, 7, false).Run({table});
  const Reals last(found.end() - 7, found.end());
  ExpectNearReals(last, {6, 5, 4, 3, 2, 1, 0});
  EXPECT_EQ(found[1], 0.0F);
}

TEST(RelativePositionBias, RefusesTooFewBuckets) {
  EXPECT_TRUE(Contains(GetReasonOf(MakePositionBias(2, 3, true), DiagnosticCode::kInvalidModel),
                       "it has 2 buckets"));
  EXPECT_TRUE(Contains(GetReasonOf(MakePositionBias(8, 0, true), DiagnosticCode::kInvalidModel),
                       "its query_length is 0"));
}

double Gate(double x) {
  return 1 / (1 + std::exp(-x));
}

TEST(GatedRelativePositionBias, IsABiasThatQueriesOpen) {
  ModelBuilder model = MakeOne("GatedRelativePositionBias",
                               {{1, 1, 2}, {2}, {1, 1, 1, 1}, {2, 4}, {4}, {1, 1, 1, 1}});
  EditFirst(model).Int("num_heads", 1);
  // The query is (1, 2); its product with the weights (1, 2, 0, 0) and (0, 0, 1, 1), halves of
  // which are summed up, less the bias of the second: 3 and 4 - 3.
  const Reals found =
      model.Run({{1, 1}, {0, 1}, {10}, {1, 2, 0, 0, 0, 0, 1, 1}, {0, 0, -3, 0}, {0.5F}});
  ExpectNearReals(found, {static_cast<float>(10 * (Gate(3) * (Gate(1) * 0.5 - 1) + 2))});
}

TEST(MicrosoftTrilu, KeepsATriangle) {
  ModelBuilder model = MakeOne("Trilu", {{2, 2}});
  EditFirst(model).Int("upper", 0);
  ExpectNearReals(model.Run({{1, 2, 3, 4}}), {1, 0, 3, 4});
}

TEST(MicrosoftGridSample, Samples) {
  ModelBuilder linear = MakeOne("GridSample", {{1, 1, 1, 4}, {1, 1, 2, 2}});
  EditFirst(linear).Int("align_corners", 1);
  ExpectNearReals(linear.Run({{0, 1, 2, 3}, {0, 0, 1, 0}}), {1.5F, 3});
}

/// Of an element half way in front of the first, as a cubic with coefficient -0.75 has it: those
/// around it are the first three times, and the second.
float GetInFrontOf(float first, float second) {
  return first + (second - first) * -0.75F * 0.125F;
}

TEST(GridSample, TakesElementsAroundPlacesOutsideFromTheBorder) {
  for (const bool is_aligned : {true, false}) {
    ModelBuilder cubic = MakeOne("GridSample", {{1, 1, 1, 4}, {1, 1, 3, 2}});
    EditFirst(cubic).Int("align_corners", is_aligned ? 1 : 0).String("mode", "bicubic");
    EditFirst(cubic).String("padding_mode", "border");
    // Half an element in front of the first, and far outside.
    const float half = is_aligned ? -1.0F - 1.0F / 3.0F : -1.0F;
    const std::vector<Reals> inputs = {{2, 6, 7, 9}, {half, 0, -9, 0, 9, 0}};
    ExpectNearReals(cubic.Run(inputs), {GetInFrontOf(2, 6), 2, 9});
    EditFirst(cubic).Domain("");
    ExpectNearReals(cubic.Run(inputs), {GetInFrontOf(2, 6), 2, 9});
  }
}

TEST(Inverse, InvertsMatricesOfABatch) {
  ExpectNearReals(MakeOne("Inverse", {{2, 2, 2}}).Run({{4, 7, 2, 6, 0, 2, 1, 0}}),
                  {0.6F, -0.7F, -0.2F, 0.4F, 0, 1, 0.5F, 0});
  ExpectNearReals(MakeOne("Inverse", {{1, 1}}).Run({{4}}), {0.25F});
  // The product with the matrix is the identity.
  Reals matrix = MakeReals(16, 3);
  for (std::size_t i = 0; i < 16; i += 5) matrix[i] += 2.0F;
  const Reals inverse = MakeOne("Inverse", {{4, 4}}).Run({matrix});
  for (std::size_t i = 0; i < 16; ++i) {
    float sum = 0.0F;
    for (std::size_t k = 0; k < 4; ++k) sum += matrix[i / 4 * 4 + k] * inverse[k * 4 + i % 4];
    EXPECT_NEAR(sum, i % 5 == 0 ? 1.0F : 0.0F, 1e-5F);
  }
}

TEST(Inverse, RefusesWhatIsNotSquareOrLarge) {
  EXPECT_TRUE(Contains(GetReasonOf(MakeOne("Inverse", {{2, 3}}), DiagnosticCode::kInvalidModel),
                       "its input is 2x3"));
  EXPECT_TRUE(
      Contains(GetReasonOf(MakeOne("Inverse", {{9, 9}}), DiagnosticCode::kUnsupportedAttribute),
               "9 rows; 1 to 8"));
}

/// Images [2, 1, 3, 3], the second of which has 10 more in each element.
ModelBuilder MakeCrop(const std::vector<std::int32_t>& size) {
  ModelBuilder model = MakeMicrosoftModel();
  model.Input("x", {2, 1, 3, 3}).Input("regions", {2, 4}).Output("y", {-1, -1, -1, -1});
  AddInt32s(model, "images", {2}, {1, 0});
  AddInt32s(model, "size", {static_cast<std::int64_t>(size.size())}, size);
  model.Node("CropAndResize", {"x", "regions", "images", "size"}, {"y"})
      .Domain("com.microsoft")
      .Float("extrapolation_value", -1);
  return model;
}

TEST(CropAndResize, SamplesRegionsOfImages) {
  const Reals images = {0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15, 16, 17, 18};
  ExpectNearReals(MakeCrop({2, 2}).Run({images, {0, 0, 1, 1, 0.5F, 0.25F, 1.5F, 0.75F}}),
                  {10, 12, 16, 18, 3.5F, 4.5F, -1, -1});
  ExpectNearReals(MakeCrop({1, 2}).Run({images, {0, 0, 1, 1, 0, 0, 0.5F, 1}}),
                  {13, 15, 1.5F, 3.5F});
}

TEST(CropAndResize, RefusesSizesThatAreNone) {
  EXPECT_TRUE(Contains(GetReasonOf(MakeCrop({2, 0}), DiagnosticCode::kInvalidModel),
                       "crop_size is no pair"));
  EXPECT_TRUE(
      Contains(GetReasonOf(MakeCrop({2}), DiagnosticCode::kInvalidModel), "crop_size is no pair"));
  ModelBuilder mode = MakeCrop({2, 2});
  EditFirst(mode).String("mode", "cubic");
  EXPECT_TRUE(Contains(GetReasonOf(mode, DiagnosticCode::kUnsupportedAttribute), "mode is cubic"));
}

TEST(MicrosoftOperators, AreRefusedWithAReason) {
  const auto reason = [](const std::string& op_type) {
    return GetReasonOf(MakeOne(op_type, {{1}}), DiagnosticCode::kUnsupportedOperator);
  };
  EXPECT_TRUE(Contains(reason("BeamSearch"), "it is control flow"));
  EXPECT_TRUE(Contains(reason("PackedMultiHeadAttention"), "it has batches without padding"));
  EXPECT_TRUE(Contains(reason("DecoderMaskedSelfAttention"), "it writes to a buffer"));
}

}  // namespace
}  // namespace backplane::onnx::test
