#include "folding/folding.hpp"

#include <cmath>

namespace backplane::onnx {
namespace {

template <typename Operation>
Folded FoldEach(Folding& folding, Operation operation) {
  const FoldedTensor result = folding.Make(folding.GetInfo(0));
  const std::int64_t count = result.info.shape.GetNumElements();
  VisitNumbers(result.info.data_type, [&](auto type) {
    using Number = typename decltype(type)::Type;
    const auto* input = folding.Read<Number>(0);
    for (std::int64_t i = 0; i < count; ++i) result.As<Number>()[i] = operation(input[i]);
  });
  return {result};
}

// For operators that have no integers.
template <typename Operation>
Folded FoldEachFloat(Folding& folding, Operation operation) {
  return FoldEach(folding, [&](auto value) -> decltype(value) {
    if constexpr (std::is_floating_point_v<decltype(value)>) {
      return operation(value);
    } else {
      throw NotFolded{};
    }
  });
}

}  // namespace

Folded FoldAbs(Folding& folding) {
  return FoldEach(folding, [](auto value) -> decltype(value) {
    using Number = decltype(value);
    if constexpr (std::is_floating_point_v<Number>) {
      return std::fabs(value);
    } else {
      return value < 0 ? static_cast<Number>(0 - static_cast<std::uint64_t>(value)) : value;
    }
  });
}

Folded FoldNeg(Folding& folding) {
  return FoldEach(folding, [](auto value) -> decltype(value) {
    using Number = decltype(value);
    if constexpr (std::is_floating_point_v<Number>) {
      return -value;
    } else {
      return static_cast<Number>(0 - static_cast<std::uint64_t>(value));
    }
  });
}

Folded FoldSign(Folding& folding) {
  return FoldEach(folding, [](auto value) -> decltype(value) {
    using Number = decltype(value);
    if (value > 0) return Number{1};
    return value < 0 ? static_cast<Number>(-1) : value;  // zero, or NaN
  });
}

#define BACKPLANE_FOLD(op, result)                                    \
  Folded Fold##op(Folding& folding) {                                 \
    return FoldEachFloat(folding, [](auto value) { return result; }); \
  }
BACKPLANE_FOLD(Ceil, std::ceil(value))
BACKPLANE_FOLD(Floor, std::floor(value))
BACKPLANE_FOLD(Round, std::nearbyint(value))  // halves go to the even neighbour
BACKPLANE_FOLD(Sqrt, std::sqrt(value))
BACKPLANE_FOLD(Exp, std::exp(value))
BACKPLANE_FOLD(Log, std::log(value))
BACKPLANE_FOLD(Reciprocal, 1 / value)
#undef BACKPLANE_FOLD

}  // namespace backplane::onnx
