#include "model_builder.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace backplane::onnx::test {
namespace {

using Floats = std::vector<float>;

void ExpectNearAttention(const Floats& found, const Floats& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-5F) << i;
}

std::string GetAttentionReason(const ModelBuilder& builder, DiagnosticCode code) {
  const Diagnostic error = builder.ImportError();
  EXPECT_EQ(error.code, code);
  return error.causes.empty() ? error.why : error.causes[0].why;
}

/// Attention whose queries are inputs, and keys and values constants, so that 0 as a query weighs
/// all keys that it sees alike.
class AttentionModel {
 public:
  AttentionModel(const Dims& queries, const Dims& keys, const Floats& key_data, const Dims& values,
                 const Floats& value_data)
      : builder_(25) {
    builder_.Input("q", queries);
    builder_.Floats("k", keys, key_data).Floats("v", values, value_data);
  }

  AttentionModel& Add(std::size_t index, const std::string& name) {
    inputs_.resize(std::max(inputs_.size(), index + 1));
    inputs_[index] = name;
    return *this;
  }

  /// A mask of bool, given as numbers.
  AttentionModel& AddBoolMask(const Dims& dims, const Floats& values) {
    builder_.Floats("numbers", dims, values);
    builder_.Node("Cast", {"numbers"}, {"mask"}).Int("to", 9);
    return Add(3, "mask");
  }

  AttentionModel& AddFloatMask(const Dims& dims, const Floats& values) {
    builder_.Floats("mask", dims, values);
    return Add(3, "mask");
  }

  /// The node is described before its inputs are known.
  NodeBuilder Describe() { return NodeBuilder(node_); }

  ModelBuilder& Finish(const std::string& output = "y", std::size_t rank = 4) {
    node_.set_op_type("Attention");
    for (const std::string& name : inputs_) node_.add_input(name);
    for (const char* name : {"y", "present_keys", "present_values", "scores"}) {
      node_.add_output(name);
    }
    *builder_.GetProto().mutable_graph()->add_node() = node_;
    return builder_.Output(output, Dims(rank, -1));
  }

  ModelBuilder& Get() { return builder_; }

 private:
  ModelBuilder builder_;
  ::onnx::NodeProto node_;
  Names inputs_ = {"q", "k", "v"};
};

/// One head of size 1: queries that are 0, and so many keys, whose values are 1, 2, 4, 8 ...
AttentionModel MakePowers(std::int64_t num_queries, std::int64_t num_keys) {
  Floats values;
  for (std::int64_t key = 0; key < num_keys; ++key) {
    values.push_back(static_cast<float>(std::int64_t{1} << key));
  }
  return AttentionModel({1, 1, num_queries, 1}, {1, 1, num_keys, 1},
                        Floats(static_cast<std::size_t>(num_keys), 1), {1, 1, num_keys, 1}, values);
}

TEST(Attention, WeighsValuesByTheSoftmaxOfScores) {
  const float log3 = std::log(3.0F);
  AttentionModel model({1, 1, 1, 4}, {1, 1, 2, 4}, {0, 0, 0, 0, log3, 0, 0, 0}, {1, 1, 2, 2},
                       {0, 4, 8, 0});
  // The scale is 1/2 for heads of size 4.
  ExpectNearAttention(model.Finish().Run({{2, 0, 0, 0}}), {6, 1});
}

TEST(Attention, ReadsAScale) {
  AttentionModel model({1, 1, 1, 1}, {1, 1, 2, 1}, {0, std::log(3.0F)}, {1, 1, 2, 1}, {0, 8});
  model.Describe().Float("scale", 0.5F);
  ExpectNearAttention(model.Finish().Run({{2}}), {6});
}

// Two heads of queries in one axis share the only one of keys.
TEST(Attention, TakesHeadsApartAndSharesKeys) {
  const float log3 = std::log(3.0F);
  AttentionModel model({1, 1, 2}, {1, 2, 1}, {0, log3}, {1, 2, 1}, {0, 8});
  model.Describe().Int("q_num_heads", 2).Int("kv_num_heads", 1);
  ModelBuilder& builder = model.Finish("y", 3);
  ExpectNearAttention(builder.Run({{0, 1}}), {4, 6});
  EXPECT_EQ(builder.GetOutputShape(), (TensorShape{1, 1, 2}));
}

TEST(Attention, HidesWhatAMaskSays) {
  AttentionModel bools = MakePowers(2, 3);
  ExpectNearAttention(bools.AddBoolMask({2, 3}, {1, 1, 0, 0, 1, 1}).Finish().Run({{0, 0}}),
                      {1.5F, 3});
  AttentionModel floats = MakePowers(1, 2);
  ExpectNearAttention(floats.AddFloatMask({1, 1, 1, 2}, {std::log(2.0F), 0}).Finish().Run({{0}}),
                      {4.0F / 3});
}

