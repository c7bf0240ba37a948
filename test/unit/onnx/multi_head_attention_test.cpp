#include "attention_reference.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace backplane::onnx::test {
namespace {

constexpr double kFilter = -10000.0;

const AttentionSizes kMultiHeadSizes;
const Dims kRowDims = {2, 3, 8};
const Reals kQueries = MakeReals(48, 1);
const Reals kKeys = MakeReals(48, 2);
const Reals kValues = MakeReals(48, 3);

/// Query, key and value of kRowDims; `more` are further inputs, which the caller adds.
ModelBuilder MakeMultiHead(const Names& more = {}, const Names& outputs = {"y"}) {
  ModelBuilder model = MakeMicrosoftModel();
  for (const char* name : {"query", "key", "value"}) model.Input(name, kRowDims);
  Names inputs = {"query", "key", "value"};
  inputs.insert(inputs.end(), more.begin(), more.end());
  model.Node("MultiHeadAttention", inputs, outputs).Domain("com.microsoft").Int("num_heads", 2);
  for (const std::string& output : outputs) {
    if (!output.empty()) model.Output(output, {-1, -1, -1});
  }
  return model;
}

::onnx::NodeProto& GetFirstNode(ModelBuilder& model) {
  return *model.GetProto().mutable_graph()->mutable_node(0);
}

void SetInt(ModelBuilder& model, const std::string& name, std::int64_t value) {
  NodeBuilder(GetFirstNode(model)).Int(name, value);
}

std::string GetReason(const ModelBuilder& model, DiagnosticCode code) {
  const Diagnostic diagnostic = model.ImportError();
  EXPECT_EQ(diagnostic.code, code) << ToText(diagnostic);
  return ToText(diagnostic);
}

/// Rows plus a bias for each column, of which the first is at `first`.
Reals AddToRows(Reals rows, const Reals& bias, std::size_t first) {
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] += bias[first + i % 8];
  return rows;
}

TEST(MultiHeadAttention, AddsUpValuesByScores) {
  ExpectNearReals(MakeMultiHead().Run({kQueries, kKeys, kValues}),
                  Attend(kMultiHeadSizes, kQueries, kKeys, kValues));
}

TEST(MultiHeadAttention, ReadsItsScale) {
  ModelBuilder model = MakeMultiHead();
  NodeBuilder(GetFirstNode(model)).Float("scale", 2.0F);
  ExpectNearReals(model.Run({kQueries, kKeys, kValues}),
                  Attend(kMultiHeadSizes, kQueries, kKeys, kValues, {}, 2.0));
}

TEST(MultiHeadAttention, AddsItsBiasToEachOperand) {
  const Reals bias = MakeReals(24, 4);
  ModelBuilder model = MakeMultiHead({"bias"});
  model.Floats("bias", {24}, bias);
  ExpectNearReals(model.Run({kQueries, kKeys, kValues}),
                  Attend(kMultiHeadSizes, AddToRows(kQueries, bias, 0), AddToRows(kKeys, bias, 8),
                         AddToRows(kValues, bias, 16)));
}

/// Rows as [batch, rows, heads, parts, width].
Reals Pack(const std::vector<Reals>& parts) {
  Reals packed;
  for (std::size_t head = 0; head < parts[0].size() / 4; ++head) {
    for (const Reals& part : parts) {
      packed.insert(packed.end(), &part[head * 4], &part[head * 4] + 4);
    }
  }
  return packed;
}

TEST(MultiHeadAttention, TakesPackedOperandsApart) {
  ModelBuilder all = MakeMicrosoftModel();
  all.Input("all", {2, 3, 2, 3, 4}).Output("y", {-1, -1, -1});
  all.Node("MultiHeadAttention", {"all"}, {"y"}).Domain("com.microsoft").Int("num_heads", 2);
  const Reals expected = Attend(kMultiHeadSizes, kQueries, kKeys, kValues);
  ExpectNearReals(all.Run({Pack({kQueries, kKeys, kValues})}), expected);
  ModelBuilder two = MakeMicrosoftModel();
  two.Input("query", kRowDims).Input("two", {2, 3, 2, 2, 4}).Output("y", {-1, -1, -1});
  two.Node("MultiHeadAttention", {"query", "two"}, {"y"})
      .Domain("com.microsoft")
      .Int("num_heads", 2);
  ExpectNearReals(two.Run({kQueries, Pack({kKeys, kValues})}), expected);
}

