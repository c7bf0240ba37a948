#include "inspection/private_runtime.hpp"

#include "inspection/file_words.hpp"
#include "inspection/symbol_table.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace backplane::inspection {
namespace {

// What a file takes from elsewhere.
struct Imports {
  bool has_unwind_tables = false;  // asks the loader for the tables that an unwinder reads
  bool has_unwinder = false;       // throws or goes on throwing
  bool has_personality = false;    // has functions through which exceptions go
  bool has_type_infos = false;     // has classes with virtual functions
  bool has_delete = false;
};

void AddImport(std::string_view name, Imports& imports) {
  // Most imports are other functions.
  if (name.empty() || (name.front() != '_' && name.front() != 'd')) return;
  imports.has_unwind_tables |= name == "_dl_find_object" || name == "dl_iterate_phdr";
  imports.has_unwinder |= BeginsWith(name, "_Unwind_");
  imports.has_personality |= name == "__gxx_personality_v0";
  imports.has_type_infos |= BeginsWith(name, "_ZTVN10__cxxabiv1");
  imports.has_delete |= BeginsWith(name, "_ZdlPv") || BeginsWith(name, "_ZdaPv");
}

Imports ReadImports(const ElfFile& elf) {
  Imports imports;
  const std::optional<SymbolTable> symbols = SymbolTable::Open(elf);
  for (std::uint32_t i = 1; symbols && i < symbols->GetEndOfImports(); ++i) {
    const std::optional<Symbol> symbol = symbols->Get(i);
    if (symbol && symbol->entry.st_shndx == SHN_UNDEF) AddImport(symbol->name, imports);
  }
  return imports;
}

// Whether a text stands in others as more than the end of a name. What lies in front of it may be
// anything, such as the padding of what was there before.
bool HasWholeText(std::string_view bytes, std::string_view text) {
  for (auto at = bytes.find(text); at != std::string_view::npos; at = bytes.find(text, at + 1)) {
    const auto before = static_cast<unsigned char>(at == 0 ? 0 : bytes[at - 1]);
    if (before != '_' && std::isalnum(before) == 0) return true;
  }
  return false;
}

// Whether the read-only memory of the file holds a text. Segments may lie in each other, and files
// be mostly holes, so no more is looked at than a large library has.
bool HoldsText(const ElfFile& elf, std::string_view text) {
  constexpr std::uint64_t kMostSearchedBytes = std::uint64_t{1} << 30U;
  std::uint64_t rest_bytes = std::min(elf.GetSizeBytes(), kMostSearchedBytes);
  for (const ElfSegment& segment : elf.GetSegments()) {
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) != 0) continue;
    if (segment.p_filesz > rest_bytes) return false;
    rest_bytes -= segment.p_filesz;
    const auto bytes = elf.ReadBytes({segment.p_offset, segment.p_filesz});
    if (bytes && HasWholeText(*bytes, text)) return true;
  }
  return false;
}

// The name of a class that only the C++ runtime itself defines; other files have it within the name
// of a symbol only.
bool HasRuntimeInside(const ElfFile& elf) {
  using namespace std::string_view_literals;
  return !NeedsLibrary(elf, "libstdc++.so") && !NeedsLibrary(elf, "libc++") &&
         HoldsText(elf, "N10__cxxabiv117__class_type_infoE\0"sv);
}

// All imports are looked at, so what is quicker to know is asked before.
bool HasUnwinderInside(const ElfFile& elf, bool has_runtime) {
  const Imports imports = ReadImports(elf);
  const bool may_throw = has_runtime || imports.has_personality;
  return may_throw && imports.has_unwind_tables && !imports.has_unwinder;
}

}  // namespace

std::optional<Diagnostic> CheckOwnRuntime(const ElfFile& elf, const std::string& path) {
  const bool has_runtime = HasRuntimeInside(elf);
  const bool has_unwinder =
      !NeedsLibrary(elf, "libgcc_s.so") && HasUnwinderInside(elf, has_runtime);
  std::vector<std::string> libraries;
  std::vector<std::string> found;
  if (has_unwinder) {
    libraries.emplace_back("libgcc");
    found.emplace_back("that it looks for the tables of an unwinder itself");
  }
  if (has_runtime) {
    libraries.emplace_back("libstdc++");
    found.emplace_back("the classes of the C++ runtime in the file");
  }
  if (libraries.empty()) return std::nullopt;
  return DescribePrivateRuntime(path, JoinWithAnd(libraries), JoinWithAnd(found));
}

// A class with virtual functions has a destructor that frees its objects.
std::optional<Diagnostic> CheckOwnAllocator(const ElfFile& elf, const std::string& path) {
  if (!NeedsLibrary(elf, "libstdc++.so")) return std::nullopt;
  const Imports imports = ReadImports(elf);
  if (!imports.has_type_infos || imports.has_delete) return std::nullopt;
  return DescribePrivateAllocator(path,
                                  "that it has classes but takes operator delete from nowhere");
}

Diagnostic DescribePrivateRuntime(const std::string& path, const std::string& libraries,
                                  const std::string& found) {
  return DescribeFile(DiagnosticCode::kPrivateRuntime, path, "carries its own " + libraries,
                      "found " + found +
                          ", expected those of the system's library; an exception that leaves the "
                          "backend ends the process, and often one that it would catch itself",
                      "vendor: link without -static-libgcc and -static-libstdc++",
                      Severity::kWarning);
}

Diagnostic DescribePrivateAllocator(const std::string& path, const std::string& found) {
  return DescribeFile(DiagnosticCode::kPrivateAllocator, path, "has an allocator of its own",
                      "found " + found +
                          ", expected that of libstdc++; memory that the backend allocates is "
                          "freed by the host, with another allocator",
                      "vendor: do not link an allocator or define operator new in a backend",
                      Severity::kWarning);
}

bool NeedsLibrary(const ElfFile& elf, std::string_view beginning) {
  return std::any_of(
      elf.GetDynamicEntries().begin(), elf.GetDynamicEntries().end(), [&](const ElfDynamic& entry) {
        return entry.d_tag == DT_NEEDED &&
               BeginsWith(elf.GetDynamicString(entry.d_un.d_val).value_or(""), beginning);
      });
}

}  // namespace backplane::inspection
