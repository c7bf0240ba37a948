#pragma once

/// What a scan found: every search path and every candidate, with its outcome and the reasons.

#include <backplane/api/backend_options.hpp>
#include <backplane/api/backend_version.hpp>
#include <backplane/host/configuration.hpp>
#include <backplane/host/diagnostic.hpp>
#include <backplane/host/export.hpp>
#include <backplane/host/file_facts.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace backplane {

enum class Stage {
#define BACKPLANE_STAGE(name, text) k##name,
#include <backplane/host/stages.def>
#undef BACKPLANE_STAGE
};

/// "entry points", ... Static storage. [any thread]
BACKPLANE_HOST_API const char* GetStageName(Stage stage);

enum class CandidateStatus {
  kLoaded,       // passed every stage
  kInspected,    // passed the file stages; no more was asked for, or it is opened at first use and
                 // was not used yet (its stage is then "register")
  kUnavailable,  // says itself that it cannot work here; no failure
  kRejected,     // failed a stage
  kSkipped,      // the name does not match, or it is disabled
  kShadowed,     // another candidate stands in its place
};

/// "loaded", "inspected", ... Static storage. [any thread]
BACKPLANE_HOST_API const char* GetCandidateStatusName(CandidateStatus status);

/// What a backend was seen to take from the process that ran it.
enum class Intrusion {
#define BACKPLANE_INTRUSION(name, text) k##name,
#include <backplane/host/intrusions.def>
#undef BACKPLANE_INTRUSION
};

/// "changes the umask", ... Static storage.
/// [any thread]
BACKPLANE_HOST_API const char* GetIntrusionText(Intrusion intrusion);

/// How far the stages went for a candidate, and where.
enum class ProbedIn {
  kFile,       // only the file was read
  kChild,      // plugin code ran in a child process
  kInProcess,  // plugin code ran in this process
};

/// "file", "child" or "in-process". Static storage. [any thread]
BACKPLANE_HOST_API const char* GetProbedInName(ProbedIn where);

struct SearchPathReport {
  std::string path;  // as given
  PathSource source = PathSource::kArgument;
  bool is_scanned = false;  // false: invalid, and the diagnostics say why
  std::vector<Diagnostic> diagnostics;
  std::string origin = {};  // as SearchPath::origin
};

/// "/opt/npu (drop-in, /etc/backplane/backends.d/10-npu.conf:3)", escaped; with ", invalid" behind
/// the origin when it was not scanned. [any thread]
BACKPLANE_HOST_API std::string DescribeSearchPath(const SearchPathReport& path);

/// What came of the settings from outside the program.
struct ConfigurationReport {
  std::string directory;                // where drop-in files are; empty: none were read
  std::vector<Diagnostic> diagnostics;  // what of them could not be used
};

/// What a file says of itself in its manifest, or its code when that ran.
struct BackendIdentity {
  std::string id;
  BackendVersion api_version;
  BackendCapabilities capabilities = {};
  std::vector<OptionSchema> options = {};                 // as far as it was asked
  std::vector<std::string> tensor_handle_factories = {};  // their ids, as far as it was asked
  /// Those of its own, as "domain/type/versions". Nothing: it was not asked.
  std::optional<std::vector<std::string>> operators = {};
  // From the manifest; empty without one.
  std::string vendor = {};
  std::string version = {};  // of the product
  std::string license = {};
  std::optional<std::int64_t> rank = {};
  std::vector<std::string> cpu_features = {};  // without which it is never opened
  std::vector<std::string> permissions = {};   // by which it wants its sandbox widened
  std::vector<std::string> stated_operators = {};

  /// The declared operators; those of the manifest when the backend was not asked.
  const std::vector<std::string>& GetOperators() const {
    return operators ? *operators : stated_operators;
  }
};

/// From when to when something went on.
struct StageSpan {
  std::chrono::steady_clock::time_point begin;
  std::chrono::steady_clock::time_point end;
};

/// One stage that a candidate went through.
struct StageRecord {
  Stage stage = Stage::kPath;
  std::chrono::nanoseconds duration{0};
  bool has_failed = false;  // it found an error
  /// When it ran. Nothing: it only read the file, or ran in another process or at another time.
  std::vector<StageSpan> in_this_process = {};
};

/// Another file of the process that this one hurts, or is hurt by; see clashes.def.
struct ClashRecord {
  DiagnosticCode code{};  // of the diagnostic that says how
  std::string with;       // the path of the other candidate, or of a library
};

struct Candidate {
  std::string path;            // as found or given
  std::string canonical_path;  // links resolved; empty when it could not be
  CandidateStatus status = CandidateStatus::kRejected;
  Stage stage = Stage::kName;  // the last that was passed, or the first that failed
  ProbedIn where = ProbedIn::kFile;
  /// Set: the stages that run code were not run now; this is when they were, and they would give
  /// the same.
  std::optional<std::chrono::system_clock::time_point> verdict_of;
  std::optional<BackendIdentity> identity;  // as far as it is known
  std::string shadowed_by;  // the path of the candidate that stands in its place, or "static"
  unsigned cpu_level = 0;   // N when it is in a directory x86-64-vN of a search path, else 0
  std::vector<Diagnostic> diagnostics;     // the first error is the headline
  std::vector<Intrusion> intrusions;       // each once, in rising order; a child process sees them
  std::vector<std::string> changed_state;  // "the umask"; a child process sees it
  std::vector<ClashRecord> clashes;        // with what it is, or would be, in one process
  std::vector<StageRecord> stages;         // in the order in which they ran
  std::optional<FileFacts>
      facts;  // when ScanOptions::facts asks for them and the file was examined
};

/// The first error, else the first warning, else null.
/// Ownership: the candidate's.
/// [any thread]
BACKPLANE_HOST_API const Diagnostic* GetHeadline(const Candidate& candidate);

/// The files that give one backend id.
struct VariantSet {
  std::string id;
  /// Paths of candidates, in the order in which they are tried. The one that is used is loaded or
  /// inspected; there may be none.
  std::vector<std::string> files;
};

/// What came of running all backends that passed alone together, in one process behind the
/// libraries of the program. Those that were left out because of it say so themselves.
struct JointRunRecord {
  std::size_t num_backends = 0;   // of the last run
  std::size_t num_processes = 0;  // that were run; more than one find out which backends clash
  bool has_passed = false;  // they were all opened, made contexts, let go, and the process ended
  /// Set: nothing was run, as an earlier run of the same in the same state passed.
  std::optional<std::chrono::system_clock::time_point> verdict_of;
  std::chrono::nanoseconds duration{0};
  std::vector<Diagnostic> diagnostics;  // what could not be found out
};

struct LoadReport {
  std::vector<SearchPathReport> search_paths;
  std::vector<Candidate> candidates;
  ConfigurationReport configuration;
  std::vector<VariantSet> variants;         // of the ids that several files give
  std::vector<Diagnostic> diagnostics;      // pins of ScanOptions::variants that cannot be followed
  std::optional<JointRunRecord> joint_run;  // when backends are run in processes of their own
};

/// How many candidates have this status. [any thread]
BACKPLANE_HOST_API std::size_t CountCandidates(const LoadReport& report, CandidateStatus status);

/// The report as JSON, with "schema": 1. Names are escaped as EscapeForDisplay does.
/// [any thread]
BACKPLANE_HOST_API std::string ToJson(const LoadReport& report);

}  // namespace backplane
