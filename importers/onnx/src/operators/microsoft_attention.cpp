#include "nodes/node.hpp"
#include "operators/attention_heads.hpp"
#include "operators/element_layers.hpp"
#include "operators/head_attention.hpp"
#include "operators/integer_product.hpp"
#include "operators/movement_layers.hpp"
#include "operators/operator_table.hpp"
#include "operators/required_shape.hpp"
#include "operators/stated_attributes.hpp"
#include "tensors/shape.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace backplane::onnx {
namespace {

// Inputs that Attention and QAttention have both, in these places.
struct OneProduct {
  enum Inputs : std::size_t { kInput, kWeights, kBias };
};

// The others of Attention.
struct RealProduct {
  enum Inputs : std::size_t { kMask = 3, kPast, kScoreBias, kPastLength };
};

// The others of QAttention.
struct IntegerProductOfAttention {
  enum Inputs : std::size_t {
    kInputScale = 3,
    kWeightScale,
    kMask,
    kInputZeroPoint,
    kWeightZeroPoint,
    kPast,
    kNone,  // stands for what it never has
  };
};

// Where the inputs are that belong to the scores.
struct AttentionInputs {
  ScoreInputs scores;
  std::size_t past = 0;
};

constexpr std::array<const char*, 3> kPartNames = {"/query", "/key", "/value"};

void RefuseOtherModes(Node& node) {
  for (const char* name : {"do_rotary", "past_present_share_buffer"}) {
    const std::int64_t value = node.GetAttributes().FindInt(name).value_or(0);
    if (value != 0) {
      node.GetAttributes().Refuse(name, std::to_string(value), "only 0 is supported");
    }
  }
  node.GetAttributes().Ignore("rotary_embedding_dim");  // is of do_rotary
}

// The columns of the weights that make queries, keys and values.
std::array<std::int64_t, 3> ReadWidths(Node& node) {
  const std::int64_t columns = node.GetInputShape(OneProduct::kWeights)[1];
  const auto stated = node.GetAttributes().FindInts("qkv_hidden_sizes");
  std::array<std::int64_t, 3> widths = {columns / 3, columns / 3, columns - 2 * (columns / 3)};
  if (stated && stated->size() == 3) widths = {(*stated)[0], (*stated)[1], (*stated)[2]};
  std::int64_t rest = stated && stated->size() != 3 ? -1 : columns;
  for (const std::int64_t width : widths) {
    if (width <= 0 || width > rest) rest = -1;
    if (rest >= 0) rest -= width;
  }
  if (rest == 0 && widths[0] == widths[1] && (stated || widths[1] == widths[2])) return widths;
  node.RefuseAsInvalid("its weights have " + std::to_string(columns) +
                       " columns; as many as queries, keys and values need are expected: three "
                       "equal parts, or those of qkv_hidden_sizes, of which the first are equal");
}

void CheckProduct(const Node& node) {
  RequireRank(node, OneProduct::kInput, 3, "its input");
  RequireRank(node, OneProduct::kWeights, 2, "its weights");
  const std::int64_t inner = node.GetInputShape(OneProduct::kInput)[2];
  const std::int64_t columns = node.GetInputShape(OneProduct::kWeights)[1];
  RequireShape(node, OneProduct::kWeights, {inner, columns}, "the shape of its weights");
  if (node.HasInput(OneProduct::kBias))
    RequireShape(node, OneProduct::kBias, {columns}, "its bias");
}

OutputSlot AddRowBias(Node& node, OutputSlot rows) {
  if (!node.HasInput(OneProduct::kBias)) return rows;
  return AddBinary(node, BinaryOperation::kAdd, rows, GetReals(node, OneProduct::kBias, "/bias"),
                   "/all");
}

// Keys (0) or values (1) of earlier runs, out of [2, batch, heads, keys, width].
OutputSlot AddPastHeads(Node& node, std::size_t past_input, std::int64_t which, OutputSlot heads,
                        const std::string& suffix) {
  TensorShape expected = {2};
  const TensorShape& added = node.GetInfo(heads).shape;
  for (std::uint32_t axis = 0; axis < added.rank; ++axis) expected.Append(added[axis]);
  const TensorShape& found = node.GetInputShape(past_input);
  if (found.rank == 5) expected[3] = found[3];
  RequireShape(node, past_input, expected, "its past");
  const OutputSlot part = TakeElements(node, GetReals(node, past_input, suffix + "/past"), 0, which,
                                       1, suffix + "/past/part");
  const OutputSlot past = node.AddReshape(
      part, {expected[1], expected[2], expected[3], expected[4]}, suffix + "/past/heads");
  return AddConcat(node, {past, heads}, 2, suffix + "/present");
}

void SetPresent(Node& node, const HeadAttention& attention, DataType type) {
  if (!node.IsOutputRead(1)) return;
  TensorShape shape = {1};
  const TensorShape keys = node.GetInfo(attention.keys).shape;
  if (keys != node.GetInfo(attention.values).shape) {
    node.RefuseAsInvalid("its output present is read, but keys are " + ToText(keys) +
                         " and values " + ToText(node.GetInfo(attention.values).shape) +
                         "; equal shapes are expected");
  }
  for (std::uint32_t axis = 0; axis < keys.rank; ++axis) shape.Append(keys[axis]);
  const OutputSlot both = AddConcat(node,
                                    {node.AddReshape(attention.keys, shape, "/present/keys"),
                                     node.AddReshape(attention.values, shape, "/present/values")},
                                    0, "/present");
  node.SetOutput(1, AddCast(node, both, type, "/present/output"));
}

// Out of queries, keys and values side by side.
HeadAttention TakeHeads(Node& node, OutputSlot all, std::int64_t num_heads) {
  const std::array<std::int64_t, 3> widths = ReadWidths(node);
  std::array<OutputSlot, 3> heads;
  std::int64_t first = 0;
  for (std::size_t part = 0; part < heads.size(); ++part) {
    const std::string suffix = kPartNames[part];
    const OutputSlot rows = TakeElements(node, all, 2, first, widths[part], suffix + "/rows");
    heads[part] = AddHeads(node, rows, num_heads, suffix);
    first += widths[part];
  }
  HeadAttention attention;
  attention.queries = heads[0];
  attention.keys = heads[1];
  attention.values = heads[2];
  return attention;
}

// What both operators do with their product.
void ConvertRows(Node& node, OutputSlot all, const AttentionInputs& inputs, DataType type) {
  const std::int64_t num_heads = ReadStatedCount(node, "num_heads");
  HeadAttention attention = TakeHeads(node, all, num_heads);
  const TensorShape queries = node.GetInfo(attention.queries).shape;
  if (node.HasInput(inputs.past)) {
    attention.keys = AddPastHeads(node, inputs.past, 0, attention.keys, "/key");
    attention.values = AddPastHeads(node, inputs.past, 1, attention.values, "/value");
  }
  SetPresent(node, attention, type);
  const std::int64_t num_keys = node.GetInfo(attention.keys).shape[2];
  const HeadExtents extents = {queries[0], num_heads, queries[2], num_keys, num_keys - queries[2]};
  attention.scale = ReadScoreScale(node, queries[3]);
  attention.added = AddScoreMask(node, inputs.scores, extents);
  attention.chosen = AddCausalChoice(node, extents);
  SetHeadAttention(node, attention, type);
}

}  // namespace

