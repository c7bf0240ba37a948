#pragma once

/// Checks of an ELF file of this machine's word size and byte order.

#include "elf/file.hpp"

#include <backplane/host/diagnostic.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace backplane::inspection {

/// Each gives what is wrong, or nothing. `path` is for words only.
using ElfCheck = std::optional<Diagnostic> (*)(const elf::File& elf, const std::string& path);

// target_checks.cpp: what the file is, and for what.
std::optional<Diagnostic> CheckFileType(const elf::File& elf, const std::string& path);
std::optional<Diagnostic> CheckMachine(const elf::File& elf, const std::string& path);
std::optional<Diagnostic> CheckIsNotProgram(const elf::File& elf, const std::string& path);
/// Of files whose structure is not sound: says more than what is damaged.
std::optional<Diagnostic> CheckIsNotDebugOnly(const elf::File& elf, const std::string& path);

// segment_checks.cpp: the program headers.
std::optional<Diagnostic> CheckSegmentTable(const elf::File& elf, const std::string& path);
std::optional<Diagnostic> CheckSegmentsAreInFile(const elf::File& elf, const std::string& path);
std::optional<Diagnostic> CheckSectionsAreInFile(const elf::File& elf, const std::string& path);
std::optional<Diagnostic> CheckLoadSegments(const elf::File& elf, const std::string& path);
std::optional<Diagnostic> CheckNoteSegments(const elf::File& elf, const std::string& path);

// dynamic_checks.cpp: the dynamic section and what it points to.
std::optional<Diagnostic> CheckDynamicSection(const elf::File& elf, const std::string& path);
std::optional<Diagnostic> CheckDynamicTables(const elf::File& elf, const std::string& path);
std::optional<Diagnostic> CheckDynamicStrings(const elf::File& elf, const std::string& path);
std::optional<Diagnostic> CheckSymbolTable(const elf::File& elf, const std::string& path);
/// Relocations write into the file's own memory and name symbols of it, and the names of all
/// symbols are not too long.
std::optional<Diagnostic> CheckRelocations(const elf::File& elf, const std::string& path);

// version_tables.cpp: the versions of symbols.
std::optional<Diagnostic> CheckVersionTables(const elf::File& elf, const std::string& path);

// loader_checks.cpp: what the loader of this machine refuses, or does only reluctantly.
std::optional<Diagnostic> CheckAlignment(const elf::File& elf, const std::string& path);
std::optional<Diagnostic> CheckExecutableStack(const elf::File& elf, const std::string& path);
std::optional<Diagnostic> CheckTextRelocations(const elf::File& elf, const std::string& path);
std::optional<Diagnostic> CheckStaticTls(const elf::File& elf, const std::string& path);
std::optional<Diagnostic> CheckMayBeOpened(const elf::File& elf, const std::string& path);

// run_path_check.cpp: who could put libraries where the loader looks for them.
std::optional<Diagnostic> CheckRunPath(const elf::File& elf, const std::string& path);

// sanitizer_runtimes.cpp and cpu_checks.cpp: what this process and this processor must have.
std::optional<Diagnostic> CheckSanitizerRuntimes(const elf::File& elf, const std::string& path);
std::optional<Diagnostic> CheckCpuLevel(const elf::File& elf, const std::string& path);
/// The levels that a file says it needs, as GetLevelsOfThisCpu numbers them. 0: it says nothing.
std::uint32_t ReadNeededLevels(const elf::File& elf);

/// Without these nothing behind them can be read: the first that fails ends the inspection.
constexpr ElfCheck kStructureChecks[] = {
    CheckFileType,       CheckSegmentTable, CheckSegmentsAreInFile, CheckSectionsAreInFile,
    CheckLoadSegments,   CheckNoteSegments, CheckDynamicSection,    CheckDynamicTables,
    CheckDynamicStrings, CheckSymbolTable,  CheckRelocations,       CheckVersionTables,
    CheckIsNotProgram,
};

/// Of files whose structure is sound. All run, and the later stages too.
constexpr ElfCheck kFitnessChecks[] = {
    CheckMachine,           CheckAlignment,       CheckMayBeOpened,
    CheckSanitizerRuntimes, CheckCpuLevel,        CheckExecutableStack,
    CheckStaticTls,         CheckTextRelocations, CheckRunPath,
};

struct FileStart {
  const std::string& path;
  int descriptor = -1;
  std::uint64_t size_bytes = 0;
  std::string_view beginning;  // the first bytes
};

/// Each gives what is wrong, or nothing. In this order; the first that fails ends the inspection.
using StartCheck = std::optional<Diagnostic> (*)(const FileStart&);

std::optional<Diagnostic> CheckNotEmpty(const FileStart& start);
std::optional<Diagnostic> CheckIsElf(const FileStart& start);
std::optional<Diagnostic> CheckIdentification(const FileStart& start);
std::optional<Diagnostic> CheckClass(const FileStart& start);
std::optional<Diagnostic> CheckByteOrder(const FileStart& start);
std::optional<Diagnostic> CheckOsAbi(const FileStart& start);
std::optional<Diagnostic> CheckHeaderIsComplete(const FileStart& start);
std::optional<Diagnostic> CheckSectionCount(const FileStart& start);

constexpr StartCheck kStartChecks[] = {
    CheckNotEmpty,  CheckIsElf, CheckIdentification,   CheckClass,
    CheckByteOrder, CheckOsAbi, CheckHeaderIsComplete, CheckSectionCount,
};

}  // namespace backplane::inspection
