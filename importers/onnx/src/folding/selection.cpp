#include "folding/folding.hpp"
#include "nodes/i_graph_import.hpp"
#include "tensors/data_types.hpp"
#include "values/elements.hpp"

#include <backplane/api/narrow_types.hpp>

#include <algorithm>
#include <numeric>
#include <optional>

namespace backplane::onnx {
namespace {

// What is looked for is listed with more bytes than the elements have.
constexpr std::uint64_t kMaxSearched = std::uint64_t{1} << 20U;

void RequireSearchable(Node& node) {
  RequireAtMost(node.GetScope().import.GetBudget(),
                static_cast<std::uint64_t>(node.GetInputShape(0).GetNumElements()), kMaxSearched);
  CountReading(node, 0);
}

// NaN is behind all numbers; sorting needs it to have a place.
template <typename Number>
bool IsLess(Number a, Number b) {
  return a < b || (b != b && a == a);
}

/// A tensor as slices along an axis, each of several pieces that lie apart.
class Slices {
 public:
  Slices(const TensorShape& shape, std::uint32_t axis) : extent_(shape[axis]) {
    for (std::uint32_t i = 0; i < axis; ++i) outer_ *= shape[i];
    for (std::uint32_t i = axis + 1; i < shape.rank; ++i) inner_ *= shape[i];
  }

  std::int64_t GetSize() const { return outer_ * inner_; }
  /// The position of an element of a slice.
  std::int64_t Locate(std::int64_t slice, std::int64_t element) const {
    return (element / inner_ * extent_ + slice) * inner_ + element % inner_;
  }

 private:
  std::int64_t outer_ = 1;
  std::int64_t inner_ = 1;
  std::int64_t extent_;
};

// The slices of input 0 along an axis that are chosen; without one, the elements.
OutputSlot AddChosen(Node& node, std::optional<std::uint32_t> axis,
                     const std::vector<std::int64_t>& chosen) {
  const Value& input = node.GetValue(0);
  TensorInfo info = input.info;
  if (!axis) info.shape = {info.shape.GetNumElements()};
  const Value indices = MakeInts(node, {static_cast<std::int64_t>(chosen.size())}, chosen);
  Values& values = node.GetScope().values;
  GatherDescriptor descriptor;
  descriptor.axis = axis.value_or(0);
  return node.AddLayer<LayerType::kGather>(
      descriptor, {values.AddConstant(info, input.data, node.GetName() + "/input"),
                   values.AddConstant(indices.info, indices.data, node.GetName() + "/chosen")});
}

std::optional<std::uint32_t> FindAxis(Node& node) {
  const auto axis = node.GetAttributes().FindInt("axis");
  if (!axis) return {};
  return node.ResolveAxis(*axis, node.GetInputShape(0).rank);
}

/// What is found of the different slices of a tensor.
struct UniqueSlices {
  std::vector<std::int64_t> first;    // where each is first
  std::vector<std::int64_t> inverse;  // which each slice is
  std::vector<std::int64_t> counts;
};

// `compare(a, b)` is negative, zero or positive.
template <typename Compare>
UniqueSlices FindUnique(std::int64_t extent, bool is_sorted, Compare compare) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(extent));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int64_t a, std::int64_t b) { return compare(a, b) < 0; });
  // Groups of equal slices, each with its first in front, as they were stable.
  std::vector<std::vector<std::int64_t>> groups;
  for (const std::int64_t slice : order) {
    if (groups.empty() || compare(groups.back().front(), slice) != 0) groups.emplace_back();
    groups.back().push_back(slice);
  }
  if (!is_sorted) std::sort(groups.begin(), groups.end());
  UniqueSlices unique;
  unique.inverse.resize(order.size());
  for (const auto& group : groups) {
    for (const std::int64_t slice : group) {
      unique.inverse[static_cast<std::size_t>(slice)] =
          static_cast<std::int64_t>(unique.first.size());
    }
    unique.first.push_back(group.front());
    unique.counts.push_back(static_cast<std::int64_t>(group.size()));
  }
  return unique;
}

