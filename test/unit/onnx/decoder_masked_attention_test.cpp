#include "attention_reference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace backplane::onnx::test {
namespace {

constexpr std::int64_t kRowsOfBuffer = 5;

const Reals kOneQuery = MakeReals(16, 1);  // [2, 1, 8]
const Reals kOneKey = MakeReals(16, 2);
const Reals kOneValue = MakeReals(16, 3);
const Reals kKeyBuffer = MakeReals(2 * kRowsOfBuffer * 8, 4);
const Reals kValueBuffer = MakeReals(2 * kRowsOfBuffer * 8, 5);

/// A row of 2 heads behind those of a buffer; inputs from the mask on are as stated.
ModelBuilder MakeDecoder(const Names& more, const Names& outputs = {"y"}) {
  ModelBuilder model = MakeMicrosoftModel();
  for (const char* name : {"query", "key", "value"}) model.Input(name, {2, 1, 8});
  for (const char* name : {"past_key", "past_value"}) model.Input(name, {2, 2, kRowsOfBuffer, 4});
  Names inputs = {"query", "key", "value"};
  inputs.insert(inputs.end(), more.begin(), more.end());
  model.Node("DecoderMaskedMultiHeadAttention", inputs, outputs)
      .Domain("com.microsoft")
      .Int("num_heads", 2)
      .Int("past_present_share_buffer", 1);
  for (const std::string& output : outputs) {
    if (!output.empty()) model.Output(output, {-1, -1, -1});
  }
  return model;
}

const Names kNoMask = {"", "", "past_key", "past_value", "length"};

Reals RunDecoder(const ModelBuilder& model, std::vector<Reals> more = {}) {
  std::vector<Reals> inputs = {kOneQuery, kOneKey, kOneValue, ToHeads(kKeyBuffer, 2, 2, 4),
                               ToHeads(kValueBuffer, 2, 2, 4)};
  inputs.insert(inputs.end(), more.begin(), more.end());
  return model.Run(inputs);
}

/// The buffer with the row of each batch entry at `place`, and its first rows.
Reals PutRow(Reals buffer, const Reals& row, std::int64_t place) {
  for (std::int64_t batch = 0; batch < 2; ++batch) {
    std::copy_n(row.begin() + batch * 8, 8, buffer.begin() + (batch * kRowsOfBuffer + place) * 8);
  }
  return buffer;
}

Reals TakeRows(const Reals& buffer, std::int64_t count) {
  Reals rows;
  for (std::int64_t batch = 0; batch < 2; ++batch) {
    const auto first = buffer.begin() + batch * kRowsOfBuffer * 8;
    rows.insert(rows.end(), first, first + count * 8);
  }
  return rows;
}

Reals AttendToBuffer(std::int64_t past, const ChangeScore& change = {}) {
  AttentionSizes sizes;
  sizes.queries = 1;
  sizes.keys = past + 1;
  return Attend(sizes, kOneQuery, TakeRows(PutRow(kKeyBuffer, kOneKey, past), past + 1),
                TakeRows(PutRow(kValueBuffer, kOneValue, past), past + 1), change);
}

TEST(DecoderMaskedMultiHeadAttention, PutsItsRowWhereAConstantSays) {
  for (const std::int32_t past : {0, 2, 4}) {
    ModelBuilder model = MakeDecoder(kNoMask);
    AddInt32s(model, "length", {1}, {past});
    ExpectNearReals(RunDecoder(model), AttendToBuffer(past));
  }
  ModelBuilder present = MakeDecoder(kNoMask, {"", "present"});
  AddInt32s(present, "length", {1}, {2});
  ExpectNearReals(RunDecoder(present), ToHeads(PutRow(kKeyBuffer, kOneKey, 2), 2, 2, 4));
}

/// The length is known in the run only.
void AddRuntimeLength(ModelBuilder& model) {
  model.Input("real_length", {1}).Node("Cast", {"real_length"}, {"length"}).Int("to", 6);
  auto& nodes = *model.GetProto().mutable_graph()->mutable_node();
  nodes.SwapElements(0, 1);
}

TEST(DecoderMaskedMultiHeadAttention, PutsItsRowWhereTheRunSays) {
  ModelBuilder model = MakeDecoder(kNoMask);
  AddRuntimeLength(model);
  ExpectNearReals(RunDecoder(model, {{2}}), AttendToBuffer(2));
  ExpectNearReals(RunDecoder(model, {{4}}), AttendToBuffer(4));
}

TEST(DecoderMaskedMultiHeadAttention, KnowsByItsMaskHowManyKeysThereAre) {
  ModelBuilder model = MakeDecoder({"mask", "", "past_key", "past_value", "length"});
  AddInt32s(model, "mask", {2, 4}, {1, 0, 1, 1, 0, 0, 1, 1});
  AddRuntimeLength(model);
  const auto change = [](const ScorePlace& at, double score) {
    const bool is_kept = at.batch == 0 ? at.key != 1 : at.key > 1;
    return is_kept ? score : score - 10000.0;
  };
  ExpectNearReals(RunDecoder(model, {{3}}), AttendToBuffer(3, change));
}

TEST(DecoderMaskedMultiHeadAttention, ReadsKeysOfAnEncoder) {
  ModelBuilder model = MakeMicrosoftModel();
  model.Input("query", {2, 1, 8}).Input("key", {2, 2, 5, 4}).Input("value", {2, 2, 5, 4});
  model.Node("DecoderMaskedMultiHeadAttention", {"query", "key", "value"}, {"y"})
      .Domain("com.microsoft")
      .Int("num_heads", 2);
  model.Output("y", {-1, -1, -1});
  AttentionSizes sizes;
  sizes.queries = 1;
  sizes.keys = 5;
  ExpectNearReals(
      model.Run({kOneQuery, ToHeads(kKeyBuffer, 2, 2, 4), ToHeads(kValueBuffer, 2, 2, 4)}),
      Attend(sizes, kOneQuery, kKeyBuffer, kValueBuffer));
}

std::string GetDecoderReason(const ModelBuilder& model, DiagnosticCode code) {
  const Diagnostic diagnostic = model.ImportError();
  EXPECT_EQ(diagnostic.code, code) << ToText(diagnostic);
  return ToText(diagnostic);
}

TEST(DecoderMaskedMultiHeadAttention, RefusesWhatDoesNotFitOrIsNotSupported) {
  ModelBuilder beyond = MakeDecoder(kNoMask);
  AddInt32s(beyond, "length", {1}, {5});
  EXPECT_TRUE(Contains(GetDecoderReason(beyond, DiagnosticCode::kInvalidModel),
                       "past_sequence_length is 5; a row of its buffers, which have 5"));
  Names names = kNoMask;
  names.insert(names.end(), {"", "beams"});
  ModelBuilder beams = MakeDecoder(names);
  AddInt32s(beams, "length", {1}, {2});
  AddInt32s(beams, "beams", {1, 2, 5}, std::vector<std::int32_t>(10, 0));
  EXPECT_TRUE(Contains(GetDecoderReason(beams, DiagnosticCode::kUnsupportedAttribute),
                       "cache_indirection"));
  const ModelBuilder none = MakeDecoder({});
  EXPECT_TRUE(Contains(GetDecoderReason(none, DiagnosticCode::kUnsupportedAttribute),
                       "no buffer for them"));
}

}  // namespace
}  // namespace backplane::onnx::test
