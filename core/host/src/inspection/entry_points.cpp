#include "inspection/entry_points.hpp"

#include "diagnostics/file_words.hpp"
#include "elf/defined_versions.hpp"
#include "elf/section_table.hpp"
#include "elf/symbol_table.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace backplane::inspection {
namespace {

constexpr const char* kGuide = "docs/backend-developer-guide.md#entry-points";

struct EntryPoint {
  std::string_view name;
  std::string_view mangled;  // how the name begins with C++ linkage, whatever its parameters
};

constexpr EntryPoint kEntryPoints[] = {
    {"GetBackendId", "_Z12GetBackendId"},
    {"GetVersion", "_Z10GetVersion"},
    {"BackendFactory", "_Z14BackendFactory"},
};
constexpr std::size_t kCount = std::size(kEntryPoints);

// In what form an entry point was found; a better form replaces a worse one.
enum class Form { kMissing, kMisspelt, kHidden, kOldVersion, kMangled, kNotFunction, kFunction };

struct Finding {
  Form form = Form::kMissing;
  std::string detail;  // the name it has instead, or what it is instead of a function
};
using Findings = std::array<Finding, kCount>;

bool IsFunction(const elf::Symbol& symbol) {
  return symbol.GetType() == STT_FUNC || symbol.GetType() == STT_GNU_IFUNC;
}

std::string DescribeSymbolType(unsigned type) {
  switch (type) {
    case STT_OBJECT:
    case STT_COMMON:
      return "a variable";
    case STT_TLS:
      return "a thread-local variable";
    case STT_NOTYPE:
      return "a symbol without type";
    default:
      return "a symbol of type " + std::to_string(type);
  }
}

bool HasCxxLinkage(const EntryPoint& entry_point, std::string_view name) {
  return name.substr(0, entry_point.mangled.size()) == entry_point.mangled;
}

// `best` is what was found so far.
Finding Judge(const elf::File& elf, const EntryPoint& entry_point, const elf::Symbol& symbol,
              Form best) {
  if (symbol.name == entry_point.name) {
    if (elf::IsOldVersion(elf, symbol.index)) {
      if (best >= Form::kOldVersion) return {};
      return {Form::kOldVersion, std::string(symbol.name) + "@" +
                                     diagnostics::Shorten(elf::FindOldVersion(elf, symbol.index))};
    }
    if (IsFunction(symbol)) return {Form::kFunction, {}};
    return {Form::kNotFunction, DescribeSymbolType(symbol.GetType())};
  }
  if (IsFunction(symbol) && HasCxxLinkage(entry_point, symbol.name)) {
    return {Form::kMangled, diagnostics::Shorten(symbol.name)};
  }
  return {};
}

template <typename Visitor>
void VisitExported(const elf::File& elf, const Visitor& visitor) {
  const std::optional<elf::SymbolTable> symbols = elf::SymbolTable::Open(elf);
  if (!symbols) return;
  for (std::uint32_t index = 0; index < symbols->GetEndOfFindable(); ++index) {
    const std::optional<elf::Symbol> symbol = symbols->Get(index);
    if (symbol && symbol->IsExported()) visitor(*symbol);
  }
}

// Of functions that are there but not exported.
void FindHidden(const elf::File& elf, Findings& findings) {
  elf::VisitDefinedFunctions(elf, [&findings](std::string_view name) {
    for (std::size_t i = 0; i < kCount; ++i) {
      const EntryPoint& wanted = kEntryPoints[i];
      if (findings[i].form != Form::kMissing) continue;
      if (name != wanted.name && !HasCxxLinkage(wanted, name)) continue;
      findings[i] = {Form::kHidden, diagnostics::Shorten(name)};
    }
  });
}

bool IsEntryPoint(std::string_view name) {
  return std::any_of(std::begin(kEntryPoints), std::end(kEntryPoints),
                     [name](const EntryPoint& row) { return row.name == name; });
}

std::vector<std::string> GetExportedFunctionsLikeEntryPoints(const elf::File& elf) {
  constexpr std::size_t kLongest = 24;  // no name that is longer is near enough
  std::vector<std::string> names;
  VisitExported(elf, [&names](const elf::Symbol& symbol) {
    const bool is_candidate =
        IsFunction(symbol) && symbol.name.size() <= kLongest && !IsEntryPoint(symbol.name);
    if (is_candidate) names.emplace_back(symbol.name);
  });
  return names;
}

std::size_t Count(const Findings& findings, Form form) {
  return static_cast<std::size_t>(
      std::count_if(findings.begin(), findings.end(),
                    [form](const Finding& finding) { return finding.form == form; }));
}

void FindMisspelt(const elf::File& elf, Findings& findings) {
  const std::vector<std::string> names = GetExportedFunctionsLikeEntryPoints(elf);
  Findings with_misspelt = findings;
  for (std::size_t i = 0; i < kCount; ++i) {
    if (findings[i].form != Form::kMissing) continue;
    std::string nearest = FindNearestName(kEntryPoints[i].name, names);
    if (!nearest.empty()) with_misspelt[i] = {Form::kMisspelt, std::move(nearest)};
  }
  // In a library that has nothing else of a backend, one name that is similar is chance.
  if (Count(with_misspelt, Form::kMissing) + 1 < kCount) findings = std::move(with_misspelt);
}

// As the loader looks for them, which does not read every symbol.
Findings FindByName(const elf::File& elf) {
  Findings findings;
  const std::optional<elf::SymbolTable> symbols = elf::SymbolTable::Open(elf);
  for (std::size_t i = 0; symbols && i < kCount; ++i) {
    const std::optional<elf::Symbol> symbol = symbols->FindWithoutVersion(kEntryPoints[i].name);
    if (symbol) findings[i] = Judge(elf, kEntryPoints[i], *symbol, Form::kMissing);
  }
  return findings;
}

Findings Find(const elf::File& elf) {
  Findings findings = FindByName(elf);
  if (Count(findings, Form::kFunction) == kCount) return findings;
  VisitExported(elf, [&elf, &findings](const elf::Symbol& symbol) {
    for (std::size_t i = 0; i < kCount; ++i) {
      Finding finding = Judge(elf, kEntryPoints[i], symbol, findings[i].form);
      if (finding.form > findings[i].form) findings[i] = std::move(finding);
    }
  });
  if (Count(findings, Form::kMissing) != 0) FindHidden(elf, findings);
  if (Count(findings, Form::kMissing) != 0) FindMisspelt(elf, findings);
  return findings;
}

std::vector<std::string> GetNames(const Findings& findings, Form form) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kCount; ++i) {
    if (findings[i].form == form) names.emplace_back(kEntryPoints[i].name);
  }
  return names;
}

