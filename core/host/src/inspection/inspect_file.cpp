#include "inspection/inspect_file.hpp"

#include "diagnostics/file_words.hpp"
#include "inspection/abi_comparison.hpp"
#include "inspection/abi_notes.hpp"
#include "inspection/entry_points.hpp"
#include "inspection/format.hpp"

#include <elf.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace backplane::inspection {
namespace {

using Clock = std::chrono::steady_clock;

Diagnostic DescribeNoNote(const std::string& path) {
  return diagnostics::DescribeFile(
      DiagnosticCode::kNoAbiNote, path, "was built for another host",
      "it exports entry points of a backend but has no ABI note, which every file compiled with "
      "Backplane's headers has; other hosts, such as Arm NN, use entry points of the same names",
      "if it is meant for Backplane, include <backplane/api/backend.hpp> in its sources and "
      "rebuild it; otherwise remove it from the backends directory");
}

Diagnostic DescribeUnreadableNote(const std::string& path, const std::string& finding) {
  return diagnostics::DescribeFile(DiagnosticCode::kDamagedAbiNote, path,
                                   "has an ABI note that cannot be read", finding,
                                   "copy the file again from where it came from, or rebuild it");
}

std::vector<Diagnostic> CheckNotes(const AbiNotes& found, const std::string& path,
                                   std::optional<AbiNote>& note) {
  if (!found.faults.empty())
    return {DescribeUnreadableNote(path, diagnostics::JoinWithAnd(found.faults))};
  if (found.notes.empty() && found.is_incomplete) {
    return {DescribeUnreadableNote(path, "a segment of notes (PT_NOTE) is damaged")};
  }
  if (found.notes.empty()) return {DescribeNoNote(path)};
  if (std::optional<Diagnostic> mixed = CompareNotesOfFile(found.notes, path)) {
    return {std::move(*mixed)};
  }
  note = found.notes.front();
  return CompareNoteWithHost(*note, kAbiNoteOfThisBuild, path);
}

std::vector<Diagnostic> CheckAbi(const AbiNotes& found, const std::string& path,
                                 InspectedFile& file) {
  std::vector<Diagnostic> diagnostics = CheckNotes(found, path, file.note);
  ManifestResult manifest = CheckManifests(found.manifests, path);
  file.manifest = std::move(manifest.manifest);
  std::move(manifest.diagnostics.begin(), manifest.diagnostics.end(),
            std::back_inserter(diagnostics));
  return diagnostics;
}

void AddStage(Stage stage, Clock::time_point start, std::vector<Diagnostic> diagnostics,
              InspectedFile& file) {
  file.stages.push_back({stage, Clock::now() - start, std::move(diagnostics)});
}

}  // namespace

InspectedFile InspectFile(int descriptor, const std::string& path) {
  InspectedFile file;
  file.stages.reserve(3);
  Clock::time_point start = Clock::now();
  FormatResult format = CheckFormat(descriptor, path);
  AddStage(Stage::kFormat, start, std::move(format.diagnostics), file);
  if (!format.elf) return file;

  start = Clock::now();
  EntryPointsResult entry_points = CheckEntryPoints(*format.elf, path);
  AddStage(Stage::kEntryPoints, start, std::move(entry_points.diagnostics), file);

  start = Clock::now();
  const AbiNotes notes = ReadAbiNotes(*format.elf);
  // Of a library that is no backend in any way, "no entry points" says all.
  if (!entry_points.has_any && notes.notes.empty()) return file;
  AddStage(Stage::kAbi, start, CheckAbi(notes, path, file), file);
  file.opens_libraries = !notes.late_libraries.empty();
  file.elf = std::move(format.elf);
  return file;
}

}  // namespace backplane::inspection
