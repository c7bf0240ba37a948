#include "libraries/dependency_checks.hpp"

#include "diagnostics/file_words.hpp"

#include <backplane/host/system_refusal.hpp>

#include <string>
#include <utility>
#include <vector>

namespace backplane::libraries {
namespace {

// Why the loader would not take it.
enum class Kind { kNotFound, kOfOtherMachine, kRefused, kUnusable };

Kind GetKind(const MissingLibrary& library) {
  if (library.not_taken.empty()) return Kind::kNotFound;
  if (library.refusal != 0) return Kind::kRefused;
  return library.is_of_other_machine ? Kind::kOfOtherMachine : Kind::kUnusable;
}

std::string DescribeKind(Kind kind, bool is_one) {
  switch (kind) {
    case Kind::kOfOtherMachine:
      return is_one ? "which is there, but built for another machine"
                    : "which are there, but built for another machine";
    case Kind::kRefused:
      return "which the system does not let this process open";
    case Kind::kUnusable:
      return is_one ? "which is there, but cannot be used" : "which are there, but cannot be used";
    default:
      return is_one ? "which was not found" : "which were not found";
  }
}

std::string DescribeFix(Kind kind, bool is_one) {
  const std::string them = is_one ? "it" : "them";
  if (kind == Kind::kOfOtherMachine) return "install the build of " + them + " for this machine";
  if (kind == Kind::kUnusable) return "install " + them + " again";
  return "install " + them + ", or put the directory where " + (is_one ? "it is" : "they are") +
         " into LD_LIBRARY_PATH or /etc/ld.so.conf.d";
}

std::string DescribeSearch(const MissingLibrary& library) {
  return library.chain + ": " + (library.not_taken.empty() ? "" : library.not_taken + "; ") +
         "searched " + (library.searched.empty() ? "nowhere" : library.searched);
}

// Of one kind.
std::optional<Diagnostic> CheckKind(const DependencyClosure& closure, Kind kind,
                                    const std::string& path) {
  constexpr std::size_t kMostWordsBytes = 16 * 1024;  // of words
  std::vector<std::string> names;
  std::string why;
  int refusal = 0;
  for (const MissingLibrary& library : closure.missing) {
    if (GetKind(library) != kind) continue;
    names.push_back(diagnostics::Shorten(library.name));
    refusal = library.refusal;
    if (why.size() <= kMostWordsBytes) why += (why.empty() ? "" : "; ") + DescribeSearch(library);
  }
  if (names.empty()) return std::nullopt;
  const bool is_one = names.size() == 1;
  const auto refused = ExplainRefusal(refusal);
  return diagnostics::DescribeFile(
      DiagnosticCode::kMissingDependency, path,
      "needs " + diagnostics::JoinSomeWithAnd(std::move(names)) + ", " + DescribeKind(kind, is_one),
      why, refused ? refused->cure : DescribeFix(kind, is_one));
}

}  // namespace

std::vector<Diagnostic> CheckNoneIsMissing(const DependencyClosure& closure,
                                           const std::string& path) {
  std::vector<Diagnostic> diagnostics;
  for (const Kind kind :
       {Kind::kNotFound, Kind::kOfOtherMachine, Kind::kRefused, Kind::kUnusable}) {
    if (auto missing = CheckKind(closure, kind, path)) diagnostics.push_back(std::move(*missing));
  }
  return diagnostics;
}

}  // namespace backplane::libraries
