#include "probing/probe_account.hpp"

#include "probing/file_record.hpp"
#include "probing/probe_request.hpp"
#include "report/candidate_record.hpp"
#include "report/candidate_rules.hpp"
#include "report/packed_bytes.hpp"
#include "report/parsed_record.hpp"
#include "report/record_texts.hpp"

#include <nlohmann/json.hpp>

#include <utility>

namespace backplane::probing {
namespace {

using Json = nlohmann::json;
using report::PackAll;
using report::PackBytes;
using report::ReadText;
using report::ReadTexts;

constexpr std::string_view kBegin = "\n<<backplane-probe ";
constexpr std::string_view kEnd = "\n>>backplane-probe\n";

Json MakeRecord(const EndEvidence& evidence) {
  return Json::array({evidence.seccomp_mode, evidence.watcher_seccomp_mode, evidence.cpu_limit_s,
                      evidence.used_cpu_s, evidence.num_oom_kills, evidence.has_called_exec});
}

EndEvidence ReadEvidence(const Json& record) {
  return {record.at(0).get<int>(),          record.at(1).get<int>(),
          record.at(2).get<std::int64_t>(), record.at(3).get<std::int64_t>(),
          record.at(4).get<std::int64_t>(), record.at(5).get<bool>()};
}

ProbeAccount ReadAccount(const Json& record) {
  ProbeAccount account;
  account.end = report::ReadEnum(record.at("end"), ProcessEnd::kInterrupted);
  account.exit_code = record.at("exit_code").get<int>();
  account.start_error = record.at("start_error").get<int>();
  account.signal = record.at("signal").get<int>();
  account.sender = record.at("sender").get<std::int64_t>();
  account.signal_to_watcher = record.at("signal_to_watcher").get<int>();
  account.evidence = ReadEvidence(record.at("evidence"));
  account.member = record.at("member").get<std::uint32_t>();
  account.stage = report::ReadEnum(record.at("stage"), Stage::kCreate);
  account.call = ReadText(record.at("call"));
  account.constructor_of = ReadText(record.at("constructor_of"));
  account.has_fault = record.at("has_fault").get<bool>();
  account.fault_address = record.at("fault_address").get<std::uint64_t>();
  account.is_stack_overflow = record.at("is_stack_overflow").get<bool>();
  account.thrown = ReadText(record.at("thrown"));
  account.report_bytes = record.at("report_bytes").get<std::uint64_t>();
  account.is_inspected = record.at("is_inspected").get<bool>();
  account.is_closed = record.at("is_closed").get<bool>();
  account.is_ended = record.at("is_ended").get<bool>();
  account.stdout_bytes = record.at("stdout_bytes").get<std::uint64_t>();
  account.stdout_start = ReadText(record.at("stdout_start"));
  account.stderr_end = ReadText(record.at("stderr_end"));
  account.num_processes_left = record.at("num_processes_left").get<std::uint32_t>();
  account.has_copy = record.at("has_copy").get<bool>();
  account.peak_memory_bytes = record.at("peak_memory_bytes").get<std::uint64_t>();
  account.max_data_bytes = record.at("max_data_bytes").get<std::uint64_t>();
  account.timeout_ms = record.at("timeout_ms").get<std::int64_t>();
  const std::string body = ReadText(record.at("report"));
  if (body.empty()) return account;
  ReceivedReport received = DecodeReport(body);
  account.report = std::move(received.report);
  account.report_fault = std::move(received.fault);
  return account;
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

PluginReport ReadReport(const Json& record) {
  auto candidate = report::ReadCandidate(record.at("candidate"));
  if (!candidate) throw report::NotARecord{};
  PluginReport report;
  report.candidate = std::move(*candidate);
  report.state.changes = ReadTexts(record.at("changes"));
  report.state.num_threads_left = record.at("threads").get<std::uint32_t>();
  report.state.are_threads_own = record.at("own_threads").get<bool>();
  report.state.descriptors_left = ReadTexts(record.at("descriptors"));
  for (const Json& file : record.at("files")) report.files.push_back(ReadFile(file));
  return report;
}

}  // namespace

std::string EncodeReport(const PluginReport& report) {
  Json files = Json::array();
  for (const MappedFile& file : report.files) files.push_back(MakeRecord(file));
  const Json record = {{"candidate", report::MakeRecord(report.candidate)},
                       {"changes", PackAll(report.state.changes)},
                       {"threads", report.state.num_threads_left},
                       {"own_threads", report.state.are_threads_own},
                       {"descriptors", PackAll(report.state.descriptors_left)},
                       {"files", std::move(files)}};
  return record.dump();
}

ReceivedReport DecodeReport(std::string_view text) {
  try {
    PluginReport report = ReadReport(report::ParsedRecord(text).Get());
    std::string fault = FindFault(report);
    if (!fault.empty()) return {std::nullopt, std::move(fault)};
    return {std::move(report), ""};
  } catch (const Json::exception&) {
    return {std::nullopt, "text that is no record"};
  } catch (const report::NotARecord&) {
    return {std::nullopt, "a record with a field that cannot be"};
  }
}

std::string EncodeAccount(const ProbeAccount& account, std::string_view body) {
  const Json record = {{"end", static_cast<int>(account.end)},
                       {"exit_code", account.exit_code},
                       {"start_error", account.start_error},
                       {"signal", account.signal},
                       {"sender", account.sender},
                       {"signal_to_watcher", account.signal_to_watcher},
                       {"evidence", MakeRecord(account.evidence)},
                       {"member", account.member},
                       {"stage", static_cast<std::uint32_t>(account.stage)},
                       {"call", PackBytes(account.call)},
                       {"constructor_of", PackBytes(account.constructor_of)},
                       {"has_fault", account.has_fault},
                       {"fault_address", account.fault_address},
                       {"is_stack_overflow", account.is_stack_overflow},
                       {"thrown", PackBytes(account.thrown)},
                       {"report", PackBytes(body)},
                       {"report_bytes", account.report_bytes},
                       {"is_inspected", account.is_inspected},
                       {"is_closed", account.is_closed},
                       {"is_ended", account.is_ended},
                       {"stdout_bytes", account.stdout_bytes},
                       {"stdout_start", PackBytes(account.stdout_start)},
                       {"stderr_end", PackBytes(account.stderr_end)},
                       {"num_processes_left", account.num_processes_left},
                       {"has_copy", account.has_copy},
                       {"peak_memory_bytes", account.peak_memory_bytes},
                       {"max_data_bytes", account.max_data_bytes},
                       {"timeout_ms", account.timeout_ms}};
  std::string framed(kBegin);
  framed += GetProtocolName() + '\n';
  framed += record.dump();
  framed += kEnd;
  return framed;
}

bool IsWholeAccount(std::string_view received) {
  return received.size() >= kEnd.size() && received.substr(received.size() - kEnd.size()) == kEnd &&
         received.find(kBegin) != std::string_view::npos;
}

ReceivedAccount DecodeAccount(std::string_view received) {
  ReceivedAccount result;
  const std::size_t begin = received.find(kBegin);
  result.noise = received.substr(0, begin);
  if (begin == std::string_view::npos) return result;
  std::string_view framed = received.substr(begin + kBegin.size());
  const std::size_t line_end = framed.find('\n');
  if (line_end == std::string_view::npos) return result;
  result.version = framed.substr(0, line_end);
  if (result.version != GetProtocolName()) return result;
  framed.remove_prefix(line_end + 1);
  const std::size_t end = framed.rfind(kEnd);
  if (end == std::string_view::npos) return result;
  try {
    result.account = ReadAccount(report::ParsedRecord(framed.substr(0, end)).Get());
  } catch (const Json::exception&) {
    result.account.reset();
  } catch (const report::NotARecord&) {
    result.account.reset();
  }
  return result;
}

}  // namespace backplane::probing
