#include "simd/functions/error_functions.hpp"
#include "simd/functions/exponentials.hpp"
#include "simd/functions/functions.hpp"
#include "simd/functions/loops.hpp"

namespace backplane {
namespace cpuacc {
namespace CPUACC_ISA {

void FillUnaryOperations(ElementFunctions& functions) {
  using Operation = UnaryOperation;
#define CPUACC_UNARY(name, result)                                                           \
  functions.unary[static_cast<std::size_t>(Operation::k##name)] =                            \
      [](const float* in, float* out, std::int64_t count, float /*alpha*/, float /*beta*/) { \
        Map(in, out, count, [](float x) { return result; });                                 \
      };
  CPUACC_UNARY(Abs, __builtin_fabsf(x))
  CPUACC_UNARY(Negate, -x)
  CPUACC_UNARY(Sign, x > 0.0F ? 1.0F : (x < 0.0F ? -1.0F : x))
  CPUACC_UNARY(Sqrt, __builtin_sqrtf(x))
  CPUACC_UNARY(Reciprocal, 1.0F / x)
  CPUACC_UNARY(Exp, Exp(x))
  CPUACC_UNARY(Log, Log(x))
  CPUACC_UNARY(Erf, Erf(x))
  CPUACC_UNARY(Ceil, Ceil(x))
  CPUACC_UNARY(Floor, Floor(x))
  CPUACC_UNARY(Round, Round(x))
  // One by one, by the C library.
  CPUACC_UNARY(Sin, __builtin_sinf(x))
  CPUACC_UNARY(Cos, __builtin_cosf(x))
  CPUACC_UNARY(Tan, __builtin_tanf(x))
  CPUACC_UNARY(Asin, __builtin_asinf(x))
  CPUACC_UNARY(Acos, __builtin_acosf(x))
  CPUACC_UNARY(Atan, __builtin_atanf(x))
  CPUACC_UNARY(Sinh, __builtin_sinhf(x))
  CPUACC_UNARY(Cosh, __builtin_coshf(x))
  CPUACC_UNARY(Asinh, __builtin_asinhf(x))
  CPUACC_UNARY(Acosh, __builtin_acoshf(x))
  CPUACC_UNARY(Atanh, __builtin_atanhf(x))
#undef CPUACC_UNARY
}

}  // namespace CPUACC_ISA
}  // namespace cpuacc
}  // namespace backplane
