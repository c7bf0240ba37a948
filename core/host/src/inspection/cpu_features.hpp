#pragma once

#include <string>
#include <vector>

namespace backplane::inspection {

/// Those of the names that this processor does not have, as the kernel lists them in /proc/cpuinfo.
/// Names as the compiler spells them mean the same: "sse4.2" is "sse4_2", "avx512vnni" is
/// "avx512_vnni". Empty where the kernel lists nothing.
/// Threads: any.
std::vector<std::string> FindMissingCpuFeatures(const std::vector<std::string>& names);

}  // namespace backplane::inspection
