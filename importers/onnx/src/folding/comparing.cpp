#include "folding/indices.hpp"

#include <backplane/api/narrow_types.hpp>

#include <functional>

namespace backplane::onnx {
namespace {

template <typename Element>
auto Widen(Element element) {
  if constexpr (std::is_arithmetic_v<Element>) {
    return element;
  } else {
    return ToFloat(element);
  }
}

template <typename Comparison>
Folded FoldComparison(Folding& folding, Comparison comparison) {
  const TensorInfo& a = folding.GetInfo(0);
  const TensorInfo& b = folding.GetInfo(1);
  const bool is_legacy = folding.GetOpset() < 7 && a.shape != b.shape;
  if (is_legacy || a.data_type != b.data_type) throw NotFolded{};
  if (IsNarrowType(a.data_type)) throw NotFolded{};
  folding.GetAttributes().Ignore("broadcast");
  folding.GetAttributes().Ignore("axis");
  const TensorShape shape = BroadcastShapes(a.shape, b.shape);
  const PerAxis a_strides = MakeBroadcastStrides(a.shape, shape);
  const PerAxis b_strides = MakeBroadcastStrides(b.shape, shape);
  const FoldedTensor result = folding.Make({shape, DataType::kBool});
  VisitElementType(a.data_type, [&](auto type) {
    using Element = typename decltype(type)::Type;
    const auto* x = folding.Read<Element>(0);
    const auto* y = folding.Read<Element>(1);
    ForEachElement(shape, [&](std::int64_t position, const PerAxis& index) {
      result.As<bool>()[position] = comparison(Widen(x[Locate(index, a_strides, shape.rank)]),
                                               Widen(y[Locate(index, b_strides, shape.rank)]));
    });
  });
  return {result};
}

}  // namespace

Folded FoldEqual(Folding& folding) {
  return FoldComparison(folding, std::equal_to<>());
}

Folded FoldGreater(Folding& folding) {
  return FoldComparison(folding, std::greater<>());
}

Folded FoldGreaterOrEqual(Folding& folding) {
  return FoldComparison(folding, std::greater_equal<>());
}

Folded FoldLess(Folding& folding) {
  return FoldComparison(folding, std::less<>());
}

Folded FoldLessOrEqual(Folding& folding) {
  return FoldComparison(folding, std::less_equal<>());
}

}  // namespace backplane::onnx
