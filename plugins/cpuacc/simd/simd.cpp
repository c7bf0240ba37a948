#include "simd/simd.hpp"

#include <dnnl.hpp>

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

/// Of the processor, within ONEDNN_MAX_CPU_ISA.
bool Has(dnnl::cpu_isa wanted) {
  const auto bits = static_cast<unsigned>(wanted);
  return (static_cast<unsigned>(dnnl::get_effective_cpu_isa()) & bits) == bits;
}

bool HasAvx2() {
  return Has(dnnl::cpu_isa::avx2) && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("f16c");
}

bool HasAvx512() {
  return Has(dnnl::cpu_isa::avx512_core);
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

#ifdef CPUACC_HAS_X86_ISAS

bool HasAvx512Vbmi() {
  // oneDNN has no name for VBMI, which came to processors together with VNNI.
  return HasAvx512Vnni() && __builtin_cpu_supports("avx512vbmi");
}

bool HasAvx512Vnni() {
  return Has(dnnl::cpu_isa::avx512_core_vnni);
}

#else

bool HasAvx512Vbmi() {
  return false;
}

bool HasAvx512Vnni() {
  return false;
}

#endif

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
