#include "inspection/abi_comparison.hpp"

#include "inspection/file_words.hpp"

#include <backplane/api/backend_version.hpp>

#include <algorithm>
#include <set>

namespace backplane::inspection {
namespace {

std::string DescribeNumber(std::uint32_t value) {
  return std::to_string(value);
}

std::string DescribeStandardLibrary(std::uint32_t value) {
  if (value == 1) return "libstdc++";
  if (value == 2) return "libc++";
  return "unknown (" + std::to_string(value) + ")";
}

std::string DescribeBits(std::uint32_t value) {
  return std::to_string(value) + "-bit";
}

std::string DescribeSanitizers(std::uint32_t value) {
  constexpr const char* kNames[] = {"AddressSanitizer", "ThreadSanitizer", "MemorySanitizer"};
  std::vector<std::string> names;
  for (std::uint32_t bit = 0; bit < 32; ++bit) {
    if ((value >> bit & 1U) == 0) continue;
    names.push_back(bit < std::size(kNames) ? kNames[bit]
                                            : "sanitizer number " + std::to_string(bit));
  }
  return names.empty() ? "none" : JoinWithAnd(names);
}

// What must be the same in all notes of a file, and by which words.
struct AbiField {
  const char* name;
  std::uint32_t AbiNote::*member;
  std::string (*describe)(std::uint32_t);
  bool must_equal_host;  // else the host has another rule for it
};

constexpr AbiField kFields[] = {
    {"major version of the Backend API", &AbiNote::api_major, DescribeNumber, false},
    {"minor version of the Backend API", &AbiNote::api_minor, DescribeNumber, false},
    {"draft of the Backend API", &AbiNote::api_draft, DescribeNumber, false},
    {"standard library", &AbiNote::standard_library, DescribeStandardLibrary, true},
    {"_GLIBCXX_USE_CXX11_ABI", &AbiNote::cxx11_abi, DescribeNumber, true},
    {"_GLIBCXX_DEBUG", &AbiNote::debug_containers, DescribeNumber, true},
    {"RTTI", &AbiNote::rtti, DescribeNumber, false},
    {"exceptions", &AbiNote::exceptions, DescribeNumber, false},
    {"pointer size", &AbiNote::pointer_bits, DescribeBits, true},
    {"sanitizers", &AbiNote::sanitizers, DescribeSanitizers, false},
};

std::string GetVersionText(const AbiNote& note) {
  return DescribeNumber(note.api_major) + "." + DescribeNumber(note.api_minor);
}

// "0 and 1": every value that the notes have.
std::string JoinValues(const std::vector<AbiNote>& notes, const AbiField& field) {
  std::set<std::uint32_t> values;
  for (const AbiNote& note : notes) values.insert(note.*field.member);
  std::vector<std::string> words(values.size());
  std::transform(values.begin(), values.end(), words.begin(), field.describe);
  return JoinWithAnd(words);
}

std::optional<Diagnostic> CompareMajor(const AbiNote& note, const AbiNote& host,
                                       const std::string& path) {
  if (note.api_major == host.api_major) return std::nullopt;
  const std::string found = GetVersionText(note);
  const std::string expected = DescribeNumber(host.api_major);
  return DescribeFile(
      DiagnosticCode::kApiMajorMismatch, path,
      "is built for Backend API " + found + ", but this host implements " + GetVersionText(host),
      "found major version " + DescribeNumber(note.api_major) + ", expected " + expected +
          "; major versions must be equal",
      "get a build of this backend for Backend API " + expected + ".x");
}

std::optional<Diagnostic> CompareMinor(const AbiNote& note, const AbiNote& host,
                                       const std::string& path) {
  if (note.api_major != host.api_major || note.api_minor <= host.api_minor) return std::nullopt;
  const std::string found = GetVersionText(note);
  const std::string expected = GetVersionText(host);
  return DescribeFile(
      DiagnosticCode::kApiMinorTooNew, path,
      "needs Backend API " + found + ", but this host implements " + expected,
      "found minor version " + DescribeNumber(note.api_minor) + ", expected at most " +
          DescribeNumber(host.api_minor),
      "update the host, or use a build of this backend for Backend API " + expected + " or older");
}

// A draft only counts among builds that the version rule lets together.
std::optional<Diagnostic> CompareDraft(const AbiNote& note, const AbiNote& host,
                                       const std::string& path) {
  const BackendVersion backend_version{note.api_major, note.api_minor};
  const BackendVersion host_version{host.api_major, host.api_minor};
  if (!IsCompatible(backend_version, host_version) || note.api_draft == host.api_draft) {
    return std::nullopt;
  }
  return DescribeFile(DiagnosticCode::kApiDraftMismatch, path,
                      "is built from another draft of Backend API " + GetVersionText(note),
                      "found draft " + DescribeNumber(note.api_draft) + ", expected draft " +
                          DescribeNumber(host.api_draft) +
                          "; until the API is frozen, drafts must be equal",
                      "rebuild the backend with the headers of this host");
}

std::optional<Diagnostic> CompareBuild(const AbiNote& note, const AbiNote& host,
                                       const std::string& path) {
  std::vector<std::string> names;
  std::string why;
  for (const AbiField& field : kFields) {
    const std::uint32_t found = note.*field.member;
    const std::uint32_t expected = host.*field.member;
    if (!field.must_equal_host || found == expected) continue;
    names.emplace_back(field.name);
    why += (why.empty() ? "" : "; ") + std::string(field.name) + ": found " +
           field.describe(found) + ", expected " + field.describe(expected);
  }
  if (names.empty()) return std::nullopt;
  return DescribeFile(DiagnosticCode::kIncompatibleBuild, path,
                      "is built with settings that do not fit this host: " + JoinWithAnd(names),
                      why, "rebuild the backend with the settings of the host");
}

std::optional<Diagnostic> CompareSanitizers(const AbiNote& note, const AbiNote& host,
                                            const std::string& path) {
  const std::uint32_t more = note.sanitizers & ~host.sanitizers;
  if (more == 0) return std::nullopt;
  return DescribeFile(
      DiagnosticCode::kMoreSanitizers, path,
      "is built with " + DescribeSanitizers(more) + ", but this host is not",
      "found sanitizers: " + DescribeSanitizers(note.sanitizers) +
          ", expected no more than those of the host: " + DescribeSanitizers(host.sanitizers),
      "use a build of this backend without sanitizers, or a host built with them");
}

using HostRule = std::optional<Diagnostic> (*)(const AbiNote& note, const AbiNote& host,
                                               const std::string& path);

constexpr HostRule kHostRules[] = {
    CompareMajor, CompareMinor, CompareDraft, CompareBuild, CompareSanitizers,
};

}  // namespace

std::vector<std::pair<std::string, std::string>> DescribeNotes(const std::vector<AbiNote>& notes) {
  std::vector<std::pair<std::string, std::string>> facts;
  for (const AbiField& field : kFields) facts.emplace_back(field.name, JoinValues(notes, field));
  return facts;
}

std::optional<Diagnostic> CompareNotesOfFile(const std::vector<AbiNote>& notes,
                                             const std::string& path) {
  std::vector<std::string> names;
  std::string why;
  for (const AbiField& field : kFields) {
    const auto differs = [&](const AbiNote& note) {
      return note.*field.member != notes.front().*field.member;
    };
    if (std::none_of(notes.begin(), notes.end(), differs)) continue;
    names.emplace_back(field.name);
    why +=
        (why.empty() ? "found " : "; ") + std::string(field.name) + ": " + JoinValues(notes, field);
  }
  if (names.empty()) return std::nullopt;
  return DescribeFile(
      DiagnosticCode::kMixedHeaders, path,
      "is built with mixed headers: its source files disagree on the " + JoinWithAnd(names),
      why + "; expected the same in all " + std::to_string(notes.size()) + " source files",
      "rebuild all of the backend's sources and static libraries with one set of "
      "headers and options");
}

std::vector<Diagnostic> CompareNoteWithHost(const AbiNote& note, const AbiNote& host,
                                            const std::string& path) {
  std::vector<Diagnostic> diagnostics;
  for (const HostRule rule : kHostRules) {
    if (std::optional<Diagnostic> diagnostic = rule(note, host, path)) {
      diagnostics.push_back(std::move(*diagnostic));
    }
  }
  return diagnostics;
}

}  // namespace backplane::inspection
