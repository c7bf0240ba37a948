#pragma once

/// Reads a shared object from one opened descriptor, before any code of it runs.

#include "elf/file.hpp"
#include "inspection/manifest.hpp"

#include <backplane/api/abi_note.hpp>
#include <backplane/host/diagnostic.hpp>
#include <backplane/host/load_report.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace backplane::inspection {

/// What came of one stage. It was passed when no diagnostic is an error.
struct StageOutcome {
  Stage stage = Stage::kFormat;
  std::chrono::nanoseconds duration{0};
  std::vector<Diagnostic> diagnostics;
};

struct InspectedFile {
  /// The stages that ran, in order: format; entry points and abi when the format allows to read on.
  /// The abi stage is left out for a file that has neither an entry point nor a note.
  std::vector<StageOutcome> stages;
  std::optional<AbiNote> note;       // when there are notes and they agree
  std::optional<Manifest> manifest;  // when there is one and it can be read
  std::optional<elf::File> elf;      // when all of these ran; it reads from the descriptor
  bool opens_libraries = false;      // when it runs, as it says; `elf` is there then
};

/// Runs the stages format, entry points and abi.
/// `path` only appears in messages. The descriptor stays the caller's; its offset is not used.
/// Threads: any.
InspectedFile InspectFile(int descriptor, const std::string& path);

}  // namespace backplane::inspection
