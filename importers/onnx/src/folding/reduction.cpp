#include "folding/arithmetic.hpp"
#include "folding/indices.hpp"

namespace backplane::onnx {
namespace {

std::vector<bool> ReadAxes(Folding& folding, std::int64_t since) {
  const std::uint32_t rank = folding.GetShape(0).rank;
  const auto stated = folding.FindInts("axes", 1, since);
  if (stated && !stated->empty()) {
    std::vector<bool> is_reduced(rank, false);
    for (const std::int64_t axis : *stated) {
      is_reduced[static_cast<std::size_t>(ResolveIndex(axis, rank))] = true;
    }
    return is_reduced;
  }
  const bool is_noop = folding.GetAttributes().GetFlag("noop_with_empty_axes");
  return std::vector<bool>(rank, !is_noop);
}

/// A tensor with some axes reduced to one element, and that without those axes.
struct ReducedShapes {
  TensorShape kept;
  TensorShape result;
};

ReducedShapes MakeShapes(Folding& folding, const std::vector<bool>& is_reduced) {
  const bool keeps = folding.GetAttributes().GetFlag("keepdims", true);
  ReducedShapes shapes;
  const TensorShape& shape = folding.GetShape(0);
  for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
    shapes.kept.Append(is_reduced[axis] ? 1 : shape[axis]);
    if (keeps || !is_reduced[axis]) shapes.result.Append(shapes.kept[axis]);
  }
  return shapes;
}

/// `combine(accumulated, element)`; `start` is what nothing amounts to; `finish(accumulated,
/// count)`.
template <typename Start, typename Combine, typename Finish>
Folded Reduce(Folding& folding, std::int64_t since, Start start, Combine combine, Finish finish) {
  folding.CountReading(0);
  const auto is_reduced = ReadAxes(folding, since);
  const ReducedShapes shapes = MakeShapes(folding, is_reduced);
  const TensorInfo& info = folding.GetInfo(0);
  const FoldedTensor result = folding.Make({shapes.result, info.data_type});
  const PerAxis strides = MakeBroadcastStrides(shapes.kept, info.shape);
  const std::int64_t count = result.info.shape.GetNumElements();
  VisitNumbers(info.data_type, [&](auto type) {
    using Number = typename decltype(type)::Type;
    using Wide = std::conditional_t<std::is_floating_point_v<Number>, double, Number>;
    std::vector<Wide> accumulated(static_cast<std::size_t>(count), start(Wide{}));
    const auto* input = folding.Read<Number>(0);
    ForEachElement(info.shape, [&](std::int64_t position, const PerAxis& index) {
      Wide& target = accumulated[static_cast<std::size_t>(Locate(index, strides, info.shape.rank))];
      target = combine(target, static_cast<Wide>(input[position]));
    });
    const std::int64_t each = count == 0 ? 0 : info.shape.GetNumElements() / count;
    for (std::int64_t i = 0; i < count; ++i) {
      result.As<Number>()[i] =
          static_cast<Number>(finish(accumulated[static_cast<std::size_t>(i)], each));
    }
  });
  return {result};
}

constexpr auto kAsItIs = [](auto value, std::int64_t) { return value; };

// `combine(before, element)`; `start` is what nothing amounts to.
template <typename Combine>
Folded Accumulate(Folding& folding, int start, Combine combine) {
  const TensorInfo& info = folding.GetInfo(0);
  const std::vector<std::int64_t> stated = folding.ReadInts(1);
  if (stated.size() != 1) throw NotFolded{};
  const auto axis = static_cast<std::uint32_t>(ResolveIndex(stated[0], info.shape.rank));
  const bool is_exclusive = folding.GetAttributes().GetFlag("exclusive");
  const bool is_reverse = folding.GetAttributes().GetFlag("reverse");
  const FoldedTensor result = folding.Make(info);
  const std::int64_t extent = info.shape[axis];
  const std::int64_t stride = MakeStrides(info.shape).at[axis];
  VisitNumbers(info.data_type, [&](auto type) {
    using Number = typename decltype(type)::Type;
    const auto* input = folding.Read<Number>(0);
    const auto nothing = static_cast<Number>(start);
    // Along the axis each result follows from its neighbour, which has to be there before.
    const auto add = [&](std::int64_t position, std::int64_t at) {
      const std::int64_t neighbour = is_reverse ? position + stride : position - stride;
      const bool has_neighbour = is_reverse ? at + 1 < extent : at > 0;
      const Number before = has_neighbour ? result.As<Number>()[neighbour] : nothing;
      const Number own = !is_exclusive   ? input[position]
                         : has_neighbour ? input[neighbour]
                                         : nothing;
      result.As<Number>()[position] = static_cast<Number>(combine(before, own));
    };
    const std::int64_t count = info.shape.GetNumElements();
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t position = is_reverse ? count - 1 - i : i;
      add(position, position / stride % extent);
    }
  });
  return {result};
}

