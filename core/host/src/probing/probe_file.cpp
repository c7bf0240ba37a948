#include "probing/probe_file.hpp"

#include "inspection/file_words.hpp"
#include "opening/shared_library.hpp"
#include "probing/check_report.hpp"
#include "probing/explain_account.hpp"
#include "probing/explain_start.hpp"
#include "probing/loader_trace.hpp"
#include "probing/probe_process.hpp"

#include <unistd.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace backplane::probing {
namespace {

// Longer ones mean "without end", and could not be added to a point in time.
constexpr std::chrono::milliseconds kMaxTimeout = std::chrono::hours(24);

Diagnostic DescribeNoAccount(const std::string& path, const std::string& program,
                             const ProbeRun& run) {
  std::string why = "the process that checks backends, " + program + ", " +
                    (run.is_started ? "gave no account: " : "cannot be started: ") + run.failure;
  if (!run.received.version.empty()) {
    why +=
        "; it answered as \"" + run.received.version + "\", expected \"" + GetProtocolName() + '"';
  }
  const std::string noise =
      JoinLastLines(SplitLoaderTrace(run.received.noise, run.process).plugin_output, 3, 400);
  if (!noise.empty()) why += "; it wrote: \"" + noise + '"';
  if (!run.is_started) {
    return inspection::DescribeFile(DiagnosticCode::kProbeNotStarted, path,
                                    "was not checked, and not opened", std::move(why),
                                    AdviseOnStart(run.start_error, program));
  }
  return inspection::DescribeFile(
      DiagnosticCode::kProbeFailed, path, "was not checked to the end", std::move(why),
      (run.is_killed
           ? "scan again: nothing is kept of this check. Another process or the system, for "
             "lack of memory (dmesg), ended backplane-probe; if it comes back"
           : "install backplane-probe " BACKPLANE_VERSION
             " beside libbackplane-host.so; if that is what runs") +
          std::string(", the backend may have ended it: disable it with "
                      "BACKPLANE_DISABLE_BACKENDS=") +
          inspection::GetFileName(path));
}

/// What ran was not the file that was inspected, or not to its end: that comes before what became
/// of it.
void BlameChange(const std::string& path, Candidate& candidate) {
  Diagnostic change = discovery::DescribeChange(path);
  change.causes = std::exchange(candidate.diagnostics, {});
  candidate.diagnostics.push_back(std::move(change));
}

Candidate MakeUnchecked(const std::string& path, Diagnostic reason) {
  Candidate candidate;
  candidate.path = path;
  candidate.status = CandidateStatus::kRejected;
  candidate.stage = Stage::kOpen;
  candidate.stages.push_back({Stage::kOpen, std::chrono::nanoseconds(0), true});
  candidate.diagnostics.push_back(std::move(reason));
  return candidate;
}

/// Of a report that was lost because it cannot be, more is known than that it was.
void NameFault(const std::string& fault, Candidate& candidate) {
  for (Diagnostic& diagnostic : candidate.diagnostics) {
    if (diagnostic.code == DiagnosticCode::kProbeFailed) {
      diagnostic = DescribeImpossibleReport(candidate.path, fault);
    }
  }
}

ProbeRequest MakeRequest(ProbeDepth depth, const ProbeSettings& settings) {
  ProbeRequest request;
  request.depth = depth;
  request.timeout = std::min(settings.timeout, kMaxTimeout);
  // Sanitizers, also those of LD_PRELOAD, reserve more memory than any limit allows.
  const bool has_sanitizer = opening::IsDefinedInProcess("__asan_init", "") ||
                             opening::IsDefinedInProcess("__tsan_init", "");
  request.max_data_bytes = has_sanitizer ? 0 : settings.max_data_bytes;
  request.host_process = getpid();
  return request;
}

const std::string& GetMemberPath(const ProbeRequest& request, std::size_t member) {
  const std::size_t num_libraries = request.libraries.size();
  return member < num_libraries ? request.libraries[member].path
                                : request.files[member - num_libraries].path;
}

ProbeVerdict Probe(const ProbeRequest& request, const std::optional<BackendVersion>& stated,
                   const ProbeSettings& settings, spawn::HeldSlot* place) {
  const std::string program = request.depth == ProbeDepth::kMeasure ? FindMeasureProgram(settings)
                                                                    : FindProbeProgram(settings);
  ProbeRun run = RunProbe(program, request, place);
  ProbeVerdict verdict;
  if (!run.received.account) {
    const std::string& path = request.files.front().path;
    verdict.candidate = MakeUnchecked(path, DescribeNoAccount(path, program, run));
    return verdict;
  }
  ProbeAccount& account = *run.received.account;
  CheckReport(request.depth, stated, account);
  account.is_sandboxed = request.sandbox.sandbox != Sandbox::kNone;
  // A plugin may have written over the number.
  const std::size_t num_members = request.libraries.size() + request.files.size();
  verdict.member = std::min<std::size_t>(account.member, num_members - 1);
  const std::string& path = GetMemberPath(request, verdict.member);
  verdict.candidate = ExplainAccount(account, path);
  verdict.is_run = account.end != ProcessEnd::kNotStarted;
  verdict.has_died = account.end != ProcessEnd::kExited;
  verdict.is_own_status =
      account.report && account.report->candidate.status == verdict.candidate.status;
  if (!account.report_fault.empty()) NameFault(account.report_fault, verdict.candidate);
  if (account.report) verdict.files = std::move(account.report->files);
  return verdict;
}

std::string FindBesideProbe(const ProbeSettings& settings, const char* name) {
  const std::string probe = FindProbeProgram(settings);
  return probe.substr(0, probe.find_last_of('/') + 1) + name;
}

}  // namespace

std::string FindProbeProgram(const ProbeSettings& settings) {
  if (!settings.program.empty()) return settings.program;
  return opening::GetOwnDirectory() + '/' + BACKPLANE_PROBE_FROM_LIB;
}

std::string FindMeasureProgram(const ProbeSettings& settings) {
  return FindBesideProbe(settings, "backplane-measure");
}

std::string FindWorkerProgram(const ProbeSettings& settings) {
  return FindBesideProbe(settings, "backplane-worker");
}

ProbeVerdict ProbeFile(const discovery::CandidateFile& file, const std::string& path,
                       ProbeDepth depth, const std::optional<BackendVersion>& stated,
                       const ProbeTerms& terms, spawn::HeldSlot* place) {
  ProbeRequest request = MakeRequest(depth, terms.settings);
  request.sandbox = terms.sandbox;
  request.files.push_back({path, file.canonical_path, discovery::MakeFileStamp(file.status)});
  ProbeVerdict verdict = Probe(request, stated, terms.settings, place);
  if (verdict.has_died && !discovery::IsStillTheSame(file)) BlameChange(path, verdict.candidate);
  return verdict;
}

ProbeVerdict ProbeTogether(std::vector<ProgramLibrary> libraries, std::vector<PluginFile> files,
                           const ProbeSettings& settings) {
  ProbeRequest request = MakeRequest(ProbeDepth::kTogether, settings);
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max() / files.size();
  request.max_data_bytes = std::min(request.max_data_bytes, most) * files.size();
  request.libraries = std::move(libraries);
  request.files = std::move(files);
  return Probe(request, std::nullopt, settings, nullptr);
}

}  // namespace backplane::probing
