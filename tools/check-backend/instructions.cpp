#include "instructions.hpp"

#include <backplane/host/shell_word.hpp>

#include <array>
#include <cstdio>
#include <memory>

namespace backplane::check_backend {
namespace {

bool Has(const std::string& line, const char* word) {
  return line.find(word) != std::string::npos;
}

}  // namespace

std::optional<InstructionUse> ReadInstructions(const std::string& path) {
  const std::string command =
      "objdump -d --no-show-raw-insn -- " + QuoteForShell(path) + " 2>/dev/null";
  const std::unique_ptr<FILE, int (*)(FILE*)> listing(popen(command.c_str(), "r"), &pclose);
  if (listing == nullptr) return std::nullopt;
  InstructionUse use;
  bool is_x86 = false;
  bool has_avx = false;
  bool has_avx512 = false;
  std::array<char, 512> buffer{};
  while (std::fgets(buffer.data(), static_cast<int>(buffer.size()), listing.get()) != nullptr) {
    const std::string line = buffer.data();
    is_x86 = is_x86 || Has(line, "elf64-x86-64");
    has_avx512 = has_avx512 || Has(line, "%zmm");
    has_avx = has_avx || Has(line, "%ymm");
    use.asks_processor = use.asks_processor || Has(line, "\tcpuid") || Has(line, "\txgetbv") ||
                         Has(line, "getauxval") || Has(line, "__cpu_model");
  }
  if (!is_x86) return std::nullopt;
  if (has_avx) use.features.emplace_back("avx");
  if (has_avx512) use.features.emplace_back("avx512f");
  return use;
}

}  // namespace backplane::check_backend