TEST(Attention, HidesKeysThatAMaskIsTooShortFor) {
  AttentionModel bools = MakePowers(1, 3);
  ExpectNearAttention(bools.AddBoolMask({1, 2}, {1, 1}).Finish().Run({{0}}), {1.5F});
  AttentionModel floats = MakePowers(1, 3);
  ExpectNearAttention(floats.AddFloatMask({2}, {0, 0}).Finish().Run({{0}}), {1.5F});
}

TEST(Attention, OfQueriesThatSeeNoKeyIsZero) {
  AttentionModel bools = MakePowers(2, 2);
  ExpectNearAttention(bools.AddBoolMask({2, 2}, {0, 0, 1, 1}).Finish().Run({{0, 0}}), {0, 1.5F});
  AttentionModel floats = MakePowers(1, 2);
  ExpectNearAttention(floats.AddFloatMask({2}, {-INFINITY, -INFINITY}).Finish().Run({{0}}), {0});
}

TEST(Attention, HidesLaterKeysWhenItIsCausal) {
  AttentionModel model = MakePowers(3, 3);
  model.Describe().Int("is_causal", 1);
  ExpectNearAttention(model.Finish().Run({{0, 0, 0}}), {1, 1.5F, 7.0F / 3});
}

TEST(Attention, ComposesAWindowWithAMask) {
  AttentionModel bools = MakePowers(2, 2);
  bools.Describe().Int("is_causal", 1);
  ExpectNearAttention(bools.AddBoolMask({2, 2}, {1, 1, 0, 1}).Finish().Run({{0, 0}}), {1, 2});
  AttentionModel floats = MakePowers(2, 2);
  floats.Describe().Int("is_causal", 1);
  ExpectNearAttention(floats.AddFloatMask({2}, {-INFINITY, 0}).Finish().Run({{0, 0}}), {0, 2});
}

TEST(Attention, HidesKeysOutsideOfAWindow) {
  AttentionModel model = MakePowers(4, 4);
  model.Describe().Int("left_window_size", 1).Int("right_window_size", 0);
  ExpectNearAttention(model.Finish().Run({{0, 0, 0, 0}}), {1, 1.5F, 3, 6});
}

AttentionModel MakeWithPast() {
  AttentionModel model = MakePowers(2, 2);
  model.Get().Floats("past_k", {1, 1, 1, 1}, {1}).Floats("past_v", {1, 1, 1, 1}, {16});
  model.Add(4, "past_k").Add(5, "past_v");
  return model;
}

TEST(Attention, ComesBehindThePast) {
  AttentionModel model = MakeWithPast();
  model.Describe().Int("is_causal", 1);
  ExpectNearAttention(model.Finish().Run({{0, 0}}), {8.5F, 19.0F / 3});
  AttentionModel present = MakeWithPast();
  ExpectNearAttention(present.Finish("present_values").Run({{0, 0}}), {16, 1, 2});
}

// Queries are the last of the keys that count.
TEST(Attention, SeesAsManyKeysAsCount) {
  for (const bool is_causal : {false, true}) {
    AttentionModel model = MakePowers(2, 4);
    model.Get().Int64s("count", {3});
    if (is_causal) model.Describe().Int("is_causal", 1);
    const Floats expected = {is_causal ? 1.5F : 7.0F / 3, 7.0F / 3};
    ExpectNearAttention(model.Add(6, "count").Finish().Run({{0, 0}}), expected);
  }
  AttentionModel window = MakePowers(2, 4);
  window.Get().Int64s("count", {3});
  window.Describe().Int("left_window_size", 1).Int("right_window_size", 1);
  ExpectNearAttention(window.Add(6, "count").Finish().Run({{0, 0}}), {7.0F / 3, 3});
}

TEST(Attention, GivesScoresAtEachStage) {
  const Floats stages[] = {{2, 0}, {4 * std::tanh(0.5F), 0}, {4 * std::tanh(0.5F), -1}, {}};
  for (std::int64_t stage = 0; stage < 4; ++stage) {
    SCOPED_TRACE(stage);
    AttentionModel model({1, 1, 1, 1}, {1, 1, 2, 1}, {2, 0}, {1, 1, 2, 1}, {1, 2});
    model.Describe().Int("qk_matmul_output_mode", stage).Float("softcap", 4);
    const Floats found = model.AddFloatMask({2}, {0, -1}).Finish("scores").Run({{1}});
    Floats expected = stages[stage];
    const float other = std::exp(-1 - 4 * std::tanh(0.5F));
    if (stage == 3) expected = {1 / (1 + other), other / (1 + other)};
    ExpectNearAttention(found, expected);
  }
}

