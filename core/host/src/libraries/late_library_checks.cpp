#include "diagnostics/file_words.hpp"
#include "inspection/abi_notes.hpp"
#include "inspection/limit_checks.hpp"
#include "libraries/late_libraries.hpp"
#include "libraries/loaded_libraries.hpp"

#include <backplane/host/system_refusal.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace backplane::libraries {
namespace {

struct PriorityWords {
  LatePriority priority;
  Severity severity;
  const char* words;
};

constexpr PriorityWords kPriorities[] = {
    {LatePriority::kRequired, Severity::kWarning, "the backend does not work without"},
    {LatePriority::kRecommended, Severity::kWarning, "the backend lacks a feature without"},
    {LatePriority::kSuggested, Severity::kNote, "the backend can do more with"},
};

/// "libcudnn.so.9 or libcudnn.so.8 (convolutions)".
std::string DescribeLateLibrary(const LateLibrary& library) {
  std::string words;
  for (const std::string& soname : library.sonames) {
    words += (words.empty() ? "" : " or ") + diagnostics::Shorten(soname);
  }
  return library.feature.empty() ? words
                                 : words + " (" + diagnostics::Shorten(library.feature) + ")";
}

/// Looks late libraries up, each name once.
class LateSearch {
 public:
  LateSearch(const elf::LibraryRequester& requester, const LibrarySearch& search,
             SharedObjects& objects)
      : requester_(requester), search_(search), objects_(objects), loaded_(ListLoadedLibraries()) {}

  bool IsThere(const LateLibrary& library) {
    return std::any_of(library.sonames.begin(), library.sonames.end(),
                       [&](const std::string& soname) { return Find(soname); });
  }

  /// Where the last that is not there was looked for.
  const std::string& GetSearched() const { return searched_; }
  /// The system's error, when it was not allowed to look for that one; 0: it was.
  int GetRefusal() const { return refusal_; }
  std::uint64_t GetNumPlaces() const { return num_places_; }

 private:
  bool Find(const std::string& soname) {
    // The loader takes what the process has already.
    const bool is_loaded =
        std::any_of(loaded_.begin(), loaded_.end(),
                    [&](const LoadedLibrary& library) { return library.soname == soname; });
    if (is_loaded) return true;
    const FoundLibrary found = FindLibrary(soname, requester_, search_, objects_, num_places_);
    if (found.object) return true;
    searched_ = found.not_taken.empty() ? "searched " + found.place.searched : found.not_taken;
    refusal_ = found.refusal;
    return false;
  }

  const elf::LibraryRequester& requester_;
  const LibrarySearch& search_;
  SharedObjects& objects_;
  std::vector<LoadedLibrary> loaded_;
  std::string searched_;
  int refusal_ = 0;
  std::uint64_t num_places_ = 0;
};

Diagnostic DescribeMissingLate(const std::vector<std::string>& missing, const LateSearch& search,
                               const PriorityWords& priority, const std::string& path) {
  const bool is_one = missing.size() == 1;
  const auto refusal = ExplainRefusal(search.GetRefusal());
  return diagnostics::DescribeFile(
      DiagnosticCode::kLateLibraryMissing, path,
      "opens " + diagnostics::JoinSomeWithAnd(missing) + " when it runs, which " +
          (is_one ? "was not found" : "were not found"),
      std::string(priority.words) + (is_one ? " it" : " them") +
          ", as its note .note.dlopen says; " + search.GetSearched(),
      refusal ? refusal->cure
              : "install " + diagnostics::JoinSomeWithAnd(missing) +
                    ", or put the directory where it is into LD_LIBRARY_PATH or /etc/ld.so.conf.d",
      priority.severity);
}

Diagnostic DescribeDamagedNote(const std::vector<std::string>& faults, const std::string& path) {
  return diagnostics::DescribeFile(
      DiagnosticCode::kDamagedLateNote, path,
      "has a list of libraries that it opens when it runs, which cannot be read",
      "found that " + diagnostics::JoinWithAnd(faults) +
          "; expected [{\"soname\": [\"libname.so.1\"], \"feature\": \"text\", "
          "\"priority\": \"required\"}] in the note .note.dlopen",
      "vendor: write the note with backplane_add_backend(... DLOPEN ...)", Severity::kWarning);
}

}  // namespace

std::vector<Diagnostic> CheckLateLibraries(const elf::File& elf,
                                           const elf::LibraryRequester& requester,
                                           const LibrarySearch& search, SharedObjects& objects,
                                           const std::string& path) {
  const LateLibraries late = ReadLateLibraries(inspection::ReadAbiNotes(elf).late_libraries);
  if (late.libraries.empty() && late.faults.empty()) return {};
  if (auto excess =
          inspection::CheckLimit(elf::Limit::kLateLibraries, late.libraries.size(), path)) {
    return {std::move(*excess)};
  }
  std::vector<Diagnostic> diagnostics;
  if (!late.faults.empty()) diagnostics.push_back(DescribeDamagedNote(late.faults, path));
  LateSearch late_search(requester, search, objects);
  for (const PriorityWords& priority : kPriorities) {
    std::vector<std::string> missing;
    for (const LateLibrary& library : late.libraries) {
      if (library.priority != priority.priority || late_search.IsThere(library)) continue;
      missing.push_back(DescribeLateLibrary(library));
    }
    if (missing.empty()) continue;
    diagnostics.push_back(DescribeMissingLate(missing, late_search, priority, path));
  }
  if (auto excess =
          inspection::CheckLimit(elf::Limit::kSearchedPlaces, late_search.GetNumPlaces(), path)) {
    return {std::move(*excess)};
  }
  return diagnostics;
}

}  // namespace backplane::libraries
