#pragma once

/// Reads a shared object from one opened descriptor, before any code of it runs.

#include "inspection/elf_file.hpp"
#include "inspection/manifest.hpp"

#include <backplane/api/abi_note.hpp>
#include <backplane/host/diagnostic.hpp>
#include <backplane/host/load_report.hpp>

#include <chrono>
#include <functional>
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
  std::optional<ElfFile> elf;        // when all of these ran; it reads from the descriptor
  bool opens_libraries = false;      // when it runs, as it says; `elf` is there then
};

/// Runs the stages format, entry points and abi.
/// `path` only appears in messages. The descriptor stays the caller's; its offset is not used.
/// Threads: any.
InspectedFile InspectFile(int descriptor, const std::string& path);

/// Says whether a symbol is already defined in this process. `version` may be empty.
using IsDefinedInProcess =
    std::function<bool(const std::string& symbol, const std::string& version)>;

/// Runs the stage dependencies: finds every library that the file needs, and theirs, as the loader
/// would, and then every symbol.
/// `canonical_path` is what the loader will be given; $ORIGIN stands for its directory.
/// Null: without `is_defined_in_process` only libraries count as sources of symbols.
/// Threads: any. A scan, which does this for many files, has a DependencyInspector instead.
StageOutcome InspectDependencies(int descriptor, const std::string& path,
                                 const std::string& canonical_path,
                                 const IsDefinedInProcess& is_defined_in_process);

}  // namespace backplane::inspection
