#include "operators/head_attention.hpp"

#include "operators/attention_heads.hpp"
#include "operators/element_layers.hpp"
#include "operators/movement_layers.hpp"
#include "tensors/shape.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace backplane::onnx {
namespace {

OutputSlot AddWithSink(Node& node, OutputSlot scores, const std::optional<OutputSlot>& sink) {
  if (!sink) return AddProbabilities(node, scores, "/probabilities");
  const std::int64_t keys = node.GetInfo(scores).shape[3];
  const OutputSlot all = AddConcat(node, {scores, *sink}, 3, "/scores/sink");
  return TakeElements(node, AddProbabilities(node, all, "/probabilities/sink"), 3, 0, keys,
                      "/probabilities");
}

// bool [batch, 1, 1, keys] from numbers for each batch entry: how many are kept, and, where there
// are `starts`, how many in front are not.
OutputSlot AddKeptRange(Node& node, OutputSlot numbers, const HeadExtents& extents,
                        bool has_starts) {
  const TensorShape column = {extents.batch, 1, 1, 1};
  const OutputSlot positions = AddPositions(node, 0, {extents.keys}, "/mask/positions");
  const auto take = [&](std::int64_t first, const std::string& suffix) {
    const OutputSlot part = TakeElements(node, numbers, 0, first, extents.batch, suffix);
    return node.AddReshape(part, column, suffix + "/shape");
  };
  const OutputSlot is_before = AddComparison(node, ComparisonOperation::kLess, positions,
                                             take(0, "/mask/ends"), "/mask/before_end");
  if (!has_starts) return is_before;
  const OutputSlot is_behind =
      AddComparison(node, ComparisonOperation::kGreaterOrEqual, positions,
                    take(extents.batch, "/mask/starts"), "/mask/behind_start");
  return node.AddLayer<LayerType::kLogicalBinary>({}, {is_before, is_behind}, "/mask/between");
}

// The rows of the queries, which are the last of the keys, of one matrix for each batch entry.
OutputSlot TakeRows(Node& node, std::size_t index, OutputSlot mask, const HeadExtents& extents) {
  const TensorShape& shape = node.GetInputShape(index);
  if (shape[0] != extents.batch || shape[1] != 1 || shape[2] < extents.keys ||
      shape[3] < extents.keys || extents.queries > extents.keys) {
    node.RefuseAsInvalid("its mask is " + ToText(shape) + "; " +
                         ToText({extents.batch, 1, extents.keys, extents.keys}) +
                         ", or more rows and columns, are expected");
  }
  const OutputSlot rows =
      TakeElements(node, mask, 2, extents.keys - extents.queries, extents.queries, "/mask/rows");
  return TakeElements(node, rows, 3, 0, extents.keys, "/mask/columns");
}

// The mask as it broadcasts to the scores, of one integer for each key.
OutputSlot GetKeyFlags(Node& node, std::size_t index, const HeadExtents& extents) {
  const OutputSlot mask = node.GetInput(index);
  const TensorShape shape = node.GetInputShape(index);
  if (shape == TensorShape{extents.batch, extents.keys}) {
    return node.AddReshape(mask, {extents.batch, 1, 1, extents.keys}, "/mask/shape");
  }
  if (shape == TensorShape{extents.batch, extents.queries, extents.keys}) {
    return node.AddReshape(mask, {extents.batch, 1, extents.queries, extents.keys}, "/mask/shape");
  }
  if (shape.rank == 4) return TakeRows(node, index, mask, extents);
  node.RefuseAsInvalid("its mask is " + ToText(shape) + "; expected is one number for each of " +
                       std::to_string(extents.batch) + " batch entries, or " +
                       ToText({extents.batch, extents.keys}) + ", or " +
                       ToText({extents.batch, extents.queries, extents.keys}));
}

OutputSlot AddKept(Node& node, std::size_t index, const HeadExtents& extents) {
  const TensorShape& shape = node.GetInputShape(index);
  const bool is_list = shape.rank == 1;
  if (is_list && (shape[0] == extents.batch || shape[0] == 2 * extents.batch ||
                  shape[0] == 3 * extents.batch + 2)) {
    const OutputSlot numbers =
        AddCast(node, node.GetInput(index), DataType::kInt32, "/mask/numbers");
    return AddKeptRange(node, numbers, extents, shape[0] == 2 * extents.batch);
  }
  const OutputSlot flags = GetKeyFlags(node, index, extents);
  const OutputSlot zero = node.AddScalar(0.0, node.GetInfo(flags).data_type, "/mask/zero");
  return AddComparison(node, ComparisonOperation::kGreater, flags, zero, "/mask/kept");
}

OutputSlot AddHeadAttention(Node& node, const HeadAttention& attention) {
  BatchMatMulDescriptor product;
  product.transpose_b = 1;
  OutputSlot scores = node.AddLayer<LayerType::kBatchMatMul>(
      product, {attention.queries, attention.keys}, "/scores");
  if (attention.scale != 1.0F) {
    scores = AddBinary(node, BinaryOperation::kMul, scores,
                       node.AddScalar(attention.scale, "/scale"), "/scores/scale");
  }
  if (attention.softcap > 0.0F) {
    scores = AddActivation(node, ActivationFunction::kTanH, scores, "/softcap", attention.softcap,
                           1.0F / attention.softcap);
  }
  if (attention.added) {
    scores = AddBinary(node, BinaryOperation::kAdd, scores, *attention.added, "/scores/mask");
  }
  if (attention.chosen) {
    const OutputSlot lowest = node.AddScalar(std::numeric_limits<float>::lowest(), "/lowest");
    scores =
        node.AddLayer<LayerType::kWhere>({}, {*attention.chosen, scores, lowest}, "/scores/choice");
  }
  return AddWeightedValues(node, AddWithSink(node, scores, attention.sink), attention.values, "");
}

}  // namespace