// Queries, keys and values come from one product.
void ConvertMicrosoftAttention(Node& node) {
  RefuseOtherModes(node);
  if (node.HasInput(RealProduct::kPastLength)) {
    node.RefuseAsUnsupported(
        "it has past_sequence_length, that is a buffer that it writes to; past keys and values "
        "are supported that are as long as their tensor");
  }
  CheckProduct(node);
  const OutputSlot product =
      node.AddLayer<LayerType::kBatchMatMul>({},
                                             {GetReals(node, OneProduct::kInput, "/input"),
                                              GetReals(node, OneProduct::kWeights, "/weights")},
                                             "/all/product");
  ConvertRows(node, AddRowBias(node, product),
              {{RealProduct::kMask, RealProduct::kScoreBias}, RealProduct::kPast},
              node.GetInputInfo(OneProduct::kInput).data_type);
}

// The product is one of integers; everything behind it is as in Attention.
void ConvertMicrosoftQAttention(Node& node) {
  using Inputs = IntegerProductOfAttention;
  RefuseOtherModes(node);
  CheckProduct(node);
  const OutputSlot product = AddScaledIntegerProduct(
      node, {OneProduct::kInput, Inputs::kInputScale, Inputs::kInputZeroPoint},
      {OneProduct::kWeights, Inputs::kWeightScale, Inputs::kWeightZeroPoint}, "/all/product");
  ConvertRows(node, AddRowBias(node, product), {{Inputs::kMask, Inputs::kNone}, Inputs::kPast},
              DataType::kFloat32);
}

}  // namespace backplane::onnx
