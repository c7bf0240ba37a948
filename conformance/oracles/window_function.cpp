#include "conformance/layer_case.hpp"

#include <backplane/api/descriptors/window_function.hpp>

namespace backplane {
namespace conformance {
namespace window_function {

/// As powers of sines, which the sums of cosines are.
long double GetElement(const WindowFunctionDescriptor& descriptor, std::int64_t index) {
  const std::int64_t n = descriptor.is_periodic == 1 ? descriptor.size : descriptor.size - 1;
  if (n == 0) return 1;
  const long double half =
      std::acos(-1.0L) * static_cast<long double>(index) / static_cast<long double>(n);
  const long double square = std::sin(half) * std::sin(half);
  switch (descriptor.function) {
    case WindowFunction::kHann:
      return square;
    case WindowFunction::kHamming:
      return 2.0L / 23 + 21.0L / 23 * square;
    case WindowFunction::kBlackman:
      return 0.36L * square + 0.64L * square * square;
  }
  return 0;
}

LayerCase MakeCaseOf(WindowFunction function, Random& random) {
  WindowFunctionDescriptor descriptor;
  descriptor.function = function;
  descriptor.is_periodic = random.Word(0, 1);
  descriptor.size = random.Integer(1, 20);
  return MakeCase(LayerType::kWindowFunction, descriptor, {}, {descriptor.size});
}

std::vector<LayerCase> MakeCases(Random& random) {
  return {MakeCaseOf(WindowFunction::kHann, random), MakeCaseOf(WindowFunction::kHamming, random),
          MakeCaseOf(WindowFunction::kBlackman, random)};
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& /*inputs*/, const Indices& at) {
  return static_cast<Number>(GetElement(layer.Get<WindowFunctionDescriptor>(), at[0]));
}

LayerCase Describe(WindowFunction function, std::int64_t size, std::uint32_t is_periodic,
                   DataType type) {
  WindowFunctionDescriptor descriptor;
  descriptor.function = function;
  descriptor.size = size;
  descriptor.is_periodic = is_periodic;
  descriptor.data_type = type;
  return As(type, MakeCase(LayerType::kWindowFunction, descriptor, {},
                           {std::max<std::int64_t>(size, 0)}));
}

std::vector<EdgeCase> MakeEdges() {
  constexpr DataType kFloat64 = DataType::kFloat64;
  constexpr WindowFunction kHann = WindowFunction::kHann;
  constexpr WindowFunction kHamming = WindowFunction::kHamming;
  std::vector<EdgeCase> edges = {
      // Periodic ones repeat after their size, symmetric ones end as they begin.
      {Describe(kHann, 4, 1, kFloat64), {}, {{0, 0.5L, 1, 0.5L}}},
      {Describe(kHamming, 4, 1, kFloat64), {}, {{4 / 46.0L, 25 / 46.0L, 1, 25 / 46.0L}}},
      {Describe(WindowFunction::kBlackman, 4, 1, kFloat64), {}, {{0, 0.34L, 1, 0.34L}}},
      {Describe(kHann, 5, 0, kFloat64), {}, {{0, 0.5L, 1, 0.5L, 0}}},
      {Describe(kHamming, 2, 0, kFloat64), {}, {{4 / 46.0L, 4 / 46.0L}}},
      {Describe(kHann, 1, 0, kFloat64), {}, {{1}}},
      {Describe(kHann, 1, 1, kFloat64), {}, {{0}}},
      {Describe(kHann, 0, 1, kFloat64), {}, {{}}},
      {Describe(kHann, 0, 0, kFloat64), {}, {{}}},
      {Describe(kHann, 4, 1, DataType::kFloat16), {}, {{0, 0.5L, 1, 0.5L}}},
      {Describe(kHann, 4, 1, DataType::kBFloat16), {}, {{0, 0.5L, 1, 0.5L}}},
  };
  for (EdgeCase& edge : edges) edge.tolerance = 1e-15L;
  return edges;
}

std::vector<RefusedCase> MakeRefused() {
  constexpr WindowFunction kHann = WindowFunction::kHann;
  constexpr DataType kFloat32 = DataType::kFloat32;
  return {
      {As(kFloat32, Describe(kHann, 4, 1, DataType::kFloat64)), "", "", "",
       "data type float32 of the output differs from float64 of the descriptor"},
      {Describe(kHann, -1, 1, kFloat32), "invalid-descriptor", "found -1", "0 or more",
       "the output has shape [0], but the inputs give [-1]"},
      {Describe(kHann, 1, 1, DataType::kInt32), "invalid-descriptor", "found int32",
       "float32, float16",
       "data type int32 of the output is not supported, only float32, float16, bfloat16, float64, "
       "and quantised int8, uint8, int16, uint16, int32"},
      {As(kFloat32, Describe(kHann, 1, 1, DataType::kUndefined)), "invalid-descriptor", "found ",
       "float32, float16",
       "data type float32 of the output differs from undefined of the descriptor"},
      {Describe(WindowFunction{4}, 4, 1, kFloat32), "invalid-descriptor", "number 4",
       "Hann, Hamming or Blackman",
       "window function 4 is not supported, only Hann (1), Hamming (2) and Blackman (3)"},
      {Describe(kHann, 1, 2, kFloat32), "invalid-descriptor", "found 2", "0 or 1",
       "is_periodic is 2, but must be 0 or 1"},
  };
}

}  // namespace window_function

// The descriptors name float32.
BACKPLANE_ELEMENT_ORACLE(WindowFunction, window_function, PlainTypes{DataType::kFloat32},
                         QuantisedTypes::kRefused);

}  // namespace conformance
}  // namespace backplane