TEST(MultiHeadAttention, TakesHeadsOfAnEncoderAsTheyAre) {
  ModelBuilder model = MakeMicrosoftModel();
  model.Input("query", kRowDims).Input("key", {2, 2, 3, 4}).Input("value", {2, 2, 3, 4});
  model.Output("y", {-1, -1, -1}).Floats("bias", {24}, Reals(24, 0.0F));
  model.Node("MultiHeadAttention", {"query", "key", "value", "bias"}, {"y"})
      .Domain("com.microsoft")
      .Int("num_heads", 2);
  ExpectNearReals(model.Run({kQueries, ToHeads(kKeys, 2, 2, 4), ToHeads(kValues, 2, 2, 4)}),
                  Attend(kMultiHeadSizes, kQueries, kKeys, kValues));
}

TEST(MultiHeadAttention, CalculatesHalvesInFloat32) {
  constexpr std::int64_t kFloat = 1;
  constexpr std::int64_t kFloat16 = 10;
  ModelBuilder model = MakeMicrosoftModel();
  for (const std::string name : {"query", "key", "value"}) {
    model.Input(name, kRowDims).Node("Cast", {name}, {name + "_half"}).Int("to", kFloat16);
  }
  model.Node("MultiHeadAttention", {"query_half", "key_half", "value_half"}, {"half"})
      .Domain("com.microsoft")
      .Int("num_heads", 2);
  model.Output("y", {-1, -1, -1}).Node("Cast", {"half"}, {"y"}).Int("to", kFloat);
  ExpectNearReals(model.Run({kQueries, kKeys, kValues}),
                  Attend(kMultiHeadSizes, kQueries, kKeys, kValues), 1e-3);
}

struct MaskCase {
  Dims dims;
  std::vector<std::int32_t> numbers;
  std::function<bool(const ScorePlace&)> is_kept;
};

const std::vector<MaskCase>& GetMaskCases() {
  static const std::vector<std::int32_t> kEach = {1, 0, 1, 0, 1, 1, 1, 1, 0,
                                                  0, 0, 1, 1, 0, 1, 0, 1, 1};
  static const std::vector<MaskCase> kCases = {
      {{2}, {3, 1}, [](const ScorePlace& at) { return at.batch == 0 || at.key < 1; }},
      {{4},
       {3, 2, 1, 0},
       [](const ScorePlace& at) { return at.batch == 0 ? at.key >= 1 : at.key < 2; }},
      {{8},
       {3, 1, 0, 3, 6, 0, 3, 6},
       [](const ScorePlace& at) { return at.batch == 0 || at.key < 1; }},
      {{2, 3},
       {1, 0, 1, 0, 0, 1},
       [](const ScorePlace& at) { return at.batch == 0 ? at.key != 1 : at.key == 2; }},
      {{2, 3, 3},
       kEach,
       [](const ScorePlace& at) {
         return kEach[static_cast<std::size_t>((at.batch * 3 + at.query) * 3 + at.key)] > 0;
       }},
      {{2, 1, 3, 3}, kEach, [](const ScorePlace& at) {
         return kEach[static_cast<std::size_t>((at.batch * 3 + at.query) * 3 + at.key)] > 0;
       }}};
  return kCases;
}

TEST(MultiHeadAttention, TakesMasksOfEachForm) {
  for (const MaskCase& mask : GetMaskCases()) {
    SCOPED_TRACE(std::to_string(mask.dims.size()) + " axes, of " + std::to_string(mask.dims[0]));
    ModelBuilder model = MakeMultiHead({"", "mask"});
    AddInt32s(model, "mask", mask.dims, mask.numbers);
    ExpectNearReals(
        model.Run({kQueries, kKeys, kValues}),
        Attend(kMultiHeadSizes, kQueries, kKeys, kValues, [&](const ScorePlace& at, double score) {
          return mask.is_kept(at) ? score : score + kFilter;
        }));
  }
}

