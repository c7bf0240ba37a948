#include "operators/calculated_constant.hpp"
#include "operators/element_layers.hpp"
#include "operators/head_rotation.hpp"
#include "operators/operator_table.hpp"
#include "operators/required_shape.hpp"
#include "tensors/shape.hpp"

#include <optional>

namespace backplane::onnx {
namespace {

/// Where the inputs of the operator are: those of onnxruntime's own stand in another order.
struct RotaryInputs {
  std::size_t cosines;
  std::size_t sines;
  std::size_t positions;
};

/// What is rotated: [batch, heads, sequence, size], or with `is_flat` [batch, sequence, heads,
/// size].
struct RotaryHeads {
  std::int64_t batch;
  std::int64_t heads;
  std::int64_t sequence;
  std::int64_t size;
  std::int64_t rotated;  // of the size, from the first element on
  bool is_flat;
};

// `size_of_caches` is the size of a head that takes a whole row of the caches, for models that may
// leave num_heads out; 0: they may not.
RotaryHeads ReadHeads(Node& node, std::int64_t size_of_caches) {
  const TensorShape& shape = node.GetInputShape(0);
  const std::int64_t stated = node.GetAttributes().FindInt("num_heads").value_or(0);
  if (shape.rank == 4) return {shape[0], shape[1], shape[2], shape[3], shape[3], false};
  if (shape.rank != 3) {
    node.RefuseAsInvalid("its input is " + ToText(shape) +
                         "; [batch, heads, sequence, size] or [batch, sequence, heads * size] is "
                         "expected");
  }
  const std::int64_t hidden = shape[2];
  const bool is_left_out = stated == 0 && size_of_caches > 0;
  const std::int64_t heads = is_left_out ? hidden / size_of_caches : stated;
  if (heads <= 0 || hidden % heads != 0) {
    node.RefuseAsInvalid("its input is " + ToText(shape) + " and num_heads is " +
                         std::to_string(heads) +
                         "; a number of heads into which the last axis can be taken apart is "
                         "expected");
  }
  return {shape[0], heads, shape[1], hidden / heads, hidden / heads, true};
}

void ReadRotatedSize(Node& node, RotaryHeads& heads) {
  const std::int64_t stated = node.GetAttributes().FindInt("rotary_embedding_dim").value_or(0);
  if (stated != 0) heads.rotated = stated;
  if (heads.rotated > 0 && heads.rotated <= heads.size && heads.rotated % 2 == 0) return;
  node.RefuseAsInvalid(std::to_string(heads.rotated) + " elements of heads of " +
                       std::to_string(heads.size) +
                       " are rotated; an even number of at most that is expected");
}

void CheckCache(Node& node, std::size_t index, const TensorShape& expected) {
  RequireShape(node, index, expected, "its input " + std::to_string(index) + ", cosines or sines,");
}

// The rows of a cache for each place of the sequence: [batch or 1, sequence, half].
OutputSlot GetRows(Node& node, std::size_t index, std::optional<OutputSlot> positions,
                   const std::string& suffix) {
  const OutputSlot cache = node.GetInput(index);
  return positions ? node.AddLayer<LayerType::kGather>({}, {cache, *positions}, suffix) : cache;
}

// [batch or 1, sequence, half] as it broadcasts to the halves of heads.
OutputSlot AlignRows(Node& node, OutputSlot rows, const RotaryHeads& heads,
                     const std::string& suffix) {
  const std::int64_t half = heads.rotated / 2;
  const std::int64_t batch =
      node.GetInfo(rows).shape.GetNumElements() == heads.sequence * half ? 1 : heads.batch;
  const TensorShape aligned = heads.is_flat ? TensorShape{batch, heads.sequence, 1, half}
                                            : TensorShape{batch, 1, heads.sequence, half};
  return node.AddReshape(rows, aligned, suffix);
}

void Rotate(Node& node, const RotaryHeads& heads, const RotaryInputs& inputs,
            std::optional<OutputSlot> positions) {
  const RotatedPairs pairs = node.GetAttributes().GetFlag("interleaved") ? RotatedPairs::kNeighbours
                                                                         : RotatedPairs::kHalves;
  const OutputSlot cosines =
      AlignRows(node, GetRows(node, inputs.cosines, positions, "/cosines/rows"), heads, "/cosines");
  const OutputSlot sines =
      AlignRows(node, GetRows(node, inputs.sines, positions, "/sines/rows"), heads, "/sines");
  OutputSlot x = node.GetInput(0);
  if (heads.is_flat) {
    x = node.AddReshape(x, {heads.batch, heads.sequence, heads.heads, heads.size}, "/split");
  }
  const OutputSlot rotated =
      AddHeadRotation(node, x, {cosines, sines, pairs}, heads.is_flat ? "/heads" : "");
  node.SetOutput(heads.is_flat ? node.AddReshape(rotated, node.GetInputShape(0)) : rotated);
}

// Caches [positions, half] that places of the sequence name rows of.
void CheckCaches(Node& node, const RotaryHeads& heads, const RotaryInputs& inputs) {
  const TensorShape& cosines = node.GetInputShape(inputs.cosines);
  const std::int64_t rows = cosines.rank > 0 ? cosines[0] : 0;
  CheckCache(node, inputs.cosines, {rows, heads.rotated / 2});
  CheckCache(node, inputs.sines, {rows, heads.rotated / 2});
}

void CheckPositions(Node& node, std::size_t index, const RotaryHeads& heads) {
  const TensorShape& shape = node.GetInputShape(index);
  if (shape == TensorShape{heads.batch, heads.sequence}) return;
  node.RefuseAsInvalid("its position_ids are " + ToText(shape) + "; " +
                       ToText(TensorShape{heads.batch, heads.sequence}) + " is expected");
}

// The place of the first element of the sequence, as that of each.
OutputSlot AddCountedPositions(Node& node, std::size_t index, std::int64_t sequence) {
  if (!node.TakeMemory(static_cast<std::uint64_t>(sequence) * sizeof(std::int64_t))) {
    node.RefuseAsUnsupported("its sequence has " + std::to_string(sequence) +
                             " elements; that is too much");
  }
  const OutputSlot counted = AddCounting(node, 0, {sequence}, "/counted");
  return AddBinary(node, BinaryOperation::kAdd, node.GetInput(index), counted, "/positions");
}

}  // namespace

void ConvertRotaryEmbedding(Node& node) {
  constexpr RotaryInputs kInputs = {1, 2, 3};
  RotaryHeads heads = ReadHeads(node, 0);
  ReadRotatedSize(node, heads);
  if (node.HasInput(kInputs.positions)) {
    CheckCaches(node, heads, kInputs);
    CheckPositions(node, kInputs.positions, heads);
    return Rotate(node, heads, kInputs, node.GetInput(kInputs.positions));
  }
  const TensorShape rows = {heads.batch, heads.sequence, heads.rotated / 2};
  CheckCache(node, kInputs.cosines, rows);
  CheckCache(node, kInputs.sines, rows);
  Rotate(node, heads, kInputs, {});
}

// Places may be given by that of the first element alone.
void ConvertMicrosoftRotaryEmbedding(Node& node) {
  constexpr RotaryInputs kInputs = {2, 3, 1};
  Attributes& attributes = node.GetAttributes();
  if (attributes.GetFlag("is_packed_batching")) {
    attributes.Refuse("is_packed_batching", "1", "only 0 is supported");
  }
  const float scale = attributes.FindFloat("scale").value_or(1.0F);
  if (scale != 1.0F) {
    attributes.Refuse("scale", std::to_string(scale), "only 1 is supported");
  }
  const TensorShape& cosines = node.GetInputShape(kInputs.cosines);
  RotaryHeads heads = ReadHeads(node, cosines.rank == 2 ? 2 * cosines[1] : 0);
  ReadRotatedSize(node, heads);
  CheckCaches(node, heads, kInputs);
  if (node.GetInputShape(kInputs.positions) == TensorShape{1}) {
    return Rotate(node, heads, kInputs,
                  AddCountedPositions(node, kInputs.positions, heads.sequence));
  }
  CheckPositions(node, kInputs.positions, heads);
  Rotate(node, heads, kInputs, node.GetInput(kInputs.positions));
}

}  // namespace backplane::onnx
