#include "conflicts/openmp_marks.hpp"

#include "conflicts/dynamic_text.hpp"
#include "elf/section_table.hpp"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <string_view>

namespace backplane::conflicts {
namespace {

/// More than the constants of any runtime that is linked in are away from the beginning.
constexpr std::uint64_t kMostConstantsBytes = std::uint64_t{64} << 20U;

/// Whether the read-only memory of the file holds one of the variables by which the runtimes are
/// set, which only they themselves read.
bool HoldsSettings(const elf::File& elf) {
  constexpr std::string_view kVariables[] = {"GOMP_SPINCOUNT", "KMP_BLOCKTIME"};
  std::uint64_t rest_bytes = kMostConstantsBytes;
  for (const elf::Segment& segment : elf.GetSegments()) {
    if (segment.p_type != PT_LOAD || (segment.p_flags & (PF_W | PF_X)) != 0) continue;
    if (segment.p_filesz > rest_bytes) return false;
    rest_bytes -= segment.p_filesz;
    const auto bytes = elf.ReadBytes({segment.p_offset, segment.p_filesz});
    if (!bytes) continue;
    for (const std::string_view variable : kVariables) {
      if (memmem(bytes->data(), bytes->size(), variable.data(), variable.size())) return true;
    }
  }
  return false;
}

}  // namespace

const std::vector<std::string>& GetOpenMpFunctions() {
  static const std::vector<std::string> names{"GOMP_parallel", "__kmpc_fork_call"};
  return names;
}

bool HasOpenMpRuntime(const elf::File& elf, const elf::SymbolTable& symbols) {
  const auto& names = GetOpenMpFunctions();
  const auto is_exported = [&](const std::string& name) { return symbols.FindExported(name); };
  if (std::any_of(names.begin(), names.end(), is_exported)) return true;
  // Each starts its threads itself and sets the size of their stacks, which few others do.
  if (!HasDynamicText(elf, "pthread_attr_setstacksize")) return false;
  return elf::HasFunction(elf, {names.begin(), names.end()}) || HoldsSettings(elf);
}

}  // namespace backplane::conflicts