// "GetVersion as _Z10GetVersionPjS_ and ..."; each name with its detail.
std::string JoinWithDetails(const Findings& findings, Form form, const char* between) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < kCount; ++i) {
    if (findings[i].form != form) continue;
    words.push_back(std::string(kEntryPoints[i].name) + between + findings[i].detail);
  }
  return diagnostics::JoinWithAnd(words);
}

Diagnostic DescribeNone(const std::string& path) {
  return diagnostics::DescribeFile(
      DiagnosticCode::kNoEntryPoints, path, "is a shared object but not a backend",
      "it exports none of GetBackendId, GetVersion and BackendFactory; a backend "
      "exports all three with C linkage",
      std::string("remove it from the backends directory, or write the entry "
                  "points (see ") +
          kGuide + ")");
}

Diagnostic DescribeMangled(const std::string& path, const Findings& findings) {
  const std::string names = diagnostics::JoinWithAnd(GetNames(findings, Form::kMangled));
  return diagnostics::DescribeFile(
      DiagnosticCode::kMangledEntryPoint, path, "exports " + names + " with C++ linkage",
      "found " + JoinWithDetails(findings, Form::kMangled, " as ") +
          ", expected the plain name, with C linkage",
      std::string("include <backplane/api/backend.hpp> where it is defined, or "
                  "write extern \"C\" (see ") +
          kGuide + ")");
}

Diagnostic DescribeHidden(const std::string& path, const Findings& findings) {
  const std::vector<std::string> names = GetNames(findings, Form::kHidden);
  return diagnostics::DescribeFile(
      DiagnosticCode::kHiddenEntryPoint, path,
      "defines " + diagnostics::JoinWithAnd(names) + ", but does not export " +
          (names.size() == 1 ? "it" : "them"),
      "found " + JoinWithDetails(findings, Form::kHidden, " as the local symbol ") +
          ", expected an exported symbol with C linkage",
      std::string("include <backplane/api/backend.hpp> where it is defined, which gives it C "
                  "linkage and default visibility, and check the version script (see ") +
          kGuide + ")");
}

