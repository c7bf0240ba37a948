#include "probing/probe_account.hpp"

#include "probing/probe_request.hpp"
#include "report/candidate_fields.hpp"
#include "report/candidate_rules.hpp"

#include <algorithm>
#include <utility>

namespace backplane::probing {
namespace {

// An account goes as: what the loader or the probe wrote before, kBegin, the protocol's name in a
// line, the account as one text, kEnd.
constexpr std::string_view kBegin = "\n<<backplane-probe ";
constexpr std::string_view kEnd = "\n>>backplane-probe\n";

struct Frame {
  std::string_view noise;
  std::string_view version;
  std::string_view body;
  bool is_whole = false;
};

Frame FindFrame(std::string_view received) {
  Frame frame;
  const std::size_t begin = received.find(kBegin);
  frame.noise = received.substr(0, begin);
  if (begin == std::string_view::npos) return frame;
  received.remove_prefix(begin + kBegin.size());
  const std::size_t line_end = received.find('\n');
  if (line_end == std::string_view::npos) return frame;
  frame.version = received.substr(0, line_end);
  if (frame.version != GetProtocolName()) return frame;
  received.remove_prefix(line_end + 1);
  wire::Reader reader(received);
  frame.body = reader.TakeText();
  if (!reader.IsWhole()) return frame;
  received.remove_prefix(sizeof(std::uint64_t) + frame.body.size());
  frame.is_whole = received.substr(0, kEnd.size()) == kEnd;  // the probe may write more later
  return frame;
}

constexpr std::size_t kMaxEntries = 10'000;

std::string FindFaultInTexts(const char* name, const std::vector<std::string>& texts) {
  if (texts.size() > kMaxEntries) return std::to_string(texts.size()) + " entries of " + name;
  for (const std::string& text : texts) {
    std::string fault = report::FindFaultInText(name, text);
    if (!fault.empty()) return fault;
  }
  return "";
}

std::string FindFault(const PluginReport& report) {
  std::string fault = report::FindContradiction(report.candidate);
  if (fault.empty()) fault = FindFaultInTexts("change", report.state.changes);
  if (fault.empty()) fault = FindFaultInTexts("descriptor", report.state.descriptors_left);
  if (fault.empty() && report.files.size() > kMaxEntries) {
    fault = std::to_string(report.files.size()) + " libraries";
  }
  return fault;
}

std::string ToString(BackendVersion version) {
  return std::to_string(version.major) + '.' + std::to_string(version.minor);
}

std::string Quote(Stage stage) {
  return std::string("\"") + GetStageName(stage) + '"';
}

/// The candidate is said to be loaded, and so has an identity.
std::string FindDisagreement(ProbeDepth depth, const std::optional<BackendVersion>& stated,
                             const ProbeAccount& account) {
  const Candidate& candidate = account.report->candidate;
  if (depth != ProbeDepth::kIdentify && candidate.stage != Stage::kCreate) {
    return "\"loaded\" without the stage \"create\"";
  }
  if (candidate.stage != account.stage) {
    return "\"loaded\" in the stage " + Quote(candidate.stage) + ", and the stage " +
           Quote(account.stage) + " as the last that was begun";
  }
  const BackendVersion version = candidate.identity->api_version;
  if (stated && version != *stated) {
    return "\"loaded\" with version " + ToString(version) +
           ", where the ABI note of the file says " + ToString(*stated);
  }
  return "";
}

}  // namespace

template <typename Fields>
void VisitFields(Fields& fields, PluginReport& report) {
  StateChanges& state = report.state;
  fields(report.candidate, state.changes, state.num_threads_left, state.are_threads_own,
         state.descriptors_left, report.files);
}

template <typename Fields>
void VisitFields(Fields& fields, EndEvidence& evidence) {
  fields(evidence.seccomp_mode, evidence.watcher_seccomp_mode, evidence.cpu_limit_s,
         evidence.used_cpu_s, evidence.num_oom_kills, evidence.has_called_exec);
}

/// Without the report, which follows as a text of its own, and without what only the host knows.
template <typename Fields>
void VisitFields(Fields& fields, ProbeAccount& account) {
  fields(account.end, account.start_error, account.exit_code, account.signal, account.sender,
         account.signal_to_watcher, account.evidence, account.member, account.stage, account.call,
         account.constructor_of, account.has_fault, account.fault_address,
         account.is_stack_overflow, account.thrown, account.report_bytes, account.is_inspected,
         account.is_closed, account.is_ended, account.stdout_bytes, account.stdout_start,
         account.stderr_end, account.num_processes_left, account.has_copy,
         account.peak_memory_bytes, account.max_data_bytes, account.timeout_ms);
  fields.Require(wire::IsUpTo(ProcessEnd::kInterrupted, account.end) &&
                 wire::IsUpTo(Stage::kCreate, account.stage));
}

MappedFile StampFile(const std::string& path) {
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  return {path, exists ? files::MakeFileStamp(status) : files::FileStamp{}};
}

std::string EncodeReport(const PluginReport& report) {
  return wire::WriteFields(report);
}

ReceivedReport DecodeReport(std::string_view text) {
  auto report = wire::ReadFields<PluginReport>(text);
  if (!report) return {std::nullopt, "bytes that are no report"};
  std::string fault = FindFault(*report);
  if (!fault.empty()) return {std::nullopt, std::move(fault)};
  return {std::move(report), ""};
}

void CheckReport(ProbeDepth depth, const std::optional<BackendVersion>& stated,
                 ProbeAccount& account) {
  if (!account.report || account.report->candidate.status != CandidateStatus::kLoaded) return;
  account.report_fault = FindDisagreement(depth, stated, account);
  if (!account.report_fault.empty()) account.report.reset();
}

std::string EncodeAccount(const ProbeAccount& account, std::string_view body) {
  const std::string text = wire::Writer().Put(account).PutText(body).Get();
  return std::string(kBegin) + GetProtocolName() + '\n' + wire::WriteFields(text) +
         std::string(kEnd);
}

bool IsWholeAccount(std::string_view received, std::size_t max_new) {
  // First what costs little: it is asked with every part that comes.
  const std::size_t last = std::min(received.size(), max_new + kEnd.size());
  return received.find(kEnd, received.size() - last) != std::string_view::npos &&
         FindFrame(received).is_whole;
}

ReceivedAccount DecodeAccount(std::string_view received) {
  const Frame frame = FindFrame(received);
  ReceivedAccount result;
  result.noise = frame.noise;
  result.version = frame.version;
  if (!frame.is_whole) return result;
  wire::Reader reader(frame.body);
  auto account = reader.Take<ProbeAccount>();
  const std::string_view body = reader.TakeText();
  if (!reader.IsAtEnd()) return result;
  if (!body.empty()) {
    ReceivedReport report = DecodeReport(body);
    account.report = std::move(report.report);
    account.report_fault = std::move(report.fault);
  }
  result.account = std::move(account);
  return result;
}

}  // namespace backplane::probing
