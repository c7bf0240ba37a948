#include "simd/simd.hpp"

namespace backplane {
namespace cpuacc {

namespace baseline {
void Fill(SimdFunctions& functions);
}
namespace avx2 {
void Fill(SimdFunctions& functions);
}
namespace avx512 {
void Fill(SimdFunctions& functions);
}

namespace {

SimdFunctions MakeFunctions(void (*fill)(SimdFunctions& functions)) {
  SimdFunctions functions;
  fill(functions);
  return functions;
}

const SimdFunctions* GetBaseline() {
  static const SimdFunctions functions = MakeFunctions(&baseline::Fill);
  return &functions;
}

#ifdef CPUACC_HAS_X86_ISAS

bool HasAvx2() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

bool HasAvx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

// Also what fills the table is compiled for the instruction set: it runs only where that is there.

const SimdFunctions* FindAvx2() {
  if (!HasAvx2()) return nullptr;
  static const SimdFunctions functions = MakeFunctions(&avx2::Fill);
  return &functions;
}

const SimdFunctions* FindAvx512() {
  if (!HasAvx512()) return nullptr;
  static const SimdFunctions functions = MakeFunctions(&avx512::Fill);
  return &functions;
}

#else

const SimdFunctions* FindAvx2() {
  return nullptr;
}

const SimdFunctions* FindAvx512() {
  return nullptr;
}

#endif

const SimdFunctions& FindBest() {
  const SimdFunctions* best = FindAvx512();
  if (best == nullptr) best = FindAvx2();
  return best != nullptr ? *best : *GetBaseline();
}

}  // namespace

const SimdFunctions& GetSimdFunctions() {
  static const SimdFunctions& best = FindBest();
  return best;
}

const SimdFunctions* FindSimdFunctions(InstructionSet instruction_set) {
  switch (instruction_set) {
    case InstructionSet::kBaseline:
      return GetBaseline();
    case InstructionSet::kAvx2:
      return FindAvx2();
    case InstructionSet::kAvx512:
      return FindAvx512();
  }
  return nullptr;
}

}  // namespace cpuacc
}  // namespace backplane
