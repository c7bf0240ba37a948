#include "diagnostics/file_words.hpp"
#include "elf/machine.hpp"
#include "elf/section_table.hpp"
#include "inspection/elf_checks.hpp"

#include <elf.h>

namespace backplane::inspection {
namespace {

Diagnostic DescribeType(const std::string& path, const std::string& name, const char* type,
                        const char* fix) {
  return diagnostics::DescribeFile(
      DiagnosticCode::kNotSharedObject, path, "is " + name + ", not a shared object",
      std::string("found ELF type ") + type + ", expected ET_DYN", fix);
}

}  // namespace

std::optional<Diagnostic> CheckFileType(const elf::File& elf, const std::string& path) {
  const unsigned type = elf.GetHeader().e_type;
  switch (type) {
    case ET_DYN:
      return std::nullopt;
    case ET_REL:
      return DescribeType(path, "a relocatable object (.o)", "ET_REL", "link it with -shared");
    case ET_EXEC:
      return DescribeType(path, "an executable", "ET_EXEC", "link it with -shared -fPIC");
    case ET_CORE:
      return DescribeType(path, "a core dump", "ET_CORE", "put the backend's shared object here");
    default:
      return diagnostics::DescribeDamage(path, "found ELF type " + std::to_string(type) +
                                                   ", expected " + std::to_string(ET_DYN) +
                                                   " (ET_DYN)");
  }
}

std::optional<Diagnostic> CheckIsNotProgram(const elf::File& elf, const std::string& path) {
  const std::uint64_t flags = elf.FindDynamicValue(DT_FLAGS_1).value_or(0);
  if ((flags & DF_1_PIE) == 0) return std::nullopt;
  return DescribeType(path, "a position-independent executable", "ET_DYN with the flag DF_1_PIE",
                      "link it with -shared instead of -pie");
}

// What is debugged stays in another file: the code has a size, but no bytes here.
std::optional<Diagnostic> CheckIsNotDebugOnly(const elf::File& elf, const std::string& path) {
  bool has_code = false;
  for (const elf::Section& section : elf::ReadSections(elf)) {
    if ((section.sh_flags & SHF_ALLOC) == 0 || (section.sh_flags & SHF_EXECINSTR) == 0) continue;
    if (section.sh_type != SHT_NOBITS) return std::nullopt;
    has_code = true;
  }
  if (!has_code) return std::nullopt;
  return diagnostics::DescribeFile(
      DiagnosticCode::kDebugOnly, path, "contains only debug information",
      "found that its code is not in the file, as `objcopy --only-keep-debug` "
      "leaves it; expected the shared object itself",
      "put the shared object here that this file describes");
}

std::optional<Diagnostic> CheckMachine(const elf::File& elf, const std::string& path) {
  const unsigned machine = elf.GetHeader().e_machine;
  if (machine == elf::kHostMachine) return std::nullopt;
  const std::string found = elf::GetMachineName(machine);
  const std::string expected = elf::GetMachineName(elf::kHostMachine);
  return diagnostics::DescribeFile(
      DiagnosticCode::kWrongMachine, path,
      "is built for " + found + ", but this program runs on " + expected,
      "found a file for " + found + ", expected one for " + expected,
      "get a build of this backend for " + expected);
}

}  // namespace backplane::inspection
