#include "inspection/missing_libraries.hpp"

#include "inspection/file_words.hpp"

#include <vector>

namespace backplane::inspection {
std::optional<Diagnostic> CheckNoneIsMissing(const DependencyClosure& closure,
                                             const std::string& path) {
  if (closure.missing.empty()) return std::nullopt;
  std::vector<std::string> names;
  std::string why;
  for (const MissingLibrary& library : closure.missing) {
    names.push_back(library.name);
    why += (why.empty() ? "" : "; ") + library.chain + ": " +
           (library.not_taken.empty() ? "" : library.not_taken + "; ") + "searched " +
           (library.searched.empty() ? "nowhere" : library.searched);
  }
  const bool is_one = names.size() == 1;
  return DescribeFile(DiagnosticCode::kMissingDependency, path,
                      "needs " + JoinSomeWithAnd(std::move(names)) + ", which " +
                          (is_one ? "was" : "were") + " not found",
                      why,
                      std::string("install ") + (is_one ? "it" : "them") +
                          ", or put the directory where " + (is_one ? "it is" : "they are") +
                          " into LD_LIBRARY_PATH or /etc/ld.so.conf.d");
}

}  // namespace backplane::inspection
