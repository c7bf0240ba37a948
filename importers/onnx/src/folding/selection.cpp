#include "folding/indices.hpp"
#include "values/elements.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <type_traits>

namespace backplane::onnx {
namespace {

// What is looked for is listed with more bytes than the elements have.
constexpr std::uint64_t kMaxSearched = std::uint64_t{1} << 20U;

void RequireSearchable(Folding& folding) {
  folding.RequireAtMost(static_cast<std::uint64_t>(folding.GetShape(0).GetNumElements()),
                        kMaxSearched);
  folding.CountReading(0);
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

// A tensor of the slices of input 0 that are chosen.
FoldedTensor TakeSlices(Folding& folding, std::uint32_t axis,
                        const std::vector<std::int64_t>& chosen) {
  TensorInfo info = folding.GetInfo(0);
  info.shape[axis] = static_cast<std::int64_t>(chosen.size());
  const FoldedTensor result = folding.Make(info);
  const PerAxis strides = MakeStrides(folding.GetShape(0));
  CopyElements(result, folding.Get(0).data.get(), [&](PerAxis index) {
    index.at[axis] = chosen[static_cast<std::size_t>(index.at[axis])];
    return Locate(index, strides, info.shape.rank);
  });
  return result;
}

// A list of the elements of input 0 that are chosen.
FoldedTensor TakeElements(Folding& folding, const std::vector<std::int64_t>& chosen) {
  const auto count = static_cast<std::int64_t>(chosen.size());
  const FoldedTensor result = folding.Make({{count}, folding.GetInfo(0).data_type});
  CopyElements(result, folding.Get(0).data.get(),
               [&](const PerAxis& index) { return chosen[static_cast<std::size_t>(index.at[0])]; });
  return result;
}

std::optional<std::uint32_t> FindAxis(Folding& folding) {
  const auto axis = folding.GetAttributes().FindInt("axis");
  if (!axis) return {};
  return static_cast<std::uint32_t>(ResolveIndex(*axis, folding.GetShape(0).rank));
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
UniqueSlices FindUniqueOf(Folding& folding, std::optional<std::uint32_t> axis, bool is_sorted) {
  const auto* input = folding.Read<Number>(0);
  const TensorShape& shape = folding.GetShape(0);
  const TensorShape flat = {shape.GetNumElements()};
  const Slices slices(axis ? shape : flat, axis.value_or(0));
  const std::int64_t size = slices.GetSize();
  const std::int64_t extent = axis ? shape[*axis] : flat[0];
  folding.RequireAtMost(static_cast<std::uint64_t>(extent), kMaxSearched);  // of no elements
  return FindUnique(extent, is_sorted, [&](std::int64_t a, std::int64_t b) {
    for (std::int64_t i = 0; i < size; ++i) {
      const Number x = input[slices.Locate(a, i)];
      const Number y = input[slices.Locate(b, i)];
      if (IsLess(x, y)) return -1;
      if (IsLess(y, x)) return 1;
    }
    return 0;
  });
}

template <typename Element>
bool IsOtherThanZero(Element element) {
  if constexpr (std::is_arithmetic_v<Element>) {
    return element != 0;
  } else {
    return (element.bits & 0x7fffU) != 0;
  }
}

// Positions, with a row for each axis.
template <typename Element>
Folded FindNonZero(Folding& folding, const Element* elements) {
  const TensorShape& shape = folding.GetShape(0);
  const std::int64_t num_elements = shape.GetNumElements();
  const std::int64_t count =
      std::count_if(elements, elements + num_elements, IsOtherThanZero<Element>);
  const FoldedTensor result =
      folding.Make({MakeFoldedShape({shape.rank, count}), DataType::kInt64});
  if (shape.rank == 0 || count == 0) return {result};
  auto* const positions = result.As<std::int64_t>();
  TensorShape outer = shape;
  const std::int64_t extent = outer[--outer.rank];
  std::int64_t* const innermost = positions + outer.rank * count;
  std::int64_t next = 0;
  ForEachElement(outer, [&](std::int64_t line, const PerAxis& index) {
    const std::int64_t first = next;
    for (std::int64_t i = 0; i < extent && next < count; ++i) {
      innermost[next] = i;
      next += IsOtherThanZero(elements[line * extent + i]) ? 1 : 0;
    }
    for (std::uint32_t axis = 0; axis < outer.rank; ++axis) {
      std::fill(positions + axis * count + first, positions + axis * count + next, index.at[axis]);
    }
  });
  return {result};
}

}  // namespace

Folded FoldNonZero(Folding& folding) {
  RequireSearchable(folding);
  const DataType type = folding.GetInfo(0).data_type;
  if (IsNarrowType(type)) {
    return FindNonZero(folding, ReadElements<double>(folding.Get(0)).data());
  }
  return VisitElementType(type, [&](auto element) {
    return FindNonZero(folding, folding.Read<typename decltype(element)::Type>(0));
  });
}

Folded FoldCompress(Folding& folding) {
  if (folding.GetInfo(1).data_type != DataType::kBool || folding.GetShape(1).rank != 1) {
    throw NotFolded{};
  }
  folding.CountReading(1);
  const auto axis = FindAxis(folding);
  const TensorShape& shape = folding.GetShape(0);
  const std::int64_t extent = axis ? shape[*axis] : shape.GetNumElements();
  const auto* condition = folding.Read<bool>(1);
  std::vector<std::int64_t> chosen;
  for (std::int64_t i = 0; i < folding.GetShape(1)[0]; ++i) {
    if (!condition[i]) continue;
    if (i >= extent) throw NotFolded{};
    chosen.push_back(i);
  }
  return {axis ? TakeSlices(folding, *axis, chosen) : TakeElements(folding, chosen)};
}

Folded FoldUnique(Folding& folding) {
  RequireSearchable(folding);
  const bool is_sorted = folding.GetAttributes().GetFlag("sorted", true);
  const auto axis = FindAxis(folding);
  Folded results;
  VisitNumbers(folding.GetInfo(0).data_type, [&](auto type) {
    using Number = typename decltype(type)::Type;
    const UniqueSlices unique = FindUniqueOf<Number>(folding, axis, is_sorted);
    results = {
        axis ? TakeSlices(folding, *axis, unique.first) : TakeElements(folding, unique.first),
        folding.MakeInts(unique.first), folding.MakeInts(unique.inverse),
        folding.MakeInts(unique.counts)};
  });
  return results;
}

// k is an attribute until operator set 9, an input from 10 on.
Folded FoldTopK(Folding& folding) {
  const TensorShape& shape = folding.GetShape(0);
  const std::uint32_t axis = ReadAxis(folding, -1, shape.rank);
  const bool is_largest = folding.GetAttributes().GetFlag("largest", true);
  folding.GetAttributes().Ignore("sorted");  // sorted is one of the orders that are allowed
  if (folding.GetOpset() < 10 || folding.ReadInts(1).size() != 1) throw NotFolded{};
  const std::int64_t k = folding.ReadInts(1).front();
  if (k < 0 || k > shape[axis]) throw NotFolded{};
  folding.CountReading(0);
  TensorInfo info = folding.GetInfo(0);
  info.shape[axis] = k;
  const FoldedTensor values = folding.Make(info);
  const FoldedTensor indices = folding.Make({info.shape, DataType::kInt64});
  const Slices from(shape, axis);
  const Slices to(info.shape, axis);
  if (info.shape.GetNumElements() == 0) return {values, indices};
  std::vector<std::int64_t> order(static_cast<std::size_t>(shape[axis]));
  VisitNumbers(info.data_type, [&](auto type) {
    using Number = typename decltype(type)::Type;
    const auto* input = folding.Read<Number>(0);
    for (std::int64_t line = 0; line < from.GetSize(); ++line) {
      const auto get = [&](std::int64_t i) { return input[from.Locate(i, line)]; };
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
        return is_largest ? IsLess(get(b), get(a)) : IsLess(get(a), get(b));
      });
      for (std::int64_t i = 0; i < k; ++i) {
        const std::int64_t chosen = order[static_cast<std::size_t>(i)];
        values.As<Number>()[to.Locate(i, line)] = get(chosen);
        indices.As<std::int64_t>()[to.Locate(i, line)] = chosen;
      }
    }
  });
  return {values, indices};
}

}  // namespace backplane::onnx
