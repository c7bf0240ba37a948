#include "folding/folding.hpp"
#include "nodes/i_graph_import.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <vector>

namespace backplane::onnx {
namespace {

// Every box is compared with all that are chosen.
constexpr std::uint64_t kMaxScores = std::uint64_t{1} << 14U;

struct Box {
  Box(float y1, float x1, float y2, float x2)
      : top(y1), left(x1), bottom(y2), right(x2), area((y2 - y1) * (x2 - x1)) {}

  float top, left, bottom, right, area;
};

// Two corners, in any order, or the middle and the size.
Box MakeBox(const float* at, bool has_middle) {
  if (has_middle) {
    const float half_width = at[2] / 2;
    const float half_height = at[3] / 2;
    return {at[1] - half_height, at[0] - half_width, at[1] + half_height, at[0] + half_width};
  }
  return {std::min(at[0], at[2]), std::min(at[1], at[3]), std::max(at[0], at[2]),
          std::max(at[1], at[3])};
}

/// Boxes that were chosen, one list of each number, so that several are compared at once.
struct Block {
  static constexpr std::size_t kNumBoxes = 8;

  /// Places that are free are far away from every box.
  Block() { std::fill(std::begin(top), std::end(top), std::numeric_limits<float>::infinity()); }

  void Set(std::size_t at, const Box& box) {
    top[at] = box.top;
    left[at] = box.left;
    bottom[at] = box.bottom;
    right[at] = box.right;
    area[at] = box.area;
  }

  /// Is what the box has in common with one of them more than `most` of what both cover?
  bool Overlaps(const Box& box, float most) const {
    int found = 0;
    for (std::size_t i = 0; i < kNumBoxes; ++i) {
      const float height = std::min(box.bottom, bottom[i]) - std::max(box.top, top[i]);
      const float width = std::min(box.right, right[i]) - std::max(box.left, left[i]);
      const float common = height * width;
      const float overlap = common / (box.area + area[i] - common);
      const bool is_apart = (height <= 0) | (width <= 0);
      found |= static_cast<int>(!((is_apart & (0 <= most)) | (!is_apart & (overlap <= most))));
    }
    return found != 0;
  }

  float top[kNumBoxes];
  float left[kNumBoxes] = {};
  float bottom[kNumBoxes] = {};
  float right[kNumBoxes] = {};
  float area[kNumBoxes] = {};
};

// A number that is greater for a better score, and of equal ones for the box in front.
std::uint64_t MakeKey(float score, std::size_t box) {
  const float positive_zero = score + 0.0F;
  std::uint32_t bits = 0;
  std::memcpy(&bits, &positive_zero, sizeof(bits));
  const std::uint32_t order = (bits >> 31U) != 0 ? ~bits : bits | 0x80000000U;
  return (std::uint64_t{order} << 32U) | ~static_cast<std::uint32_t>(box);
}

struct Limits {
  std::int64_t count = 0;  // of each class
  float overlap = 0;
  float score = -std::numeric_limits<float>::infinity();
};

// The boxes of one class, the one with the best score first.
std::vector<std::int64_t> Choose(const std::vector<Box>& boxes, const float* scores,
                                 const Limits& limits) {
  std::vector<std::uint64_t> candidates;
  candidates.reserve(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (scores[i] > limits.score) candidates.push_back(MakeKey(scores[i], i));
  }
  // Often few are chosen of many: only those that are looked at are put in order.
  std::make_heap(candidates.begin(), candidates.end());
  std::vector<std::int64_t> chosen;
  std::vector<Block> blocks;
  while (!candidates.empty() && static_cast<std::int64_t>(chosen.size()) < limits.count) {
    std::pop_heap(candidates.begin(), candidates.end());
    const std::uint32_t index = ~static_cast<std::uint32_t>(candidates.back());
    candidates.pop_back();
    const Box& box = boxes[index];
    const auto overlaps = [&](const Block& block) { return block.Overlaps(box, limits.overlap); };
    if (std::any_of(blocks.begin(), blocks.end(), overlaps)) continue;
    const std::size_t at = chosen.size() % Block::kNumBoxes;
    if (at == 0) blocks.emplace_back();
    blocks.back().Set(at, box);
    chosen.push_back(index);
  }
  return chosen;
}

template <typename Element>
Element ReadOne(Node& node, std::size_t index, DataType type, Element otherwise) {
  if (!node.HasInput(index)) return otherwise;
  const TensorInfo& info = node.GetInputInfo(index);
  if (info.data_type != type || info.shape.GetNumElements() != 1) throw NotFolded{};
  return *Read<Element>(node, index);
}

void CheckShapes(const TensorInfo& boxes, const TensorInfo& scores) {
  const bool is_right = boxes.data_type == DataType::kFloat32 &&
                        scores.data_type == DataType::kFloat32 && boxes.shape.rank == 3 &&
                        scores.shape.rank == 3 && boxes.shape[0] == scores.shape[0] &&
                        boxes.shape[1] == scores.shape[2] && boxes.shape[2] == 4;
  if (!is_right) throw NotFolded{};
}

}  // namespace

void FoldNonMaxSuppression(Node& node) {
  const TensorInfo& boxes = node.GetInputInfo(0);
  const TensorInfo& scores = node.GetInputInfo(1);
  CheckShapes(boxes, scores);
  RequireAtMost(node.GetScope().import.GetBudget(),
                static_cast<std::uint64_t>(scores.shape.GetNumElements()), kMaxScores);
  if (boxes.shape[1] > std::numeric_limits<std::uint32_t>::max()) throw NotFolded{};
  const bool has_middle = node.GetAttributes().GetFlag("center_point_box");
  Limits limits;
  limits.count = ReadOne(node, 2, DataType::kInt64, limits.count);
  limits.overlap = ReadOne(node, 3, DataType::kFloat32, limits.overlap);
  limits.score = ReadOne(node, 4, DataType::kFloat32, limits.score);
  const std::int64_t num_boxes = boxes.shape[1];
  const std::int64_t num_classes = scores.shape[1];
  CountReading(node, 1, static_cast<std::uint64_t>(num_boxes));
  std::vector<std::int64_t> triples;  // batch, class, box
  for (std::int64_t batch = 0; num_boxes > 0 && batch < scores.shape[0]; ++batch) {
    std::vector<Box> list;
    for (std::int64_t i = 0; i < num_boxes; ++i) {
      list.push_back(MakeBox(Read<float>(node, 0) + (batch * num_boxes + i) * 4, has_middle));
    }
    for (std::int64_t category = 0; category < num_classes; ++category) {
      const float* line = Read<float>(node, 1) + (batch * num_classes + category) * num_boxes;
      for (const std::int64_t box : Choose(list, line, limits)) {
        triples.insert(triples.end(), {batch, category, box});
      }
    }
  }
  node.SetOutput(MakeInts(node, {static_cast<std::int64_t>(triples.size()) / 3, 3}, triples));
}

}  // namespace backplane::onnx