// dlsym does not find them.
Diagnostic DescribeOldVersion(const std::string& path, const Findings& findings) {
  const std::vector<std::string> names = GetNames(findings, Form::kOldVersion);
  return diagnostics::DescribeFile(
      DiagnosticCode::kHiddenEntryPoint, path,
      "exports " + diagnostics::JoinWithAnd(names) + " only as an old version",
      "found " + JoinWithDetails(findings, Form::kOldVersion, " as ") +
          ", which only those find who ask for this version; expected a symbol without a version, "
          "or of the default version (@@)",
      std::string("take it out of the version script's versions and .symver, or make it the "
                  "default version (see ") +
          kGuide + ")");
}

Diagnostic DescribeMisspelt(const std::string& path, const Findings& findings) {
  const std::string names = diagnostics::JoinWithAnd(GetNames(findings, Form::kMisspelt));
  return diagnostics::DescribeFile(
      DiagnosticCode::kMisspeltEntryPoint, path,
      "does not export " + names + ", but something of a similar name",
      "found " + JoinWithDetails(findings, Form::kMisspelt, " spelt ") +
          "; a backend needs exactly these names",
      std::string("if that is what was meant, rename it (see ") + kGuide + ")");
}

Diagnostic DescribeNotFunction(const std::string& path, const Findings& findings) {
  const std::string names = diagnostics::JoinWithAnd(GetNames(findings, Form::kNotFunction));
  return diagnostics::DescribeFile(
      DiagnosticCode::kEntryPointNotFunction, path, "exports " + names + ", but not as a function",
      "found " + JoinWithDetails(findings, Form::kNotFunction, ": ") + "; expected a function",
      std::string("define it as a function (see ") + kGuide + ")");
}

Diagnostic DescribeMissing(const std::string& path, const Findings& findings) {
  const std::vector<std::string> present = GetNames(findings, Form::kFunction);
  const std::string missing = diagnostics::JoinWithAnd(GetNames(findings, Form::kMissing));
  return diagnostics::DescribeFile(
      DiagnosticCode::kMissingEntryPoint, path,
      present.empty() ? "does not export " + missing
                      : "exports " + diagnostics::JoinWithAnd(present) + " but not " + missing,
      std::string("a backend needs all three with C linkage (see ") + kGuide + ")",
      "define " + missing +
          " in a source file that includes <backplane/api/backend.hpp>, and export it");
}

// The faults, in the order in which they are told.
struct FormWords {
  Form form;
  Diagnostic (*describe)(const std::string& path, const Findings& findings);
};

constexpr FormWords kFormWords[] = {
    {Form::kMangled, DescribeMangled},   {Form::kNotFunction, DescribeNotFunction},
    {Form::kHidden, DescribeHidden},     {Form::kOldVersion, DescribeOldVersion},
    {Form::kMisspelt, DescribeMisspelt}, {Form::kMissing, DescribeMissing},
};

}  // namespace

EntryPointsResult CheckEntryPoints(const elf::File& elf, const std::string& path) {
  const Findings findings = Find(elf);
  EntryPointsResult result;
  result.has_any = Count(findings, Form::kMissing) + Count(findings, Form::kMisspelt) != kCount;
  if (Count(findings, Form::kMissing) == kCount) {
    result.diagnostics.push_back(DescribeNone(path));
    return result;
  }
  for (const FormWords& row : kFormWords) {
    if (Count(findings, row.form) == 0) continue;
    result.diagnostics.push_back(row.describe(path, findings));
  }
  return result;
}

std::vector<std::string> FindMissingEntryPoints(const elf::File& elf) {
  std::vector<std::string> names;
  const std::optional<elf::SymbolTable> symbols = elf::SymbolTable::Open(elf);
  for (const EntryPoint& row : kEntryPoints) {
    if (!symbols || !symbols->FindWithoutVersion(row.name)) names.emplace_back(row.name);
  }
  return names;
}

}  // namespace backplane::inspection
