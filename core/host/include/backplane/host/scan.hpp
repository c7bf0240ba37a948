#pragma once

/// From search paths and files to a report, and to registered backends.

#include <backplane/host/backend_registry.hpp>
#include <backplane/host/configuration.hpp>
#include <backplane/host/contexts.hpp>
#include <backplane/host/export.hpp>
#include <backplane/host/isolation.hpp>
#include <backplane/host/load_report.hpp>
#include <backplane/host/opening.hpp>
#include <backplane/host/trust.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace backplane {

/// How far a scan goes.
enum class ProbeMode {
  kInspect,    // only the stages that read the file
  kChild,      // all stages; those that run code of a backend first in a process of its own
  kInProcess,  // all stages, in this process
};

/// What becomes of verdicts that earlier child processes gave. Only what passed is kept, and it
/// holds for as long as the file, every library and directory that loading it led to, the host and
/// the machine since its start are the same.
enum class VerdictUse {
  kUse,      // a verdict that still holds stands for a run; others are run, and kept
  kRefresh,  // everything is run, and kept
  kIgnore,   // everything is run, and nothing is read or kept
};

/// What becomes of backends that did to the process of their own what Intrusion lists.
enum class IntrusiveBackends {
  kReject,  // they are not opened in the application's process
  kAllow,   // they are; what they do is a warning
};

/// How backends are run in processes of their own.
struct ProbeSettings {
  std::chrono::milliseconds timeout{30'000};  // for one backend, from its start to its end
  std::uint64_t max_data_bytes = std::uint64_t{4} << 30U;  // that one may allocate; 0: no limit
  std::string program;  // backplane-probe; empty: the one installed beside this library
  VerdictUse verdicts = VerdictUse::kUse;
  std::string verdict_directory;  // empty: backplane/verdicts in the user's cache directory
  IntrusiveBackends intrusive = IntrusiveBackends::kReject;
};

/// When the needed libraries and symbols of a candidate are looked up in the files.
enum class DependencyCheck {
  kWhenNeeded,  // when nothing will be opened, or the loader refused: it looks them up itself
  kAlways,      // also before opening, to report what was found
};

/// How much of a file is told beside what is wrong with it.
enum class FactDetail {
  kNone,
  kAll,  // Candidate::facts
};

/// Which file is used for a backend id, whatever the rule says that decides between several.
struct VariantPin {
  std::string id;
  /// With a slash, a path or a glob of paths; without, a glob of file names. Of several files that
  /// it means, the rule takes the first.
  std::string file;
};

/// The steps of a scan, each done for one file after the other.
enum class ScanDeed { kRead, kRun, kRunTogether };

struct ScanStep {
  ScanDeed deed = ScanDeed::kRead;
  std::size_t number = 0;  // of this deed, from 1
  std::size_t count = 0;   // that there will be
  std::string path;        // of the file; for kRunTogether ""
};

/// Of several files that give one backend id, one is used: of those that can run here, the one with
/// the highest rank; then the highest version of the product; then that of the highest CPU level;
/// then the first in the order of paths. One whose name an earlier search path has too comes behind
/// all others, and files of another vendor than the first are rejected. When the one that is used
/// fails a stage, or is unavailable, the next takes its place.
struct ScanOptions {
  // Directories, in the order of preference. Files in a directory x86-64-vN of one of them are
  // looked at when this processor has that level.
  std::vector<SearchPath> search_paths;
  std::vector<std::string> files;  // named explicitly: never skipped, looked at first
  /// What ReadConfiguration gave. Its search paths are scanned when the two above are empty; the
  /// rest always holds, beside what is asked for here.
  Configuration configuration;
  ProbeMode probe = ProbeMode::kInProcess;
  ProbeSettings probe_settings;
  std::vector<std::string> disabled;  // backend ids, or globs of ids or of file names
  /// An id that has some here is given by a file that one of them means, or by none; the report's
  /// diagnostics say then what there is.
  std::vector<VariantPin> variants;
  DependencyCheck dependencies = DependencyCheck::kWhenNeeded;
  TrustOptions trust;
  FactDetail facts = FactDetail::kNone;
  // The program beside whose libraries candidates are judged, as they are when it has started.
  // Empty, or no program as CheckProgram says: this process, as it is now.
  std::string program;
  // With kLazy, a backend whose manifest can be read, or that passed in a process of its own, is
  // registered then, and opened in this process at first use. Scan with kChild opens nothing.
  Opening opening = Opening::kEager;
  // With what contexts are made in the stage "create" in this process. Not checked: that no
  // allocator is null and no backend has two.
  ContextSettings contexts;
  // Backends that run in processes of their own: all stages of theirs do, and those of all others
  // too before they are opened here, as with kChild. Scan starts none, but judges as if it did.
  IsolationSettings isolation;
  // Called with the path of each candidate before its code runs in this process. Empty: nobody.
  // Not for kLazy, whose backends are opened behind the scan.
  std::function<void(const std::string& path)> before_opening;
  // Called before each file is read, or run in a process of its own, to show how far the scan is.
  // By several threads, one at a time; must not throw. Empty: nobody.
  std::function<void(const ScanStep& step)> on_step;
};

/// What is wrong with a path that is to be ScanOptions::program. Nothing: it is a program.
/// [any thread]
BACKPLANE_HOST_API std::optional<Diagnostic> CheckProgram(const std::string& path);

/// Looks at every candidate and leaves nothing behind: what was opened is closed again. With kChild
/// no code of a backend runs in this process, whatever happens to the others.
/// What is thrown while one candidate is looked at, as memory that is refused, is that candidate's
/// diagnostic; std::bad_alloc leaves only when there is no memory for the report itself.
/// Errors: none else; everything is in the report.
/// [any thread]
BACKPLANE_HOST_API LoadReport Scan(const ScanOptions& options);

/// As Scan, and registers every backend that passed, for which it is opened in this process.
/// Rejected and unavailable backends whose id is known are remembered there with their reasons.
/// `probe` must not be kInspect. Null: with `contexts` null, the contexts are destroyed again; else
/// they are appended there. Errors: none; everything is in the report. A backend that failed is not
/// registered. [any thread]
BACKPLANE_HOST_API LoadReport LoadBackends(const ScanOptions& options, BackendRegistry& registry,
                                           std::vector<LoadedContext>* contexts = nullptr);

}  // namespace backplane