TEST(MultiHeadAttention, AddsMaskAndBiasToScores) {
  const Reals bias = MakeReals(18, 5);  // [1, 2, 3, 3]
  ModelBuilder model = MakeMultiHead({"", "mask", "bias"});
  NodeBuilder(GetFirstNode(model)).Float("mask_filter_value", -1.0F);
  model.Floats("bias", {1, 2, 3, 3}, bias);
  AddInt32s(model, "mask", {2, 3}, {1, 0, 1, 0, 0, 0});
  const auto change = [&](const ScorePlace& at, double score) {
    const auto place = static_cast<std::size_t>((at.head * 3 + at.query) * 3 + at.key);
    const bool is_kept = at.batch == 0 && at.key != 1;
    return score + static_cast<double>(bias[place]) - (is_kept ? 0.0 : 1.0);
  };
  ExpectNearReals(model.Run({kQueries, kKeys, kValues}),
                  Attend(kMultiHeadSizes, kQueries, kKeys, kValues, change));
}

double LookBack(const ScorePlace& at, double score) {
  return at.key <= at.query ? score : -1.0e30;
}

TEST(MultiHeadAttention, LooksBackOnlyWhereItIsUnidirectional) {
  ModelBuilder model = MakeMultiHead();
  SetInt(model, "unidirectional", 1);
  ExpectNearReals(model.Run({kQueries, kKeys, kValues}),
                  Attend(kMultiHeadSizes, kQueries, kKeys, kValues, LookBack));
}

/// [batch, rows, 8] of both, one behind the other.
Reals JoinRows(const Reals& before, std::int64_t num_before, const Reals& behind,
               std::int64_t num_behind) {
  Reals all;
  for (std::int64_t batch = 0; batch < 2; ++batch) {
    const float* first = before.data() + batch * num_before * 8;
    const float* second = behind.data() + batch * num_behind * 8;
    all.insert(all.end(), first, first + num_before * 8);
    all.insert(all.end(), second, second + num_behind * 8);
  }
  return all;
}

TEST(MultiHeadAttention, PutsNewKeysBehindThoseOfEarlierRuns) {
  const Reals past_keys = MakeReals(32, 6);  // [2, 2, 8] as rows
  const Reals past_values = MakeReals(32, 7);
  const auto make = [&](const Names& outputs) {
    ModelBuilder model = MakeMultiHead({"", "", "", "past_key", "past_value"}, outputs);
    model.Input("past_key", {2, 2, 2, 4}).Input("past_value", {2, 2, 2, 4});
    SetInt(model, "unidirectional", 1);
    return model.Run(
        {kQueries, kKeys, kValues, ToHeads(past_keys, 2, 2, 4), ToHeads(past_values, 2, 2, 4)});
  };
  AttentionSizes sizes;
  sizes.keys = 5;
  const Reals keys = JoinRows(past_keys, 2, kKeys, 3);
  const Reals values = JoinRows(past_values, 2, kValues, 3);
  const auto change = [](const ScorePlace& at, double score) {
    return at.key <= at.query + 2 ? score : -1.0e30;
  };
  ExpectNearReals(make({"y"}), Attend(sizes, kQueries, keys, values, change));
  ExpectNearReals(make({"", "present"}), ToHeads(keys, 2, 2, 4));
  ExpectNearReals(make({"", "", "present"}), ToHeads(values, 2, 2, 4));
}

