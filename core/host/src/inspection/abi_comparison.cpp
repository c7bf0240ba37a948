#include "inspection/abi_comparison.hpp"

#include "diagnostics/file_words.hpp"

#include <algorithm>
#include <set>

namespace backplane::inspection {
namespace {

std::string DescribeNumber(std::uint32_t value) {
  return std::to_string(value);
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
  return names.empty() ? "none" : diagnostics::JoinWithAnd(names);
}

// What must be the same in all notes of a file, and by which words.
struct AbiField {
  const char* name;
  std::uint32_t AbiNote::*member;
  std::string (*describe)(std::uint32_t);
};

constexpr AbiField kFields[] = {
    {"major version of the Backend API", &AbiNote::api_major, DescribeNumber},
    {"minor version of the Backend API that is needed", &AbiNote::needs_minor, DescribeNumber},
    {"minor version of the Backend API that is known", &AbiNote::knows_minor, DescribeNumber},
    {"draft of the Backend API", &AbiNote::api_draft, DescribeNumber},
    {"pointer size", &AbiNote::pointer_bits, DescribeBits},
    {"sanitizers", &AbiNote::sanitizers, DescribeSanitizers},
};

std::string GetVersionText(const AbiNote& note) {
  return DescribeNumber(note.api_major) + "." + DescribeNumber(note.needs_minor);
}

// "0 and 1": every value that the notes have.
std::string JoinValues(const std::vector<AbiNote>& notes, const AbiField& field) {
  std::set<std::uint32_t> values;
  for (const AbiNote& note : notes) values.insert(note.*field.member);
  std::vector<std::string> words(values.size());
  std::transform(values.begin(), values.end(), words.begin(), field.describe);
  return diagnostics::JoinWithAnd(words);
}

std::optional<Diagnostic> CompareMajor(const AbiNote& note, const AbiNote& host,
                                       const std::string& path) {
  if (note.api_major == host.api_major) return std::nullopt;
  const std::string found = GetVersionText(note);
  const std::string expected = DescribeNumber(host.api_major);
  return diagnostics::DescribeFile(
      DiagnosticCode::kApiMajorMismatch, path,
      "is built for Backend API " + found + ", but this host implements " + GetVersionText(host),
      "found major version " + DescribeNumber(note.api_major) + ", expected " + expected +
          "; major versions must be equal",
      "get a build of this backend for Backend API " + expected + ".x");
}

std::optional<Diagnostic> CompareMinor(const AbiNote& note, const AbiNote& host,
                                       const std::string& path) {
  if (note.api_major != host.api_major || note.needs_minor <= host.needs_minor) return std::nullopt;
  const std::string found = GetVersionText(note);
  const std::string expected = GetVersionText(host);
  return diagnostics::DescribeFile(
      DiagnosticCode::kApiMinorTooNew, path,
      "needs Backend API " + found + ", but this host implements " + expected,
      "found minor version " + DescribeNumber(note.needs_minor) + ", expected at most " +
          DescribeNumber(host.needs_minor),
      "update the host, or use a build of this backend for Backend API " + expected + " or older");
}

// Minor versions only append. So one that is frozen, or grew from the same draft, is a part of the
// later one; of a backend, the last that it knows counts.
bool HasFittingDraft(const AbiNote& note, const AbiNote& host) {
  if (note.api_draft == host.api_draft) return true;
  const std::uint32_t knows = std::max(note.needs_minor, note.knows_minor);
  if (note.api_major != host.api_major || knows == host.needs_minor) return false;
  return (knows < host.needs_minor ? note : host).api_draft == 0;
}

std::optional<Diagnostic> CompareDraft(const AbiNote& note, const AbiNote& host,
                                       const std::string& path) {
  const bool has_fitting_version =
      note.api_major == host.api_major && note.needs_minor <= host.needs_minor;
  if (!has_fitting_version || HasFittingDraft(note, host)) return std::nullopt;
  return diagnostics::DescribeFile(
      DiagnosticCode::kApiDraftMismatch, path,
      "is built from another draft of Backend API " + GetVersionText(note),
      "found draft " + DescribeNumber(note.api_draft) + ", expected draft " +
          DescribeNumber(host.api_draft) +
          "; until the older of two versions is frozen, drafts must be equal",
      "rebuild the backend with the headers of this host");
}

std::optional<Diagnostic> ComparePointers(const AbiNote& note, const AbiNote& host,
                                          const std::string& path) {
  // Another draft has other words there.
  if (!HasFittingDraft(note, host) || note.pointer_bits == host.pointer_bits) return std::nullopt;
  return diagnostics::DescribeFile(DiagnosticCode::kIncompatibleBuild, path,
                                   "is built for pointers of another size",
                                   "pointer size: found " + DescribeBits(note.pointer_bits) +
                                       ", expected " + DescribeBits(host.pointer_bits),
                                   "get a build of this backend with the pointer size of the host");
}

std::optional<Diagnostic> CompareSanitizers(const AbiNote& note, const AbiNote& host,
                                            const std::string& path) {
  const std::uint32_t more = note.sanitizers & ~host.sanitizers;
  if (more == 0) return std::nullopt;
  return diagnostics::DescribeFile(
      DiagnosticCode::kMoreSanitizers, path,
      "is built with " + DescribeSanitizers(more) + ", but this host is not",
      "found sanitizers: " + DescribeSanitizers(note.sanitizers) +
          ", expected no more than those of the host: " + DescribeSanitizers(host.sanitizers),
      "use a build of this backend without sanitizers, or a host built with them");
}

using HostRule = std::optional<Diagnostic> (*)(const AbiNote& note, const AbiNote& host,
                                               const std::string& path);

constexpr HostRule kHostRules[] = {
    CompareMajor, CompareMinor, CompareDraft, ComparePointers, CompareSanitizers,
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
  return diagnostics::DescribeFile(
      DiagnosticCode::kMixedHeaders, path,
      "is built with mixed headers: its source files disagree on the " +
          diagnostics::JoinWithAnd(names),
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
