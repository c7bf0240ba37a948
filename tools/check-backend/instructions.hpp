#pragma once

#include <optional>
#include <string>
#include <vector>

namespace backplane::check_backend {

/// What the instructions of a file say of the processors on which it can run.
struct InstructionUse {
  std::vector<std::string> features;  // beyond the first level of x86-64: "avx", "avx512f"
  bool asks_processor = false;        // has code that finds out what the processor can do
};

/// Reads them with objdump. Nothing: it is not installed, or cannot read the file; or the file is
/// for another architecture.
std::optional<InstructionUse> ReadInstructions(const std::string& path);

}  // namespace backplane::check_backend