TEST(MultiHeadAttention, RefusesWhatDoesNotFit) {
  using Code = DiagnosticCode;
  ModelBuilder heads = MakeMultiHead();
  GetFirstNode(heads).mutable_attribute(0)->set_i(0);
  EXPECT_TRUE(Contains(GetReason(heads, Code::kInvalidModel), "num_heads is 0"));
  ModelBuilder three = MakeMultiHead();
  GetFirstNode(three).mutable_attribute(0)->set_i(3);
  EXPECT_TRUE(Contains(GetReason(three, Code::kInvalidModel), "multiple of 3"));
  ModelBuilder bias = MakeMultiHead({"bias"});
  bias.Floats("bias", {23}, Reals(23, 0.0F));
  EXPECT_TRUE(Contains(GetReason(bias, Code::kInvalidModel), "its bias is 23; 24 is expected"));
  ModelBuilder mask = MakeMultiHead({"", "mask"});
  AddInt32s(mask, "mask", {2, 4}, std::vector<std::int32_t>(8, 1));
  EXPECT_TRUE(Contains(GetReason(mask, Code::kInvalidModel), "its mask is 2x4"));
  ModelBuilder scores = MakeMultiHead({"", "", "bias"});
  scores.Floats("bias", {1, 1, 3, 2}, Reals(6, 0.0F));
  EXPECT_TRUE(Contains(GetReason(scores, Code::kInvalidModel), "attention_bias is 1x1x3x2"));
  ModelBuilder past = MakeMultiHead({"", "", "", "past"});
  past.Floats("past", {2, 2, 5, 3}, Reals(60, 0.0F));
  EXPECT_TRUE(Contains(GetReason(past, Code::kInvalidModel), "2x2x5x4 is expected"));
  ModelBuilder values = MakeMultiHead();
  values.GetProto()
      .mutable_graph()
      ->mutable_input(2)
      ->mutable_type()
      ->mutable_tensor_type()
      ->mutable_shape()
      ->mutable_dim(1)
      ->set_dim_value(4);
  EXPECT_TRUE(Contains(GetReason(values, Code::kInvalidModel), "its values have the shape"));
}

TEST(MultiHeadAttention, RefusesWhatIsNotSupported) {
  constexpr auto kCode = DiagnosticCode::kUnsupportedAttribute;
  EXPECT_TRUE(Contains(GetReason(MakeMultiHead({}, {"y", "", "", "qk"}), kCode), "output qk"));
  ModelBuilder buffer = MakeMultiHead({"", "", "", "", "", "length"});
  AddInt32s(buffer, "length", {1}, {2});
  EXPECT_TRUE(Contains(GetReason(buffer, kCode), "past_sequence_length"));
  ModelBuilder cross = MakeMultiHead();
  SetInt(cross, "unidirectional", 1);
  for (const int input : {1, 2}) {
    cross.GetProto()
        .mutable_graph()
        ->mutable_input(input)
        ->mutable_type()
        ->mutable_tensor_type()
        ->mutable_shape()
        ->mutable_dim(1)
        ->set_dim_value(4);
  }
  EXPECT_TRUE(Contains(GetReason(cross, kCode), "4 new keys for 3 queries"));
}

/// Rows [2, 3, 5] times weights, plus bias, of one part that begins at column `first`.
Reals MultiplyRows(const Reals& rows, const Reals& weights, const Reals& bias, std::size_t columns,
                   std::size_t first, std::size_t count) {
  Reals result;
  for (std::size_t row = 0; row < 6; ++row) {
    for (std::size_t column = first; column < first + count; ++column) {
      double sum = static_cast<double>(bias[column]);
      for (std::size_t i = 0; i < 5; ++i) {
        sum += static_cast<double>(rows[row * 5 + i]) *
               static_cast<double>(weights[i * columns + column]);
      }
      result.push_back(static_cast<float>(sum));
    }
  }
  return result;
}

const Reals kAttentionInput = MakeReals(30, 1);
const Reals kAttentionWeights = MakeReals(120, 2);
const Reals kAttentionBias = MakeReals(24, 3);

Reals GetPart(std::size_t part) {
  return MultiplyRows(kAttentionInput, kAttentionWeights, kAttentionBias, 24, part * 8, 8);
}

/// [2, 3, 5] times [5, 24]; `more` are inputs behind the bias.
ModelBuilder MakeAttention(const Names& more = {}, const Names& outputs = {"y"}) {
  ModelBuilder model = MakeMicrosoftModel();
  model.Input("x", {2, 3, 5}).Floats("weights", {5, 24}, kAttentionWeights);
  model.Floats("bias", {24}, kAttentionBias);
  Names inputs = {"x", "weights", "bias"};
  inputs.insert(inputs.end(), more.begin(), more.end());
  model.Node("Attention", inputs, outputs).Domain("com.microsoft").Int("num_heads", 2);
  for (const std::string& output : outputs) {
    if (!output.empty()) model.Output(output, {-1, -1, -1});
  }
  return model;
}

