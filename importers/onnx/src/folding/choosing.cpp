#include "folding/arithmetic.hpp"
#include "folding/indices.hpp"

namespace backplane::onnx {
namespace {

// A bound of Clip: a scalar of the type of the input.
template <typename Number>
Number ReadBound(Folding& folding, std::size_t index, Number otherwise) {
  if (!folding.Has(index)) return otherwise;
  const TensorInfo& info = folding.GetInfo(index);
  if (info.data_type != folding.GetInfo(0).data_type || info.shape.GetNumElements() != 1) {
    throw NotFolded{};
  }
  return *folding.Read<Number>(index);
}

}  // namespace

Folded FoldWhere(Folding& folding) {
  if (folding.GetInfo(0).data_type != DataType::kBool ||
      folding.GetInfo(1).data_type != folding.GetInfo(2).data_type) {
    throw NotFolded{};
  }
  const TensorShape values = BroadcastShapes(folding.GetShape(1), folding.GetShape(2));
  const TensorShape shape = BroadcastShapes(folding.GetShape(0), values);
  const FoldedTensor result = folding.Make({shape, folding.GetInfo(1).data_type});
  const PerAxis condition_strides = MakeBroadcastStrides(folding.GetShape(0), shape);
  const auto* condition = folding.Read<bool>(0);
  for (const std::size_t input : {1, 2}) {
    const PerAxis strides = MakeBroadcastStrides(folding.GetShape(input), shape);
    CopyElements(result, folding.Get(input).data.get(), [&](const PerAxis& index) {
      const bool is_first = condition[Locate(index, condition_strides, shape.rank)];
      return is_first == (input == 1) ? Locate(index, strides, shape.rank) : -1;
    });
  }
  return {result};
}

// Bounds are attributes until operator set 10, inputs from 11 on.
Folded FoldClip(Folding& folding) {
  if (folding.GetOpset() < 11) throw NotFolded{};
  const FoldedTensor result = folding.Make(folding.GetInfo(0));
  VisitNumbers(result.info.data_type, [&](auto type) {
    using Number = typename decltype(type)::Type;
    const auto least = ReadBound(folding, 1, GetLowest<Number>());
    const auto greatest = ReadBound(folding, 2, GetHighest<Number>());
    const auto* input = folding.Read<Number>(0);
    for (std::int64_t i = 0; i < result.info.shape.GetNumElements(); ++i) {
      const Number raised = input[i] < least ? least : input[i];
      result.As<Number>()[i] = raised > greatest ? greatest : raised;
    }
  });
  return {result};
}

}  // namespace backplane::onnx
