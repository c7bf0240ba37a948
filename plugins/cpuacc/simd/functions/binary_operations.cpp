#include "simd/functions/functions.hpp"
#include "simd/functions/loops.hpp"
#include "simd/functions/number_bits.hpp"

namespace backplane {
namespace cpuacc {
namespace CPUACC_ISA {

/// What is left of a division that is rounded down, with the sign of `b`.
CPUACC_INLINE float Modulo(float a, float b) {
  const float remainder = __builtin_fmodf(a, b);
  return remainder != 0.0F && (remainder < 0.0F) != (b < 0.0F) ? remainder + b : remainder;
}

template <typename Function>
BinaryFunctions MakeBinary() {
  BinaryFunctions functions;
  functions.of_arrays = [](const float* a, const float* b, float* y, std::int64_t count) {
    Combine(a, b, y, count, [](float first, float second) { return Function::Of(first, second); });
  };
  functions.of_second = [](const float* b, float* y, std::int64_t count, float a, float /*beta*/) {
    Map(b, y, count, [a](float second) { return Function::Of(a, second); });
  };
  functions.of_first = [](const float* a, float* y, std::int64_t count, float b, float /*beta*/) {
    Map(a, y, count, [b](float first) { return Function::Of(first, b); });
  };
  return functions;
}

/// A struct with the operation, so that it can be named where loops over it are made.
#define CPUACC_OPERATION(name, result)                                 \
  struct name##Operation {                                             \
    static CPUACC_INLINE float Of(float a, float b) { return result; } \
  };
CPUACC_OPERATION(Add, a + b)
CPUACC_OPERATION(Sub, a - b)
CPUACC_OPERATION(Mul, (a * b))
CPUACC_OPERATION(Div, a / b)
CPUACC_OPERATION(Maximum, a > b || a != a ? a : b)
CPUACC_OPERATION(Minimum, a < b || a != a ? a : b)
CPUACC_OPERATION(Power, __builtin_powf(a, b))
CPUACC_OPERATION(Modulo, Modulo(a, b))
CPUACC_OPERATION(Remainder, __builtin_fmodf(a, b))
CPUACC_OPERATION(SquaredDifference, (a - b) * (a - b))
CPUACC_OPERATION(Prelu, a < 0.0F ? a * b : a)
CPUACC_OPERATION(Mask, b == 0.0F ? 0.0F : a)
#undef CPUACC_OPERATION

void FillBinaryOperations(ElementFunctions& functions) {
#define CPUACC_BINARY(name)                                              \
  functions.binary[static_cast<std::size_t>(BinaryOperation::k##name)] = \
      MakeBinary<name##Operation>();
  CPUACC_BINARY(Add)
  CPUACC_BINARY(Sub)
  CPUACC_BINARY(Mul)
  CPUACC_BINARY(Div)
  CPUACC_BINARY(Maximum)
  CPUACC_BINARY(Minimum)
  CPUACC_BINARY(Power)
  CPUACC_BINARY(Modulo)
  CPUACC_BINARY(Remainder)
  CPUACC_BINARY(SquaredDifference)
#undef CPUACC_BINARY
  functions.prelu = MakeBinary<PreluOperation>();
  functions.mask = MakeBinary<MaskOperation>();
  functions.square = [](const float* in, float* out, std::int64_t count, float, float) {
    Map(in, out, count, [](float x) { return x * x; });
  };
  functions.cube = [](const float* in, float* out, std::int64_t count, float, float) {
    Map(in, out, count, [](float x) { return x * x * x; });
  };
  functions.from_int32 = [](const float* in, float* out, std::int64_t count, float, float) {
    Map(in, out, count,
        [](float x) { return static_cast<float>(static_cast<std::int32_t>(ToBits(x))); });
  };
}

}  // namespace CPUACC_ISA
}  // namespace cpuacc
}  // namespace backplane
