#include "operators/head_rotation.hpp"

#include "operators/element_layers.hpp"
#include "operators/movement_layers.hpp"

#include <utility>
#include <vector>

namespace backplane::onnx {
namespace {

// Both elements of every pair, each as [batch, heads, rows, pairs].
using Pairs = std::pair<OutputSlot, OutputSlot>;

Pairs TakePairs(Node& node, OutputSlot heads, std::int64_t num_pairs, RotatedPairs pairs,
                const std::string& suffix) {
  if (pairs == RotatedPairs::kNeighbours) {
    return {AddSlice(node, heads, 3, 0, num_pairs, suffix + "/first", 2),
            AddSlice(node, heads, 3, 1, num_pairs, suffix + "/second", 2)};
  }
  return {TakeElements(node, heads, 3, 0, num_pairs, suffix + "/first"),
          TakeElements(node, heads, 3, num_pairs, num_pairs, suffix + "/second")};
}

OutputSlot PutSideBySide(Node& node, const Pairs& rotated, const std::string& suffix) {
  TensorShape shape = node.GetInfo(rotated.first).shape;
  TensorShape column = shape;
  column.Append(1);
  const OutputSlot both = AddConcat(node,
                                    {node.AddReshape(rotated.first, column, suffix + "/column0"),
                                     node.AddReshape(rotated.second, column, suffix + "/column1")},
                                    4, suffix + "/both");
  shape[3] *= 2;
  return node.AddReshape(both, shape, suffix);
}

// a * c + b * d, or the difference.
OutputSlot AddProducts(Node& node, const Pairs& elements, const Pairs& factors,
                       BinaryOperation operation, const std::string& suffix) {
  const OutputSlot left =
      AddBinary(node, BinaryOperation::kMul, elements.first, factors.first, suffix + "/left");
  const OutputSlot right =
      AddBinary(node, BinaryOperation::kMul, elements.second, factors.second, suffix + "/right");
  return AddBinary(node, operation, left, right, suffix);
}

}  // namespace

OutputSlot AddHeadRotation(Node& node, OutputSlot heads, const HeadRotation& rotation,
                           const std::string& suffix) {
  const std::int64_t width = node.GetInfo(heads).shape[3];
  const TensorShape& factors = node.GetInfo(rotation.cosines).shape;
  const std::int64_t num_pairs = factors[factors.rank - 1];
  const Pairs pairs = TakePairs(node, heads, num_pairs, rotation.pairs, suffix);
  const Pairs turned = {AddProducts(node, pairs, {rotation.cosines, rotation.sines},
                                    BinaryOperation::kSub, suffix + "/turned_first"),
                        AddProducts(node, pairs, {rotation.sines, rotation.cosines},
                                    BinaryOperation::kAdd, suffix + "/turned_second")};
  const bool are_all = 2 * num_pairs == width;
  std::vector<OutputSlot> parts = {turned.first, turned.second};
  if (rotation.pairs == RotatedPairs::kNeighbours) {
    parts = {PutSideBySide(node, turned, are_all ? suffix : suffix + "/turned")};
  }
  if (!are_all) {
    parts.push_back(
        TakeElements(node, heads, 3, 2 * num_pairs, width - 2 * num_pairs, suffix + "/rest"));
  }
  return parts.size() == 1 ? parts[0] : AddConcat(node, parts, 3, suffix);
}

}  // namespace backplane::onnx