template <typename Number>
UniqueSlices FindUniqueOf(Node& node, std::optional<std::uint32_t> axis, bool is_sorted) {
  const std::vector<Number> input = ReadElements<Number>(node.GetValue(0));
  const TensorShape& shape = node.GetInputShape(0);
  const TensorShape flat = {shape.GetNumElements()};
  const Slices slices(axis ? shape : flat, axis.value_or(0));
  const std::int64_t size = slices.GetSize();
  const std::int64_t extent = axis ? shape[*axis] : flat[0];
  RequireAtMost(node.GetScope().import.GetBudget(), static_cast<std::uint64_t>(extent),
                kMaxSearched);  // of no elements
  return FindUnique(extent, is_sorted, [&](std::int64_t a, std::int64_t b) {
    for (std::int64_t i = 0; i < size; ++i) {
      const Number x = input[static_cast<std::size_t>(slices.Locate(a, i))];
      const Number y = input[static_cast<std::size_t>(slices.Locate(b, i))];
      if (IsLess(x, y)) return -1;
      if (IsLess(y, x)) return 1;
    }
    return 0;
  });
}

}  // namespace

// Positions, with a row for each axis.
void FoldNonZero(Node& node) {
  RequireSearchable(node);
  const Value bools = CastConstant(node.GetValue(0), DataType::kBool);
  const auto* const elements = static_cast<const bool*>(bools.data.get());
  TensorShape outer = node.GetInputShape(0);
  const std::int64_t num_elements = outer.GetNumElements();
  const std::int64_t count = std::count(elements, elements + num_elements, true);
  const TensorInfo info = {{outer.rank, count}, DataType::kInt64};
  const auto bytes = AllocateResult(node.GetScope().import.GetBudget(), info.GetSizeBytes());
  auto* const positions = reinterpret_cast<std::int64_t*>(bytes.get());
  node.SetOutput(MakeConstant(info, bytes));
  if (outer.rank == 0 || count == 0) return;
  const std::int64_t extent = outer[--outer.rank];
  std::int64_t* const innermost = positions + outer.rank * count;
  std::int64_t index[kMaxRank] = {};
  std::int64_t next = 0;
  for (std::int64_t line = 0; next < count; ++line) {
    const std::int64_t first = next;
    for (std::int64_t i = 0; i < extent && next < count; ++i) {
      innermost[next] = i;
      next += elements[line * extent + i] ? 1 : 0;
    }
    for (std::uint32_t axis = 0; axis < outer.rank; ++axis) {
      std::fill(positions + axis * count + first, positions + axis * count + next, index[axis]);
    }
    for (std::uint32_t axis = outer.rank; axis-- > 0;) {
      if (++index[axis] < outer[axis]) break;
      index[axis] = 0;
    }
  }
}

void FoldCompress(Node& node) {
  const TensorInfo& conditions = node.GetInputInfo(1);
  if (conditions.data_type != DataType::kBool || conditions.shape.rank != 1) throw NotFolded{};
  CountReading(node, 1);
  const auto axis = FindAxis(node);
  const TensorShape& shape = node.GetInputShape(0);
  const std::int64_t extent = axis ? shape[*axis] : shape.GetNumElements();
  const auto* condition = Read<bool>(node, 1);
  std::vector<std::int64_t> chosen;
  for (std::int64_t i = 0; i < conditions.shape[0]; ++i) {
    if (!condition[i]) continue;
    if (i >= extent) throw NotFolded{};
    chosen.push_back(i);
  }
  node.SetOutput(AddChosen(node, axis, chosen));
}

void FoldUnique(Node& node) {
  RequireSearchable(node);
  const bool is_sorted = node.GetAttributes().GetFlag("sorted", true);
  const auto axis = FindAxis(node);
  const DataType type = node.GetInputInfo(0).data_type;
  const UniqueSlices unique =
      IsFloat(type) || IsNarrowFloat(type) ? FindUniqueOf<double>(node, axis, is_sorted)
      : type == DataType::kUInt64          ? FindUniqueOf<std::uint64_t>(node, axis, is_sorted)
                                           : FindUniqueOf<std::int64_t>(node, axis, is_sorted);
  node.SetOutput(AddChosen(node, axis, unique.first));
  std::size_t output = 1;
  for (const auto* list : {&unique.first, &unique.inverse, &unique.counts}) {
    node.SetOutput(output++, MakeInts(node, {static_cast<std::int64_t>(list->size())}, *list));
  }
}

}  // namespace backplane::onnx