template <typename IsBetter>
Folded FoldArg(Folding& folding, IsBetter is_better) {
  const TensorShape& shape = folding.GetShape(0);
  const std::uint32_t axis = ReadAxis(folding, 0, shape.rank);
  const bool takes_last = folding.GetAttributes().GetFlag("select_last_index");
  std::vector<bool> is_reduced(shape.rank, false);
  is_reduced[axis] = true;
  const ReducedShapes shapes = MakeShapes(folding, is_reduced);
  if (shape[axis] == 0) throw NotFolded{};
  folding.CountReading(0);
  const FoldedTensor result = folding.Make({shapes.result, DataType::kInt64});
  const PerAxis strides = MakeStrides(shape);
  VisitNumbers(folding.GetInfo(0).data_type, [&](auto type) {
    using Number = typename decltype(type)::Type;
    const auto* input = folding.Read<Number>(0);
    ForEachElement(shapes.kept, [&](std::int64_t position, const PerAxis& index) {
      const auto* line = input + Locate(index, strides, shape.rank);
      std::int64_t best = 0;
      for (std::int64_t i = 1; i < shape[axis]; ++i) {
        const Number candidate = line[i * strides.at[axis]];
        const Number held = line[best * strides.at[axis]];
        if (is_better(candidate, held) || (takes_last && candidate == held)) best = i;
      }
      result.As<std::int64_t>()[position] = best;
    });
  });
  return {result};
}

constexpr std::int64_t kSumAxesAreInput = 13;
constexpr std::int64_t kAxesAreInput = 18;

}  // namespace

Folded FoldReduceSum(Folding& folding) {
  return Reduce(
      folding, kSumAxesAreInput, [](auto type) { return decltype(type){0}; }, kPlus, kAsItIs);
}

Folded FoldReduceProd(Folding& folding) {
  return Reduce(
      folding, kAxesAreInput, [](auto type) { return decltype(type){1}; }, kTimes, kAsItIs);
}

Folded FoldReduceMax(Folding& folding) {
  return Reduce(
      folding, kAxesAreInput, [](auto type) { return GetLowest<decltype(type)>(); },
      [](auto a, auto b) { return b > a || b != b ? b : a; }, kAsItIs);
}

Folded FoldReduceMin(Folding& folding) {
  return Reduce(
      folding, kAxesAreInput, [](auto type) { return GetHighest<decltype(type)>(); },
      [](auto a, auto b) { return b < a || b != b ? b : a; }, kAsItIs);
}

Folded FoldReduceMean(Folding& folding) {
  return Reduce(
      folding, kAxesAreInput, [](auto type) { return decltype(type){0}; }, kPlus,
      [](auto sum, std::int64_t count) -> decltype(sum) {
        if (count == 0) throw NotFolded{};
        return static_cast<decltype(sum)>(sum / static_cast<decltype(sum)>(count));
      });
}

Folded FoldArgMax(Folding& folding) {
  return FoldArg(folding, [](auto a, auto b) { return a > b; });
}

Folded FoldArgMin(Folding& folding) {
  return FoldArg(folding, [](auto a, auto b) { return a < b; });
}

Folded FoldCumSum(Folding& folding) {
  return Accumulate(folding, 0, kPlus);
}

Folded FoldCumProd(Folding& folding) {
  return Accumulate(folding, 1, kTimes);
}

}  // namespace backplane::onnx
