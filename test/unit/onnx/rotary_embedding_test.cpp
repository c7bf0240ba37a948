#include "model_builder.hpp"

#include <gtest/gtest.h>

namespace backplane::onnx::test {
namespace {

using Floats = std::vector<float>;

std::string GetRotaryReason(const ModelBuilder& builder, DiagnosticCode code) {
  const Diagnostic error = builder.ImportError();
  EXPECT_EQ(error.code, code);
  return error.causes.empty() ? error.why : error.causes[0].why;
}

NodeBuilder GetRotaryNode(ModelBuilder& builder) {
  return NodeBuilder(*builder.GetProto().mutable_graph()->mutable_node(0));
}

/// Rows of the caches: no rotation, and one by a quarter, of `half` pairs.
void AddCaches(ModelBuilder& builder, std::int64_t half) {
  const auto count = static_cast<std::size_t>(half);
  Floats cosines(count, 1);
  cosines.resize(2 * count, 0);
  Floats sines(count, 0);
  sines.resize(2 * count, 1);
  builder.Floats("cosines", {2, half}, cosines).Floats("sines", {2, half}, sines);
}

void AddPositions(ModelBuilder& builder, const Dims& dims, const Dims& values) {
  builder.Int64s("positions", values);
  auto& tensor = *builder.GetProto().mutable_graph()->mutable_initializer()->rbegin();
  tensor.clear_dims();
  for (const std::int64_t dim : dims) tensor.add_dims(dim);
}

/// Two places, of which the second is turned by a quarter.
ModelBuilder MakeRotary(const Dims& input, std::int64_t half) {
  ModelBuilder builder(23);
  builder.Input("x", input).Output("y", Dims(input.size(), -1));
  AddCaches(builder, half);
  AddPositions(builder, {1, 2}, {0, 1});
  builder.Node("RotaryEmbedding", {"x", "cosines", "sines", "positions"}, {"y"});
  return builder;
}

TEST(RotaryEmbedding, TurnsPairsOfTheHalvesOfHeads) {
  EXPECT_EQ(MakeRotary({1, 1, 2, 4}, 2).Run({{1, 2, 3, 4, 5, 6, 7, 8}}),
            (Floats{1, 2, 3, 4, -7, -8, 5, 6}));
}

TEST(RotaryEmbedding, TurnsNeighboursWhenItIsInterleaved) {
  ModelBuilder builder = MakeRotary({1, 1, 2, 4}, 2);
  GetRotaryNode(builder).Int("interleaved", 1);
  EXPECT_EQ(builder.Run({{1, 2, 3, 4, 5, 6, 7, 8}}), (Floats{1, 2, 3, 4, -6, 5, -8, 7}));
}

TEST(RotaryEmbedding, LeavesWhatLiesBehindTheRotatedPart) {
  ModelBuilder builder = MakeRotary({1, 1, 2, 4}, 1);
  GetRotaryNode(builder).Int("rotary_embedding_dim", 2);
  EXPECT_EQ(builder.Run({{1, 2, 3, 4, 5, 6, 7, 8}}), (Floats{1, 2, 3, 4, -6, 5, 7, 8}));
}

// Two heads of two elements behind each other.
TEST(RotaryEmbedding, TakesHeadsApartThatLieInOneAxis) {
  ModelBuilder builder = MakeRotary({1, 2, 4}, 1);
  GetRotaryNode(builder).Int("num_heads", 2);
  EXPECT_EQ(builder.Run({{1, 2, 3, 4, 5, 6, 7, 8}}), (Floats{1, 2, 3, 4, -6, 5, -8, 7}));
}

TEST(RotaryEmbedding, TakesARowForEachPlaceWithoutPositions) {
  ModelBuilder builder(23);
  builder.Input("x", {1, 1, 2, 2}).Output("y", {-1, -1, -1, -1});
  builder.Floats("cosines", {1, 2, 1}, {0, 1}).Floats("sines", {1, 2, 1}, {1, 0});
  builder.Node("RotaryEmbedding", {"x", "cosines", "sines"}, {"y"});
  EXPECT_EQ(builder.Run({{1, 2, 3, 4}}), (Floats{-2, 1, 3, 4}));
}

TEST(RotaryEmbedding, RefusesWhatDoesNotFit) {
  EXPECT_EQ(GetRotaryReason(MakeRotary({2, 4}, 2), DiagnosticCode::kInvalidModel),
            "its input is 2x4; [batch, heads, sequence, size] or [batch, sequence, heads * size] "
            "is expected");
  EXPECT_EQ(GetRotaryReason(MakeRotary({1, 2, 4}, 2), DiagnosticCode::kInvalidModel),
            "its input is 1x2x4 and num_heads is 0; a number of heads into which the last axis can "
            "be taken apart is expected");
  EXPECT_EQ(GetRotaryReason(MakeRotary({1, 1, 2, 4}, 3), DiagnosticCode::kInvalidModel),
            "its input 1, cosines or sines, is 2x3; 2x2 is expected");
  EXPECT_EQ(GetRotaryReason(MakeRotary({1, 1, 3, 4}, 2), DiagnosticCode::kInvalidModel),
            "its position_ids are 1x2; 1x3 is expected");
  ModelBuilder odd = MakeRotary({1, 1, 2, 4}, 2);
  GetRotaryNode(odd).Int("rotary_embedding_dim", 3);
  EXPECT_EQ(GetRotaryReason(odd, DiagnosticCode::kInvalidModel),
            "3 elements of heads of 4 are rotated; an even number of at most that is expected");
}

ModelBuilder MakeMicrosoftRotary(const Dims& positions_dims, const Dims& positions) {
  ModelBuilder builder(11);
  auto* import = builder.GetProto().add_opset_import();
  import->set_domain("com.microsoft");
  import->set_version(1);
  builder.Input("x", {1, 1, 4}).Output("y", {-1, -1, -1});
  AddCaches(builder, 1);
  AddPositions(builder, positions_dims, positions);
  builder.Node("RotaryEmbedding", {"x", "positions", "cosines", "sines"}, {"y"})
      .Domain("com.microsoft");
  return builder;
}

// The size of a head is twice that of a row.
TEST(MicrosoftRotaryEmbedding, CountsFromTheFirstPlaceAndKnowsTheNumberOfHeads) {
  EXPECT_EQ(MakeMicrosoftRotary({1}, {1}).Run({{1, 2, 3, 4}}), (Floats{-2, 1, -4, 3}));
  EXPECT_EQ(MakeMicrosoftRotary({1, 1}, {1}).Run({{1, 2, 3, 4}}), (Floats{-2, 1, -4, 3}));
}

TEST(MicrosoftRotaryEmbedding, RefusesPackedBatchesAndScales) {
  ModelBuilder packed = MakeMicrosoftRotary({1}, {1});
  GetRotaryNode(packed).Int("is_packed_batching", 1);
  EXPECT_EQ(GetRotaryReason(packed, DiagnosticCode::kUnsupportedAttribute),
            "is_packed_batching is 1; only 0 is supported");
  ModelBuilder scaled = MakeMicrosoftRotary({1}, {1});
  GetRotaryNode(scaled).Float("scale", 2);
  EXPECT_EQ(GetRotaryReason(scaled, DiagnosticCode::kUnsupportedAttribute),
            "scale is 2.000000; only 1 is supported");
}

}  // namespace
}  // namespace backplane::onnx::test
