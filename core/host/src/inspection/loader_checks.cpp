// What the loader of this machine refuses, or does only reluctantly.

#include "diagnostics/file_words.hpp"
#include "inspection/elf_checks.hpp"
#include "inspection/loader_settings.hpp"

#include <elf.h>
#include <gnu/libc-version.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace backplane::inspection {
namespace {

// From this version on glibc does not make the stack of a running process executable.
constexpr int kGlibcThatRefusesExecutableStacks = 41;

bool DoesGlibcRefuseExecutableStacks() {
  const char* version = gnu_get_libc_version();
  if (std::strncmp(version, "2.", 2) != 0) return true;
  return std::atoi(version + 2) >= kGlibcThatRefusesExecutableStacks;
}

// Without the header, the loader takes what the processor's first ABI had.
#if defined(__x86_64__) || defined(__i386__)
constexpr bool kIsStackExecutableByDefault = true;
#else
constexpr bool kIsStackExecutableByDefault = false;
#endif

}  // namespace

std::optional<Diagnostic> CheckAlignment(const elf::File& elf, const std::string& path) {
  const auto page_bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  for (const elf::Segment& segment : elf.GetSegments()) {
    if (segment.p_type != PT_LOAD || (segment.p_align & (page_bytes - 1)) == 0) continue;
    return diagnostics::DescribeFile(
        DiagnosticCode::kSmallAlignment, path, "is laid out for smaller memory pages",
        "found a segment alignment of " + std::to_string(segment.p_align) +
            " bytes, expected a multiple of this kernel's page size of " +
            std::to_string(page_bytes),
        "vendor: link with -Wl,-z,max-page-size=" + std::to_string(page_bytes) + " or larger");
  }
  return std::nullopt;
}

std::optional<Diagnostic> CheckExecutableStack(const elf::File& elf, const std::string& path) {
  const elf::Segment* stack = elf.FindSegment(PT_GNU_STACK);
  const bool is_executable =
      stack != nullptr ? (stack->p_flags & PF_X) != 0 : kIsStackExecutableByDefault;
  if (!is_executable) return std::nullopt;
  const std::string finding = stack != nullptr ? "PT_GNU_STACK is executable" : "no PT_GNU_STACK";
  return diagnostics::DescribeFile(
      DiagnosticCode::kExecutableStack, path, "requires an executable stack",
      "found " + finding +
          ", expected a stack that is not executable; glibc 2.41 and later refuse "
          "such a file, this is glibc " +
          gnu_get_libc_version(),
      "vendor: link with -Wl,-z,noexecstack; a source in assembler without "
      ".note.GNU-stack is the usual cause",
      DoesGlibcRefuseExecutableStacks() ? Severity::kError : Severity::kWarning);
}

std::optional<Diagnostic> CheckTextRelocations(const elf::File& elf, const std::string& path) {
  const std::uint64_t flags = elf.FindDynamicValue(DT_FLAGS).value_or(0);
  const bool has_tag = elf.FindDynamicValue(DT_TEXTREL).has_value();
  if (!has_tag && (flags & DF_TEXTREL) == 0) return std::nullopt;
  return diagnostics::DescribeFile(
      DiagnosticCode::kTextRelocations, path, "contains text relocations",
      std::string("found ") + (has_tag ? "DT_TEXTREL" : "DF_TEXTREL") +
          ", expected code that needs no change when it is loaded; systems with "
          "SELinux refuse it",
      "vendor: compile everything that goes into the file with -fPIC", Severity::kWarning);
}

std::optional<Diagnostic> CheckStaticTls(const elf::File& elf, const std::string& path) {
  const elf::Segment* segment = elf.FindSegment(PT_TLS);
  const std::uint64_t flags = elf.FindDynamicValue(DT_FLAGS).value_or(0);
  if (segment == nullptr || (flags & DF_STATIC_TLS) == 0) return std::nullopt;
  const std::uint64_t free_bytes = GetOptionalStaticTlsBytes();
  if (segment->p_memsz <= free_bytes) return std::nullopt;
  const std::string needed = std::to_string(segment->p_memsz);
  return diagnostics::DescribeFile(
      DiagnosticCode::kStaticTls, path, "needs " + needed + " bytes of static thread-local storage",
      "found DF_STATIC_TLS and " + needed + " bytes of PT_TLS, expected at most the " +
          std::to_string(free_bytes) + " that glibc keeps free for libraries opened later",
      "start the program with " + MakeStaticTlsSetting(segment->p_memsz) +
          "; vendor: compile without -ftls-model=initial-exec",
      Severity::kWarning);
}

std::optional<Diagnostic> CheckMayBeOpened(const elf::File& elf, const std::string& path) {
  const std::uint64_t flags = elf.FindDynamicValue(DT_FLAGS_1).value_or(0);
  if ((flags & DF_1_NOOPEN) == 0) return std::nullopt;
  return diagnostics::DescribeFile(
      DiagnosticCode::kMayNotBeOpened, path, "forbids to be opened by a program",
      "found the flag DF_1_NOOPEN, with which dlopen refuses a file; expected a "
      "file without it",
      "vendor: link without -Wl,-z,nodlopen");
}

}  // namespace backplane::inspection
