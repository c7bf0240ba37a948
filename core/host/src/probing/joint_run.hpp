#pragma once

#include "conflicts/host_process.hpp"
#include "probing/probe_file.hpp"
#include "probing/verdict_cache.hpp"

#include <backplane/host/load_report.hpp>
#include <backplane/host/scan.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace backplane::probing {

/// The process that a HostProcess describes.
enum class WhoseProcess {
  kThis,
  kOther,  // as it is when it has started
};

/// The libraries that a program has beside those of the probe, which are those of this library, in
/// the order in which they were opened.
std::vector<ProgramLibrary> ListProgramLibraries(const conflicts::HostProcess& host,
                                                 WhoseProcess process);

/// A backend that passed alone.
struct Participant {
  PluginFile file;
  std::chrono::nanoseconds alone{0};  // that it took then
};

/// Backends that passed alone and come to a bad end together; none of them can be left out.
struct JointClash {
  bool is_whole = true;  // false: there are others too, but it would take too long to find them
  std::vector<std::size_t> participants;  // by their numbers, in rising order; one at least
  std::vector<std::size_t> common;        // of these, those without each of which the rest passes
  std::vector<std::string> libraries;     // of the program, which take part
  bool ends_process = true;               // false: one fails, and the process goes on
  std::string end;                        // as DescribeEnd has it
};

struct JointOutcome {
  bool has_passed = false;
  std::optional<JointClash> clash;
  std::vector<Diagnostic> doubts;                                   // what could not be found out
  std::optional<std::chrono::system_clock::time_point> verdict_of;  // as of Candidate
};

/// Whether these, in rising order, come to a bad end. Nothing: it cannot be found out.
using EndsBadly = std::function<std::optional<bool>(const std::vector<std::size_t>& members)>;

/// Finds some of the members numbered from 0, which come to a bad end all together, that do so too
/// and of which none can be left out; in rising order. Takes about log2(count) questions for each.
/// Nothing: they did not come to it again, or `ends_badly` had no answer.
std::optional<std::vector<std::size_t>> FindSmallestSet(std::size_t count,
                                                        const EndsBadly& ends_badly);

/// Runs backends together, in one process of their own behind the libraries of a program; when that
/// ends badly, finds out which of them are why.
class JointRun {
 public:
  JointRun(const ProbeSettings& settings, std::vector<ProgramLibrary> libraries);

  /// Whether running so many alone shows less than running them together.
  bool IsWanted(std::size_t num_participants) const {
    return num_participants > 1 || (num_participants == 1 && !libraries_.empty());
  }

  JointOutcome Run(const std::vector<Participant>& participants);

  /// Processes that were run so far.
  std::size_t GetNumRuns() const { return num_runs_; }

 private:
  /// Runs the libraries and participants of these numbers; the libraries have the first ones.
  ProbeVerdict Try(const std::vector<Participant>& participants,
                   const std::vector<std::size_t>& numbers, std::chrono::milliseconds timeout);
  bool IsSearchOver() const;
  /// Whether it ended before the first backend's turn: one library may need another one.
  bool IsOfLibraries(const ProbeVerdict& verdict, const std::vector<std::size_t>& numbers) const {
    return numbers[verdict.member] < libraries_.size();
  }
  JointOutcome FindCause(const std::vector<Participant>& participants, const ProbeVerdict& first);
  void FindCommon(const std::vector<Participant>& participants, const EndsBadly& ends_badly,
                  JointClash& clash) const;

  ProbeSettings settings_;
  std::vector<ProgramLibrary> libraries_;
  VerdictCache verdicts_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::size_t num_runs_ = 0;
};

/// "A crashed in CreateBackendContext: SIGSEGV ...".
std::string DescribeEnd(const Candidate& candidate);

/// The error of the backend that stays out because of a clash, and the warning of one that does
/// not. `others` are the paths of the other backends that clash. `order` says which comes first, as
/// in "the rank of A is 1, that of B is 2".
Diagnostic DescribeLeftOut(const JointClash& clash, const std::string& path,
                           const std::vector<std::string>& others, const std::string& order);
Diagnostic DescribeStays(const JointClash& clash, const std::string& path,
                         const std::string& left_out, const std::vector<std::string>& others,
                         const std::string& order);

/// The warning that backends were not run together, for a reason that the first of them has.
Diagnostic DescribeNotRun(const Candidate& first);
/// The warning that they were run without the program's libraries, because `library` of them cannot
/// be opened in another process, as `at_library` says.
Diagnostic DescribeLibrary(const std::string& library, const Candidate& at_library);
/// The warning that a bad end, as `last` says, did not come again, or not in so many runs.
Diagnostic DescribeUndecided(const Candidate& last, std::size_t num_runs);

}  // namespace backplane::probing
