#pragma once

/// The account of a probe process: how the plugin's process ended, and what it reported.

#include "files/file_stamp.hpp"
#include "wire/fields.hpp"

#include <backplane/api/backend_version.hpp>
#include <backplane/host/load_report.hpp>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

template <>
inline constexpr bool backplane::wire::kIsPlain<backplane::files::FileStamp> = true;

namespace backplane::probing {

enum class ProbeDepth;

enum class ProcessEnd {
  kExited,     // with exit_code
  kSignalled,  // by signal
  kTimedOut,   // and was ended
  kNotStarted,
  kStopped,      // by signal, and was ended
  kInterrupted,  // and was ended: `sender` sent `signal` to the process that watched
};

/// A library that the plugin's process had open in the end, or a directory in which the loader
/// looked: what the verdict rests on.
struct MappedFile {
  std::string path;
  files::FileStamp stamp;  // all zero: there was nothing
};
template <typename Fields>
void VisitFields(Fields& fields, MappedFile& file) {
  fields(file.path, file.stamp);
}

/// Describes a file as it is now.
MappedFile StampFile(const std::string& path);

/// How process state differs behind the plugin, in words; see CompareProcessStates.
struct StateChanges {
  std::vector<std::string> changes;  // "the umask from 022 to 000"
  std::vector<std::string> names;    // what each change of a value is of, "the umask"
  std::set<Intrusion> intrusions;    // those of the changes that are such
  std::uint32_t num_threads_left = 0;
  bool are_threads_own = false;               // no other library can have left them
  std::vector<std::string> descriptors_left;  // "7 (/dev/null)"
};

/// The report of the plugin's process itself, when it comes to the end.
struct PluginReport {
  Candidate candidate;  // status, stage, stages, identity and diagnostics
  StateChanges state;
  std::vector<MappedFile> files;
};

/// Facts that can still be learnt of a process when it has ended. -1: not known.
struct EndEvidence {
  int seccomp_mode = -1;            // of the process
  int watcher_seccomp_mode = -1;    // what it began with
  std::int64_t cpu_limit_s = -1;    // at which the kernel kills it; -1: also none
  std::int64_t used_cpu_s = -1;     // rounded up
  std::int64_t num_oom_kills = -1;  // that the kernel counted in its control group meanwhile
  bool has_called_exec = false;     // another program took its place
};

struct ProbeAccount {
  ProcessEnd end = ProcessEnd::kNotStarted;
  int start_error = 0;  // errno, when it was not started
  int exit_code = 0;
  int signal = 0;
  std::int64_t sender = 0;    // the process that interrupted; 0: of another namespace
  int signal_to_watcher = 0;  // that the plugin sent to the process that watches it; 0: none
  EndEvidence evidence;
  std::uint32_t member = 0;    // the library of the request, or then the file, whose turn it was
  Stage stage = Stage::kOpen;  // the last one begun
  std::string call;            // the function of the backend that was running, or ""
  std::string constructor_of;  // while opening: the library whose constructors were running, or ""
  bool has_fault = false;
  std::uint64_t fault_address = 0;
  bool is_stack_overflow = false;
  std::string thrown;  // what an exception that nobody caught says
  std::optional<PluginReport> report;
  std::string report_fault;  // what a report says that cannot be, when one came and is not here
  std::uint64_t report_bytes = 0;  // as the plugin's process says; it may not have fitted
  bool is_inspected = false;       // the report is of an inspection after its death, not its own
  bool is_closed = false;          // the library was closed after the report, or had to stay open
  bool is_ended = false;           // so did the handlers end that the plugin left behind
  std::uint64_t stdout_bytes = 0;
  std::string stdout_start;  // its first line, cut
  std::string stderr_end;    // its last lines
  std::uint32_t num_processes_left = 0;
  bool has_copy = false;  // the plugin forked, and both processes went on with the host's work
  std::uint64_t peak_memory_bytes = 0;
  std::uint64_t max_data_bytes = 0;
  std::int64_t timeout_ms = 0;
  // Known to the host that asked, and not among what the probe tells.
  bool is_worker = false;     // it served an application; else it was checked only
  bool is_sandboxed = false;  // it ran in a sandbox of ours
};

/// The report as the plugin's process writes it.
std::string EncodeReport(const PluginReport& report);

/// The state of a report. The plugin can have overwritten it, since it shares its memory.
struct ReceivedReport {
  std::optional<PluginReport> report;
  std::string fault;  // without one: what it says that cannot be, "text that is no record"
};
/// Reads it and checks all of it: what is given holds as if this process had written it.
ReceivedReport DecodeReport(std::string_view text);

/// Holds a plugin's report against what else is known: how far it was to be run, how far the
/// process came, and the version that the file states. One that disagrees is taken out of the
/// account, which then says why.
void CheckReport(ProbeDepth depth, const std::optional<BackendVersion>& stated,
                 ProbeAccount& account);

/// The account as it goes through the pipe, with its frame. `body` is the report's text as it was
/// written, or "".
std::string EncodeAccount(const ProbeAccount& account, std::string_view body);

/// Whether what came through the pipe so far has a whole account in it. It had none before the last
/// bytes came, which are `max_new` or fewer.
bool IsWholeAccount(std::string_view received, std::size_t max_new);

/// The bytes that came through the pipe, decoded.
struct ReceivedAccount {
  std::optional<ProbeAccount> account;  // nothing: none came, or it cannot be read
  std::string version;                  // of the probe, when it said so
  std::string noise;                    // what came before the account: why it could not start
};
ReceivedAccount DecodeAccount(std::string_view received);

}  // namespace backplane::probing