void SetHeadAttention(Node& node, const HeadAttention& attention, DataType type) {
  const OutputSlot rows = AddJoinedHeads(node, AddHeadAttention(node, attention), "/rows");
  node.SetOutput(AddCast(node, rows, type, "/output"));
}

float ReadScoreScale(Node& node, std::int64_t width) {
  const float stated = node.GetAttributes().FindFloat("scale").value_or(0.0F);
  return stated != 0.0F ? stated : 1.0F / std::sqrt(static_cast<float>(width));
}

OutputSlot AddPartOfBias(Node& node, OutputSlot rows, std::size_t bias, std::int64_t first,
                         const std::string& suffix) {
  if (!node.HasInput(bias)) return rows;
  const std::int64_t count = node.GetInfo(rows).shape[2];
  const OutputSlot part = TakeElements(node, GetReals(node, bias, suffix + "/bias"), 0, first,
                                       count, suffix + "/bias/part");
  return AddBinary(node, BinaryOperation::kAdd, rows, part, suffix + "/sum");
}

OutputSlot PutHeadRow(Node& node, OutputSlot heads, OutputSlot row, OutputSlot place,
                      const std::string& suffix) {
  const TensorShape shape = node.GetInfo(row).shape;
  ScatterElementsDescriptor scatter;
  scatter.axis = 2;
  return node.AddLayer<LayerType::kScatterElements>(
      scatter, {heads, AddBroadcast(node, place, shape, suffix + "/places"), row}, suffix);
}

OutputSlot AddPositions(Node& node, std::int64_t first, const TensorShape& shape,
                        const std::string& suffix) {
  const TensorInfo info(shape, DataType::kInt32);
  const std::int64_t count = shape.GetNumElements();
  if (count > std::numeric_limits<std::int32_t>::max() - first ||
      !node.TakeMemory(info.GetSizeBytes())) {
    node.RefuseAsUnsupported("it has " + std::to_string(count) +
                             " rows; numbers of so many take more memory than imports may");
  }
  std::vector<std::int32_t> positions(static_cast<std::size_t>(count));
  std::iota(positions.begin(), positions.end(), static_cast<std::int32_t>(first));
  return node.AddConstant(info, positions.data(), suffix);
}

std::optional<OutputSlot> AddCausalChoice(Node& node, const HeadExtents& extents) {
  if (!node.GetAttributes().GetFlag("unidirectional")) return {};
  if (extents.keys - extents.past != extents.queries) {
    node.RefuseAsUnsupported("it is unidirectional and has " +
                             std::to_string(extents.keys - extents.past) + " new keys for " +
                             std::to_string(extents.queries) +
                             " queries; equally many are supported");
  }
  if (extents.queries == 1) return {};
  return AddKeysUpTo(node, extents.keys,
                     AddPositions(node, extents.past, {extents.queries, 1}, "/causal/queries"));
}

OutputSlot AddKeysUpTo(Node& node, std::int64_t num_keys, OutputSlot last) {
  return AddComparison(node, ComparisonOperation::kLessOrEqual,
                       AddPositions(node, 0, {num_keys}, "/causal/keys"), last, "/causal");
}

std::optional<OutputSlot> AddScoreMask(Node& node, const ScoreInputs& inputs,
                                       const HeadExtents& extents) {
  const float filter = node.GetAttributes().FindFloat("mask_filter_value").value_or(-10000.0F);
  const std::optional<OutputSlot> bias = GetScoreBias(node, inputs.bias, extents);
  if (!node.HasInput(inputs.mask)) return bias;
  const OutputSlot mask = node.AddLayer<LayerType::kWhere>(
      {},
      {AddKept(node, inputs.mask, extents), node.AddScalar(0.0F, "/mask/added"),
       node.AddScalar(filter, "/mask/filter")},
      "/mask");
  if (!bias) return mask;
  return AddBinary(node, BinaryOperation::kAdd, mask, *bias, "/mask/bias");
}

std::optional<OutputSlot> GetScoreBias(Node& node, std::size_t index, const HeadExtents& extents) {
  if (!node.HasInput(index)) return {};
  const TensorShape scores = {extents.batch, extents.heads, extents.queries, extents.keys};
  const TensorShape& shape = node.GetInputShape(index);
  if (!BroadcastsTo(shape, scores)) {
    node.RefuseAsInvalid("its attention_bias is " + ToText(shape) +
                         "; a shape that broadcasts to " + ToText(scores) + " is expected");
  }
  return GetReals(node, index, "/attention_bias");
}

}  // namespace backplane::onnx
