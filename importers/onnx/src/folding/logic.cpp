#include "folding/indices.hpp"

#include <functional>

namespace backplane::onnx {
namespace {

void RequireBool(Folding& folding, std::size_t index) {
  if (folding.GetInfo(index).data_type != DataType::kBool) throw NotFolded{};
}

template <typename Operation>
Folded FoldBools(Folding& folding, Operation operation) {
  RequireBool(folding, 0);
  RequireBool(folding, 1);
  if (folding.GetOpset() < 7 && folding.GetShape(0) != folding.GetShape(1)) throw NotFolded{};
  folding.GetAttributes().Ignore("broadcast");
  folding.GetAttributes().Ignore("axis");
  const TensorShape shape = BroadcastShapes(folding.GetShape(0), folding.GetShape(1));
  const PerAxis a_strides = MakeBroadcastStrides(folding.GetShape(0), shape);
  const PerAxis b_strides = MakeBroadcastStrides(folding.GetShape(1), shape);
  const FoldedTensor result = folding.Make({shape, DataType::kBool});
  const auto* a = folding.Read<bool>(0);
  const auto* b = folding.Read<bool>(1);
  ForEachElement(shape, [&](std::int64_t position, const PerAxis& index) {
    result.As<bool>()[position] =
        operation(a[Locate(index, a_strides, shape.rank)], b[Locate(index, b_strides, shape.rank)]);
  });
  return {result};
}

}  // namespace

Folded FoldAnd(Folding& folding) {
  return FoldBools(folding, std::logical_and<>());
}

Folded FoldOr(Folding& folding) {
  return FoldBools(folding, std::logical_or<>());
}

Folded FoldXor(Folding& folding) {
  return FoldBools(folding, std::not_equal_to<>());
}

Folded FoldNot(Folding& folding) {
  RequireBool(folding, 0);
  const FoldedTensor result = folding.Make(folding.GetInfo(0));
  const auto* input = folding.Read<bool>(0);
  for (std::int64_t i = 0; i < result.info.shape.GetNumElements(); ++i) {
    result.As<bool>()[i] = !input[i];
  }
  return {result};
}

}  // namespace backplane::onnx
