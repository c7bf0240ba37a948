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

void RequireBool(Folding& folding) {
  if (folding.GetInfo(0).data_type != DataType::kBool) throw NotFolded{};
}

template <typename Comparison>
Folded FoldComparison(Folding& folding, Comparison comparison) {
  const TensorInfo& a = folding.GetInfo(0);
  const TensorInfo& b = folding.GetInfo(1);
  if (a.data_type != b.data_type || IsNarrowType(a.data_type)) throw NotFolded{};
  RequireBroadcasting(folding);
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

template <typename Operation>
Folded FoldBools(Folding& folding, Operation operation) {
  RequireBool(folding);
  return FoldComparison(folding, operation);
}

}  // namespace

#define BACKPLANE_FOLD(op, fold, operation) \
  Folded Fold##op(Folding& folding) {       \
    return fold(folding, operation);        \
  }
BACKPLANE_FOLD(Equal, FoldComparison, std::equal_to<>())
BACKPLANE_FOLD(Greater, FoldComparison, std::greater<>())
BACKPLANE_FOLD(GreaterOrEqual, FoldComparison, std::greater_equal<>())
BACKPLANE_FOLD(Less, FoldComparison, std::less<>())
BACKPLANE_FOLD(LessOrEqual, FoldComparison, std::less_equal<>())
BACKPLANE_FOLD(And, FoldBools, std::logical_and<>())
BACKPLANE_FOLD(Or, FoldBools, std::logical_or<>())
BACKPLANE_FOLD(Xor, FoldBools, std::not_equal_to<>())
#undef BACKPLANE_FOLD

Folded FoldNot(Folding& folding) {
  RequireBool(folding);
  const FoldedTensor result = folding.Make(folding.GetInfo(0));
  const auto* input = folding.Read<bool>(0);
  for (std::int64_t i = 0; i < result.info.shape.GetNumElements(); ++i) {
    result.As<bool>()[i] = !input[i];
  }
  return {result};
}

}  // namespace backplane::onnx
