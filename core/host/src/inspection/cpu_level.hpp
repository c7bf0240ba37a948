#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace backplane::inspection {

/// The levels of the x86-64 instruction set: bit 0 is the baseline, bit 1 is x86-64-v2, and so on,
/// as GNU property notes number them. 0 on other processors.
std::uint32_t GetLevelsOfThisCpu();

/// "x86-64-v3 (AVX2)" for the highest bit.
std::string GetLevelName(std::uint32_t levels);

/// Those of the names that this processor does not have, as the kernel lists them in /proc/cpuinfo.
/// Names as the compiler spells them mean the same: "sse4.2" is "sse4_2", "avx512vnni" is
/// "avx512_vnni". Empty where the kernel lists nothing.
/// Threads: any.
std::vector<std::string> FindMissingCpuFeatures(const std::vector<std::string>& names);

}  // namespace backplane::inspection
