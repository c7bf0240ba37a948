#include "libraries/dependency_checks.hpp"

#include "diagnostics/file_words.hpp"
#include "inspection/entry_points.hpp"

#include <algorithm>
#include <iterator>

namespace backplane::libraries {

std::vector<Diagnostic> CheckBorrowedEntryPoints(const Library& file,
                                                 const DependencyClosure& closure,
                                                 const std::string& path) {
  const std::vector<std::string> missing = inspection::FindMissingEntryPoints(*file.object->elf);
  std::vector<Diagnostic> diagnostics;
  if (missing.empty()) return diagnostics;
  for (const std::unique_ptr<Library>& library : closure.libraries) {
    const std::vector<std::string> missing_there =
        inspection::FindMissingEntryPoints(*library->object->elf);
    std::vector<std::string> borrowed;
    std::copy_if(missing.begin(), missing.end(), std::back_inserter(borrowed),
                 [&missing_there](const std::string& name) {
                   return std::find(missing_there.begin(), missing_there.end(), name) ==
                          missing_there.end();
                 });
    if (borrowed.empty()) continue;
    const std::string names = diagnostics::JoinWithAnd(borrowed);
    diagnostics.push_back(diagnostics::DescribeFile(
        DiagnosticCode::kBorrowedEntryPoint, path,
        "has " + names + " only through " + library->name + ", which it needs",
        "found " + names + " in " + library->object->path + ", expected them in the file itself",
        "define " + names + " in the backend's own sources, or put " + library->name +
            " here if it is the backend"));
  }
  return diagnostics;
}

}  // namespace backplane::libraries
