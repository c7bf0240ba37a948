#include "nodes/node.hpp"
#include "operators/element_layers.hpp"
#include "operators/movement_layers.hpp"
#include "operators/operator_table.hpp"
#include "operators/required_shape.hpp"
#include "tensors/shape.hpp"

#include <string>

namespace backplane::onnx {
namespace {

struct Embedding {
  enum Inputs : std::size_t {
    kWords,
    kSegments,
    kWordTable,
    kPositionTable,
    kSegmentTable,
    kScale,
    kBias,
    kMask,
    kPositions,
  };
};

void RequireTable(const Node& node, std::size_t index, std::int64_t width, const char* meaning) {
  const TensorShape& shape = node.GetInputShape(index);
  if (shape.rank == 2 && shape[1] == width) return;
  node.RefuseAsInvalid(std::string(meaning) + " is " + ToText(shape) + "; rows of " +
                       std::to_string(width) + " elements are expected");
}

OutputSlot AddRowsOf(Node& node, std::size_t table, std::size_t indices,
                     const std::string& suffix) {
  return node.AddLayer<LayerType::kGather>(
      {}, {GetReals(node, table, suffix + "/table"), node.GetInput(indices)}, suffix);
}

// Those that are stated, or the first ones in their order.
OutputSlot AddPositionRows(Node& node, std::int64_t length) {
  if (node.HasInput(Embedding::kPositions)) {
    return AddRowsOf(node, Embedding::kPositionTable, Embedding::kPositions, "/positions");
  }
  if (node.GetInputShape(Embedding::kPositionTable)[0] < length) {
    node.RefuseAsInvalid("its position_embedding is " +
                         ToText(node.GetInputShape(Embedding::kPositionTable)) + "; at least " +
                         std::to_string(length) + " rows, as many as words, are expected");
  }
  return TakeElements(node, GetReals(node, Embedding::kPositionTable, "/positions/table"), 0, 0,
                      length, "/positions");
}

OutputSlot AddEmbedding(Node& node) {
  RequireRank(node, Embedding::kWords, 2, "its input_ids");
  const TensorShape words = node.GetInputShape(Embedding::kWords);
  RequireRank(node, Embedding::kWordTable, 2, "its word_embedding");
  const std::int64_t width = node.GetInputShape(Embedding::kWordTable)[1];
  RequireTable(node, Embedding::kPositionTable, width, "its position_embedding");
  OutputSlot sum = AddBinary(node, BinaryOperation::kAdd,
                             AddRowsOf(node, Embedding::kWordTable, Embedding::kWords, "/words"),
                             AddPositionRows(node, words[1]), "/positions/sum");
  const bool has_table = node.HasInput(Embedding::kSegmentTable);
  if (node.HasInput(Embedding::kSegments) && has_table) {
    RequireShape(node, Embedding::kSegments, words, "its segment_ids");
    RequireTable(node, Embedding::kSegmentTable, width, "its segment_embedding");
    sum = AddBinary(node, BinaryOperation::kAdd, sum,
                    AddRowsOf(node, Embedding::kSegmentTable, Embedding::kSegments, "/segments"),
                    "/segments/sum");
  }
  return sum;
}

// How many words of each batch entry the mask keeps; 0 without a mask.
void SetNumKept(Node& node, std::int64_t batch) {
  node.GetAttributes().Ignore("mask_index_type");  // 1 says that there is a mask, 0 that none is
  const bool has_mask = node.HasInput(Embedding::kMask);
  if (!node.IsOutputRead(1)) return;
  if (!has_mask) {
    const OutputSlot zero = node.AddScalar(0.0, DataType::kInt32, "/mask_index/zero");
    return node.SetOutput(1, AddBroadcast(node, zero, {batch}, "/mask_index"));
  }
  RequireShape(node, Embedding::kMask, node.GetInputShape(Embedding::kWords), "its mask");
  const OutputSlot one =
      node.AddScalar(1.0, node.GetInputInfo(Embedding::kMask).data_type, "/mask_index/one");
  const OutputSlot kept = AddComparison(node, ComparisonOperation::kEqual,
                                        node.GetInput(Embedding::kMask), one, "/mask_index/kept");
  ReduceDescriptor descriptor;
  descriptor.num_axes = 1;
  descriptor.axes[0] = 1;
  node.SetOutput(1, node.AddLayer<LayerType::kReduce>(
                        descriptor, {AddCast(node, kept, DataType::kInt32, "/mask_index/numbers")},
                        "/mask_index"));
}

}  // namespace

// The sum of the rows of words, positions and segments, normalised, in float32 also for halves.
void ConvertMicrosoftEmbedLayerNormalization(Node& node) {
  const DataType type = node.GetInputInfo(Embedding::kWordTable).data_type;
  const OutputSlot sum = AddEmbedding(node);
  const TensorShape shape = node.GetInfo(sum).shape;
  for (const std::size_t parameter : {Embedding::kScale, Embedding::kBias}) {
    RequireShape(node, parameter, {shape[2]}, "gamma or beta");
  }
  LayerNormalizationDescriptor descriptor;
  descriptor.axis = 2;
  descriptor.epsilon = node.GetAttributes().FindFloat("epsilon").value_or(1.0e-12F);
  const OutputSlot result = node.AddLayer<LayerType::kLayerNormalization>(
      descriptor, {sum, GetReals(node, Embedding::kScale, "/gamma"),
                   GetReals(node, Embedding::kBias, "/beta")});
  node.SetOutput(AddCast(node, result, type, "/output"));
  SetNumKept(node, shape[0]);
  node.SetOutput(2, AddCast(node, sum, type, "/embedding_sum"));
}

}  // namespace backplane::onnx
