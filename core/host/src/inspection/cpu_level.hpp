#pragma once

#include <cstdint>
#include <string>

namespace backplane::inspection {

/// The levels of the x86-64 instruction set: bit 0 is the baseline, bit 1 is x86-64-v2, and so on,
/// as GNU property notes number them. 0 on other processors.
std::uint32_t GetLevelsOfThisCpu();

/// "x86-64-v3 (AVX2)" for the highest bit.
std::string GetLevelName(std::uint32_t levels);

}  // namespace backplane::inspection
