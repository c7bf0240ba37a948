#include "conflicts/file_account.hpp"

#include "conflicts/openmp_marks.hpp"
#include "elf/symbol_table.hpp"
#include "inspection/abi_notes.hpp"
#include "libraries/shared_object.hpp"

#include <elf.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>

namespace backplane::conflicts {
namespace {

using elf::Symbol;
using elf::SymbolTable;

/// More names than a file exports that hides what is its own; behind them no more are kept.
constexpr std::size_t kMostNames = 50'000;

StaticTls ReadStaticTls(const elf::File& elf) {
  const elf::Segment* segment = elf.FindSegment(PT_TLS);
  const std::uint64_t flags = elf.FindDynamicValue(DT_FLAGS).value_or(0);
  if (segment == nullptr || (flags & DF_STATIC_TLS) == 0) return {};
  return {segment->p_memsz, std::max<std::uint64_t>(segment->p_align, 1)};
}

bool IsEntryPoint(std::string_view name) {
  constexpr std::string_view kNames[] = {"GetBackendId", "GetVersion", "BackendFactory"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

/// What the C++ library instantiates in every file is the same everywhere.
bool IsOfStandardLibrary(std::string_view name) {
  constexpr std::string_view kBeginnings[] = {
      "_ZNSt",     "_ZNKSt", "_ZZNSt", "_ZZNKSt",       "_ZGVNSt",        "_ZGVZNSt",
      "_ZGVZNKSt", "_ZZSt",  "_ZSt",   "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx", "_ZZN9__gnu_cxx"};
  return std::any_of(std::begin(kBeginnings), std::end(kBeginnings),
                     [&](std::string_view begin) { return name.substr(0, begin.size()) == begin; });
}

bool IsWritable(const elf::File& elf, std::uint64_t address) {
  const auto& segments = elf.GetSegments();
  return std::any_of(segments.begin(), segments.end(), [&](const elf::Segment& segment) {
    return segment.p_type == PT_LOAD && (segment.p_flags & PF_W) != 0 &&
           address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_memsz;
  });
}

/// What is constant may be shared by all.
bool IsSharedVariable(const elf::File& elf, const Symbol& symbol) {
  return !IsOfStandardLibrary(symbol.name) && IsWritable(elf, symbol.entry.st_value);
}

void ReadUniqueSymbols(const elf::File& elf, const SymbolTable& symbols, FileAccount& account) {
  for (std::uint32_t i = symbols.GetEndOfImports(); i < symbols.GetEndOfFindable(); ++i) {
    const std::optional<Symbol> symbol = symbols.Get(i);
    if (!symbol || symbol->GetBinding() != STB_GNU_UNIQUE || !symbol->IsExported()) continue;
    if (account.unique_symbols.size() >= kMostNames) return;
    if (IsSharedVariable(elf, *symbol)) {
      account.unique_symbols.push_back({std::string(symbol->name), symbol->entry.st_size});
    }
  }
}

void ReadExports(const SymbolTable& symbols, FileAccount& account) {
  for (std::uint32_t i = symbols.GetEndOfImports(); i < symbols.GetEndOfFindable(); ++i) {
    const std::optional<Symbol> symbol = symbols.Get(i);
    if (!symbol || symbol->GetBinding() == STB_GNU_UNIQUE || !symbol->IsExported() ||
        IsEntryPoint(symbol->name)) {
      continue;
    }
    if (account.exports.size() >= kMostNames) return;
    account.exports.emplace_back(symbol->name);
  }
}

void ReadImports(const SymbolTable& symbols, FileAccount& account) {
  for (std::uint32_t i = 1; i < symbols.GetEndOfImports(); ++i) {
    const std::optional<Symbol> symbol = symbols.Get(i);
    if (!symbol || symbol->entry.st_shndx != SHN_UNDEF) continue;
    if (account.imports.size() >= kMostNames) return;
    account.imports.emplace_back(symbol->name);
  }
}

}  // namespace

FileAccount ReadFileAccount(const elf::File& elf, const std::string& path,
                            const LibraryNames& present, AccountOf whose) {
  FileAccount account;
  account.path = path;
  account.soname = elf::ReadSoname(elf);
  account.needed = elf::ReadNeeded(elf);
  account.late_libraries =
      libraries::ReadLateLibraries(inspection::ReadAbiNotes(elf).late_libraries).libraries;
  account.requester = elf::ReadRequester(elf, path);
  account.static_tls = ReadStaticTls(elf);
  const std::optional<SymbolTable> symbols = SymbolTable::Open(elf);
  if (!symbols) return account;
  ReadUniqueSymbols(elf, *symbols, account);
  account.has_openmp = HasOpenMpRuntime(elf, *symbols);
  account.proto_files = ReadProtoFiles(elf);
  account.has_proto_pool = symbols->FindExported(kProtoRegistration).has_value();
  if (whose == AccountOf::kLibrary) return account;
  ReadExports(*symbols, account);
  const bool brings_libraries =
      std::any_of(account.needed.begin(), account.needed.end(),
                  [&](const std::string& name) { return present.count(name) == 0; });
  if (!brings_libraries) return account;
  ReadImports(*symbols, account);
  const elf::NeededVersions versions(elf);
  for (const elf::NeededVersion& version : versions.GetAll()) {
    account.needed_versions.emplace_back(version.library, version.name);
  }
  return account;
}

}  // namespace backplane::conflicts