TEST(MicrosoftAttention, MakesItsOperandsByOneProduct) {
  ExpectNearReals(MakeAttention().Run({kAttentionInput}),
                  Attend(kMultiHeadSizes, GetPart(0), GetPart(1), GetPart(2)));
}

TEST(MicrosoftAttention, TakesMasksAndLooksBack) {
  ModelBuilder model = MakeAttention({"mask"});
  AddInt32s(model, "mask", {4}, {3, 2, 1, 0});
  SetInt(model, "unidirectional", 1);
  const auto change = [](const ScorePlace& at, double score) {
    const bool is_kept = at.batch == 0 ? at.key >= 1 : at.key < 2;
    return LookBack(at, is_kept ? score : score + kFilter);
  };
  ExpectNearReals(model.Run({kAttentionInput}),
                  Attend(kMultiHeadSizes, GetPart(0), GetPart(1), GetPart(2), change));
}

TEST(MicrosoftAttention, HasKeysAndValuesOfEarlierRunsInOneTensor) {
  const Reals past_keys = MakeReals(32, 6);
  const Reals past_values = MakeReals(32, 7);
  const auto run = [&](const Names& outputs) {
    ModelBuilder model = MakeAttention({"", "past"}, outputs);
    model.Input("past", {2, 2, 2, 2, 4});
    Reals past = ToHeads(past_keys, 2, 2, 4);
    const Reals values = ToHeads(past_values, 2, 2, 4);
    past.insert(past.end(), values.begin(), values.end());
    return model.Run({kAttentionInput, past});
  };
  AttentionSizes sizes;
  sizes.keys = 5;
  const Reals keys = JoinRows(past_keys, 2, GetPart(1), 3);
  const Reals values = JoinRows(past_values, 2, GetPart(2), 3);
  ExpectNearReals(run({"y"}), Attend(sizes, GetPart(0), keys, values));
  Reals present = ToHeads(keys, 2, 2, 4);
  const Reals present_values = ToHeads(values, 2, 2, 4);
  present.insert(present.end(), present_values.begin(), present_values.end());
  ExpectNearReals(run({"", "present"}), present);
}

TEST(MicrosoftAttention, ReadsWidthsOfItsOperands) {
  ModelBuilder model = MakeAttention();
  NodeBuilder(GetFirstNode(model)).Ints("qkv_hidden_sizes", {4, 4, 16});
  const TensorShape kExpected = {2, 3, 16};
  EXPECT_EQ(model.GetOutputShape(), kExpected);
}

TEST(MicrosoftAttention, RefusesWhatDoesNotFit) {
  using Code = DiagnosticCode;
  ModelBuilder sizes = MakeAttention();
  NodeBuilder(GetFirstNode(sizes)).Ints("qkv_hidden_sizes", {4, 8, 12});
  EXPECT_TRUE(Contains(GetReason(sizes, Code::kInvalidModel), "its weights have 24 columns"));
  ModelBuilder rotary = MakeAttention();
  SetInt(rotary, "do_rotary", 1);
  EXPECT_TRUE(Contains(GetReason(rotary, Code::kUnsupportedAttribute), "do_rotary"));
  ModelBuilder past = MakeAttention({"", "past"});
  past.Input("past", {2, 2, 2, 4});
  EXPECT_TRUE(Contains(GetReason(past, Code::kInvalidModel), "its past is 2x2x2x4"));
  ModelBuilder weights = MakeAttention();
  weights.GetProto()
      .mutable_graph()
      ->mutable_input(0)
      ->mutable_type()
      ->mutable_tensor_type()
      ->mutable_shape()
      ->mutable_dim(2)
      ->set_dim_value(6);
  EXPECT_TRUE(Contains(GetReason(weights, Code::kInvalidModel), "6x24 is expected"));
}

}  // namespace
}  // namespace backplane::onnx::test
