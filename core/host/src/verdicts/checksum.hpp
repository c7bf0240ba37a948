#pragma once

#include <string>
#include <string_view>

namespace backplane::verdicts {

/// 16 hexadecimal digits that tell a text from one that was damaged by accident (FNV-1a). Whoever
/// may write the file can forge them.
std::string ComputeChecksum(std::string_view text);

}  // namespace backplane::verdicts
