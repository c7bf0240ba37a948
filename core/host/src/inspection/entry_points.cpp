#include "inspection/entry_points.hpp"

#include "inspection/file_words.hpp"
#include "inspection/symbol_table.hpp"

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
enum class Form { kMissing, kMangled, kNotFunction, kFunction };

struct Finding {
  Form form = Form::kMissing;
  std::string detail;  // the mangled name, or what it is instead of a function
};
using Findings = std::array<Finding, kCount>;

bool IsFunction(const Symbol& symbol) {
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

Finding Judge(const EntryPoint& entry_point, const Symbol& symbol) {
  if (symbol.name == entry_point.name) {
    if (IsFunction(symbol)) return {Form::kFunction, {}};
    return {Form::kNotFunction, DescribeSymbolType(symbol.GetType())};
  }
  if (IsFunction(symbol) &&
      symbol.name.substr(0, entry_point.mangled.size()) == entry_point.mangled) {
    return {Form::kMangled, std::string(symbol.name)};
  }
  return {};
}

Findings Find(const ElfFile& elf) {
  Findings findings;
  const std::optional<SymbolTable> symbols = SymbolTable::Open(elf);
  if (!symbols) return findings;
  for (std::uint32_t index = 0; index < symbols->GetEndOfFindable(); ++index) {
    const std::optional<Symbol> symbol = symbols->Get(index);
    if (!symbol || !symbol->IsExported()) continue;
    for (std::size_t i = 0; i < kCount; ++i) {
      Finding finding = Judge(kEntryPoints[i], *symbol);
      if (finding.form > findings[i].form) findings[i] = std::move(finding);
    }
  }
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
  return JoinWithAnd(words);
}

Diagnostic DescribeNone(const std::string& path) {
  return DescribeFile(DiagnosticCode::kNoEntryPoints, path, "is a shared object but not a backend",
                      "it exports none of GetBackendId, GetVersion and BackendFactory; a backend "
                      "exports all three with C linkage",
                      std::string("remove it from the backends directory, or write the entry "
                                  "points (see ") +
                          kGuide + ")");
}

Diagnostic DescribeMangled(const std::string& path, const Findings& findings) {
  const std::string names = JoinWithAnd(GetNames(findings, Form::kMangled));
  return DescribeFile(DiagnosticCode::kMangledEntryPoint, path,
                      "exports " + names + " with C++ linkage",
                      "found " + JoinWithDetails(findings, Form::kMangled, " as ") +
                          ", expected the plain name, with C linkage",
                      std::string("include <backplane/api/backend.hpp> where it is defined, or "
                                  "write extern \"C\" (see ") +
                          kGuide + ")");
}

Diagnostic DescribeNotFunction(const std::string& path, const Findings& findings) {
  const std::string names = JoinWithAnd(GetNames(findings, Form::kNotFunction));
  return DescribeFile(
      DiagnosticCode::kEntryPointNotFunction, path, "exports " + names + ", but not as a function",
      "found " + JoinWithDetails(findings, Form::kNotFunction, ": ") + "; expected a function",
      std::string("define it as a function (see ") + kGuide + ")");
}

Diagnostic DescribeMissing(const std::string& path, const Findings& findings) {
  const std::vector<std::string> present = GetNames(findings, Form::kFunction);
  const std::string missing = JoinWithAnd(GetNames(findings, Form::kMissing));
  return DescribeFile(
      DiagnosticCode::kMissingEntryPoint, path,
      present.empty() ? "does not export " + missing
                      : "exports " + JoinWithAnd(present) + " but not " + missing,
      std::string("a backend needs all three with C linkage (see ") + kGuide + ")",
      "define " + missing +
          " in a source file that includes <backplane/api/backend.hpp>, and export it");
}

}  // namespace

EntryPointsResult CheckEntryPoints(const ElfFile& elf, const std::string& path) {
  const Findings findings = Find(elf);
  const auto count = [&findings](Form form) { return GetNames(findings, form).size(); };
  EntryPointsResult result;
  result.has_any = count(Form::kMissing) != kCount;
  if (!result.has_any) {
    result.diagnostics.push_back(DescribeNone(path));
    return result;
  }
  if (count(Form::kMangled) != 0) result.diagnostics.push_back(DescribeMangled(path, findings));
  if (count(Form::kNotFunction) != 0) {
    result.diagnostics.push_back(DescribeNotFunction(path, findings));
  }
  if (count(Form::kMissing) != 0) result.diagnostics.push_back(DescribeMissing(path, findings));
  return result;
}

}  // namespace backplane::inspection
