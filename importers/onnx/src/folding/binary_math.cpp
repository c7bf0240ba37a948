#include "folding/arithmetic.hpp"
#include "folding/indices.hpp"
#include "values/elements.hpp"

#include <cmath>
#include <cstdint>

namespace backplane::onnx {
namespace {

struct Over {
  template <typename Number>
  Number operator()(Number a, Number b) const {
    if constexpr (std::is_integral_v<Number>) {
      if (b == 0) return 0;
      if (std::is_signed_v<Number> && b == static_cast<Number>(-1)) return kMinus(Number{0}, a);
      return static_cast<Number>(a / b);
    } else {
      return a / b;
    }
  }
};

// NaN goes through.
constexpr auto kLesser = [](auto a, auto b) { return a < b || a != a ? a : b; };
constexpr auto kLarger = [](auto a, auto b) { return a > b || a != a ? a : b; };

// What is left has the sign of the dividend, as in C, or of the divisor, as in Python.
struct Rest {
  bool has_sign_of_dividend;

  template <typename Number>
  Number operator()(Number a, Number b) const {
    if constexpr (std::is_integral_v<Number>) {
      if (b == 0 || (std::is_signed_v<Number> && b == static_cast<Number>(-1))) return 0;
      return SetSign(static_cast<Number>(a % b), b);
    } else {
      return SetSign(std::fmod(a, b), b);
    }
  }

  template <typename Number>
  Number SetSign(Number rest, Number divisor) const {
    const bool is_other_sign = rest != 0 && (rest < 0) != (divisor < 0);
    return !has_sign_of_dividend && is_other_sign ? static_cast<Number>(rest + divisor) : rest;
  }
};

template <typename Operation>
FoldedTensor Calculate(Folding& folding, const Value& a, const Value& b, Operation operation) {
  if (a.info.data_type != b.info.data_type) throw NotFolded{};
  const TensorShape shape = BroadcastShapes(a.info.shape, b.info.shape);
  const PerAxis a_strides = MakeBroadcastStrides(a.info.shape, shape);
  const PerAxis b_strides = MakeBroadcastStrides(b.info.shape, shape);
  const FoldedTensor result = folding.Make({shape, a.info.data_type});
  VisitNumbers(a.info.data_type, [&](auto type) {
    using Number = typename decltype(type)::Type;
    const auto* x = static_cast<const Number*>(a.data.get());
    const auto* y = static_cast<const Number*>(b.data.get());
    ForEachElement(shape, [&](std::int64_t position, const PerAxis& index) {
      result.As<Number>()[position] = operation(x[Locate(index, a_strides, shape.rank)],
                                                y[Locate(index, b_strides, shape.rank)]);
    });
  });
  return result;
}

template <typename Operation>
Folded FoldPair(Folding& folding, Operation operation) {
  RequireBroadcasting(folding);
  return {Calculate(folding, folding.Get(0), folding.Get(1), operation)};
}

// Any number of inputs, two at a time from the first on.
template <typename Operation>
Folded FoldChain(Folding& folding, Operation operation) {
  Value result = folding.Get(0);
  FoldedTensor last{result.info, nullptr};
  for (std::size_t index = 1; index < folding.GetNumInputs(); ++index) {
    last = Calculate(folding, result, folding.Get(index), operation);
    result = MakeConstant(last.info, std::shared_ptr<const void>(last.bytes));
  }
  if (last.bytes == nullptr) throw NotFolded{};
  return {last};
}

template <typename Number>
Number RaiseInteger(Number base, std::int64_t exponent) {
  if (exponent < 0) {
    if (base == 1) return 1;
    if (std::is_signed_v<Number> && base == static_cast<Number>(-1)) {
      return exponent % 2 == 0 ? Number{1} : base;
    }
    return 0;
  }
  Number power = 1;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 != 0) power = kTimes(power, base);
    base = kTimes(base, base);
  }
  return power;
}

template <typename Number>
Number Raise(Number base, double exponent) {
  constexpr double kMaxExact = 9007199254740992.0;  // 2^53
  if constexpr (std::is_integral_v<Number>) {
    if (std::nearbyint(exponent) == exponent && std::fabs(exponent) < kMaxExact) {
      return RaiseInteger(base, static_cast<std::int64_t>(exponent));
    }
    throw NotFolded{};
  } else {
    return static_cast<Number>(std::pow(static_cast<double>(base), exponent));
  }
}

}  // namespace

#define BACKPLANE_FOLD(op, fold, operation) \
  Folded Fold##op(Folding& folding) {       \
    return fold(folding, operation);        \
  }
BACKPLANE_FOLD(Add, FoldPair, kPlus)
BACKPLANE_FOLD(Sub, FoldPair, kMinus)
BACKPLANE_FOLD(Mul, FoldPair, kTimes)
BACKPLANE_FOLD(Div, FoldPair, Over())
BACKPLANE_FOLD(Mod, FoldPair, Rest{folding.GetAttributes().GetFlag("fmod")})
BACKPLANE_FOLD(Min, FoldChain, kLesser)
BACKPLANE_FOLD(Max, FoldChain, kLarger)
BACKPLANE_FOLD(Sum, FoldChain, kPlus)
#undef BACKPLANE_FOLD

// The exponent may be of another type than the base.
Folded FoldPow(Folding& folding) {
  RequireBroadcasting(folding);
  const Value& base = folding.Get(0);
  const TensorShape shape = BroadcastShapes(base.info.shape, folding.GetShape(1));
  const PerAxis base_strides = MakeBroadcastStrides(base.info.shape, shape);
  const PerAxis exponent_strides = MakeBroadcastStrides(folding.GetShape(1), shape);
  const FoldedTensor result = folding.Make({shape, base.info.data_type});
  const std::vector<double> exponents = ReadElements<double>(folding.Get(1));
  VisitNumbers(base.info.data_type, [&](auto type) {
    using Number = typename decltype(type)::Type;
    const auto* bases = static_cast<const Number*>(base.data.get());
    ForEachElement(shape, [&](std::int64_t position, const PerAxis& index) {
      const auto exponent = static_cast<std::size_t>(Locate(index, exponent_strides, shape.rank));
      result.As<Number>()[position] =
          Raise(bases[Locate(index, base_strides, shape.rank)], exponents[exponent]);
    });
  });
  return {result};
}

}  // namespace backplane::onnx
