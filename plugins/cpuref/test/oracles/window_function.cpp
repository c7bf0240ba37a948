#include "test/layer_case.hpp"

#include <backplane/api/descriptors/window_function.hpp>

namespace backplane {
namespace cpuref_test {
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

}  // namespace window_function

// The descriptors name float32.
CPUREF_ELEMENT_ORACLE(WindowFunction, window_function, PlainTypes::kFloat32,
                      QuantisedTypes::kRefused);

}  // namespace cpuref_test
}  // namespace backplane