TEST(Attention, CalculatesTheSoftmaxOfHalvesInFloat32) {
  AttentionModel model = MakePowers(1, 2);
  model.Describe().Int("softmax_precision", 1);
  ModelBuilder& builder = model.Finish("z");
  auto& graph = *builder.GetProto().mutable_graph();
  for (int input = 0; input < 3; ++input) {
    std::string& name = *graph.mutable_node(0)->mutable_input(input);
    builder.Node("Cast", {name}, {name + "_half"}).Int("to", 10);
    name += "_half";
  }
  graph.mutable_node()->SwapElements(0, 3);
  builder.Node("Cast", {"y"}, {"z"}).Int("to", 1);
  ExpectNearAttention(builder.Run({{0}}), {1.5F});
  AttentionModel other = MakePowers(1, 2);
  other.Describe().Int("softmax_precision", 7);
  EXPECT_EQ(GetAttentionReason(other.Finish(), DiagnosticCode::kUnsupportedAttribute),
            "softmax_precision is 7; types of floating point are supported");
}

TEST(Attention, RefusesHeadsThatDoNotFit) {
  AttentionModel ranks({1, 1, 2}, {1, 1, 2, 2}, {1, 2, 3, 4}, {1, 1, 2, 1}, {1, 2});
  EXPECT_EQ(GetAttentionReason(ranks.Finish(), DiagnosticCode::kInvalidModel),
            "its queries, keys and values are 1x1x2, 1x1x2x2 and 1x1x2x1; all of rank 3 or all of "
            "rank 4 is expected");
  AttentionModel sizes({1, 1, 1, 2}, {1, 1, 2, 1}, {1, 2}, {1, 1, 2, 1}, {1, 2});
  EXPECT_EQ(GetAttentionReason(sizes.Finish(), DiagnosticCode::kInvalidModel),
            "its queries are 1x1x1x2 and its keys 1x1x2x1; the same batch and size of a head is "
            "expected");
  AttentionModel groups({1, 3, 1, 1}, {1, 2, 1, 1}, {1, 2}, {1, 2, 1, 1}, {1, 2});
  EXPECT_EQ(GetAttentionReason(groups.Finish(), DiagnosticCode::kInvalidModel),
            "it has 3 heads of queries and 2 of keys or values; a multiple of these is expected");
  AttentionModel flat({1, 1, 2}, {1, 2, 1}, {1, 2}, {1, 2, 1}, {1, 2});
  EXPECT_EQ(GetAttentionReason(flat.Finish("y", 3), DiagnosticCode::kInvalidModel),
            "it has 0 heads in 1x1x2; a number into which the last axis can be taken apart is "
            "expected");
}

TEST(Attention, RefusesMasksAndCachesThatDoNotFit) {
  AttentionModel mask = MakePowers(2, 2);
  EXPECT_EQ(GetAttentionReason(mask.AddFloatMask({3, 2}, Floats(6)).Finish(),
                               DiagnosticCode::kInvalidModel),
            "its mask is 3x2; a shape that broadcasts to 1x1x2x2 is expected");
  AttentionModel half = MakePowers(2, 2);
  half.Get().Floats("past_k", {1, 1, 1, 1}, {1});
  EXPECT_EQ(GetAttentionReason(half.Add(4, "past_k").Finish(), DiagnosticCode::kInvalidModel),
            "it has only one of past_key and past_value; both or none are expected");
  AttentionModel counts = MakePowers(2, 2);
  counts.Get().Int64s("count", {2, 2});
  EXPECT_EQ(GetAttentionReason(counts.Add(6, "count").Finish(), DiagnosticCode::kInvalidModel),
            "its nonpad_kv_seqlen is 2 int64; 1 int64 is expected");
  AttentionModel mode = MakePowers(2, 2);
  mode.Describe().Int("qk_matmul_output_mode", 4);
  EXPECT_EQ(GetAttentionReason(mode.Finish(), DiagnosticCode::kInvalidModel),
            "qk_matmul_output_mode is 4; 0 to 3 is expected");
  AttentionModel window = MakePowers(2, 2);
  window.Describe().Int("left_window_size", -2);
  EXPECT_EQ(GetAttentionReason(window.Finish(), DiagnosticCode::kInvalidModel),
            "left_window_size is -2; -1 or a number of keys is expected");
}

}  // namespace
}  // namespace backplane::onnx::test
