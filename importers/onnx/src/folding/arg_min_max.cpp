#include "folding/indices.hpp"

namespace backplane::onnx {
namespace {

template <typename IsBetter>
Folded FoldArg(Folding& folding, IsBetter is_better) {
  const TensorShape& shape = folding.GetShape(0);
  const std::uint32_t axis = ReadAxis(folding, 0, shape.rank);
  const bool keeps = folding.GetAttributes().GetFlag("keepdims", true);
  const bool takes_last = folding.GetAttributes().GetFlag("select_last_index");
  TensorShape kept = shape;
  kept[axis] = 1;
  TensorShape without;
  for (std::uint32_t i = 0; i < shape.rank; ++i) {
    if (i != axis) without.Append(shape[i]);
  }
  if (shape[axis] == 0) throw NotFolded{};
  folding.CountReading(0);
  const FoldedTensor result = folding.Make({keeps ? kept : without, DataType::kInt64});
  const PerAxis strides = MakeStrides(shape);
  VisitNumbers(folding.GetInfo(0).data_type, [&](auto type) {
    using Number = typename decltype(type)::Type;
    const auto* input = folding.Read<Number>(0);
    ForEachElement(kept, [&](std::int64_t position, const PerAxis& index) {
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

}  // namespace

Folded FoldArgMax(Folding& folding) {
  return FoldArg(folding, [](auto a, auto b) { return a > b; });
}

Folded FoldArgMin(Folding& folding) {
  return FoldArg(folding, [](auto a, auto b) { return a < b; });
}

}  // namespace backplane::onnx
