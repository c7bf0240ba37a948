#include "file_check.hpp"

#include "comma_list.hpp"
#include "distributions.hpp"

#include <backplane/host/scan.hpp>
#include <backplane/host/shell_word.hpp>

#include <array>
#include <cstdio>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace backplane::check_backend {
namespace {

Finding MakeFinding(const Diagnostic& diagnostic) {
  return {0, "loads the file as list-backends does", ToText(diagnostic),
          diagnostic.severity == Severity::kError ? "that it loads" : "nothing to remark"};
}

RuleResult MakeResult(const char* id) {
  RuleResult result;
  result.rule = FindRule(id);
  result.num_cases = 1;
  return result;
}

void Add(RuleResult& result, Finding finding) {
  result.findings.push_back(std::move(finding));
  ++result.num_findings;
}

Candidate Load(const Options& options) {
  ScanOptions request;
  request.files = {options.file};
  request.probe = ProbeMode::kChild;
  request.probe_settings.verdicts = VerdictUse::kIgnore;
  request.probe_settings.timeout = std::chrono::seconds(options.timeout_seconds);
  request.dependencies = DependencyCheck::kAlways;
  request.facts = FactDetail::kAll;
  LoadReport report = Scan(request);
  return std::move(report.candidates.at(0));
}

RuleResult CheckLoads(const Candidate& candidate) {
  RuleResult result = MakeResult("BC0101");
  for (const Diagnostic& diagnostic : candidate.diagnostics) {
    if (diagnostic.severity == Severity::kError) Add(result, MakeFinding(diagnostic));
  }
  return result;
}

RuleResult CheckRemarks(const Candidate& candidate) {
  RuleResult result = MakeResult("BC0102");
  for (const Diagnostic& diagnostic : candidate.diagnostics) {
    if (diagnostic.severity == Severity::kWarning) Add(result, MakeFinding(diagnostic));
  }
  return result;
}

RuleResult CheckManifest(const Candidate& candidate) {
  RuleResult result = MakeResult("BC0103");
  const char* const done = "reads the manifest";
  const char* const expected =
      "a manifest with vendor, version and license, as backplane_add_backend(MANIFEST ...) writes "
      "it";
  const BackendIdentity identity = candidate.identity.value_or(BackendIdentity());
  if (identity.vendor.empty() && identity.version.empty() && identity.license.empty()) {
    Add(result, {0, done, "no manifest: the file cannot be listed by id, or registered, unopened",
                 expected});
    return result;
  }
  std::string missing;
  for (const auto& [name, value] :
       {std::make_pair("vendor", identity.vendor), std::make_pair("version", identity.version),
        std::make_pair("license", identity.license)}) {
    if (value.empty()) AddToList(missing, name);
  }
  if (!missing.empty()) Add(result, {0, done, "nothing stands behind " + missing, expected});
  return result;
}

RuleResult CheckBuildId(const FileFacts& facts) {
  RuleResult result = MakeResult("BC0104");
  if (facts.build_id.empty()) {
    Add(result, {0, "looks for .note.gnu.build-id", "no build id",
                 "one, by which debuggers and crash reports find what belongs to this file; link "
                 "with -Wl,--build-id"});
  }
  return result;
}

RuleResult CheckDebugInformation(const FileFacts& facts) {
  RuleResult result = MakeResult("BC0105");
  const char* const done = "looks for .debug_info and .gnu_debuglink";
  if (facts.has_debug_information) {
    Add(result, {0, done, "the debug information is in the file",
                 "that it is apart: objcopy --only-keep-debug FILE FILE.debug; strip --strip-debug "
                 "FILE; objcopy --add-gnu-debuglink=FILE.debug FILE"});
  } else if (facts.debug_link.empty() && facts.build_id.empty()) {
    Add(result, {0, done, "neither a debug link nor a build id",
                 "one of them, so that a stack trace of a user can be read"});
  }
  return result;
}

RuleResult CheckLibraries(const Options& options, const FileFacts& facts) {
  RuleResult result = MakeResult("BC0106");
  if (options.distribution.empty()) {
    result.num_cases = 0;
    result.skipped = "no distribution was stated with --for";
    return result;
  }
  for (const std::string& missing : FindMissingVersions(options.distribution, facts.versions)) {
    Add(result,
        {0, "compares the versions of symbols that it needs", missing,
         "only versions that " + options.distribution + " has; build there, or with its sysroot"});
  }
  return result;
}

RuleResult CheckExports(const FileFacts& facts) {
  RuleResult result = MakeResult("BC0107");
  const std::set<std::string> entry_points = {"BackendFactory", "GetBackendId", "GetVersion"};
  std::string others;
  for (const std::string& name : facts.exports) {
    if (entry_points.count(name) == 0) AddToList(others, name);
  }
  if (!others.empty()) {
    Add(result, {0, "lists the symbols that it exports",
                 std::to_string(facts.num_exports) + " exports, among them " + others,
                 "the three entry points alone: others can be mixed up with those of other "
                 "backends; backplane_add_backend sees to it"});
  }
  return result;
}

/// What the instructions of a file say of the processors on which it can run.
struct InstructionUse {
  std::vector<std::string> features;  // beyond the first level of x86-64: "avx", "avx512f"
  bool asks_processor = false;        // has code that finds out what the processor can do
};

bool Has(const std::string& line, const char* word) {
  return line.find(word) != std::string::npos;
}

/// Reads them with objdump. Nothing: it is not installed, or cannot read the file; or the file is
/// for another architecture.
std::optional<InstructionUse> ReadInstructions(const std::string& path) {
  const std::string command =
      "objdump -d --no-show-raw-insn -- " + QuoteForShell(path) + " 2>/dev/null";
  const std::unique_ptr<FILE, int (*)(FILE*)> listing(popen(command.c_str(), "r"), &pclose);
  if (listing == nullptr) return std::nullopt;
  InstructionUse use;
  bool is_x86 = false;
  bool has_avx = false;
  bool has_avx512 = false;
  std::array<char, 512> buffer{};
  while (std::fgets(buffer.data(), static_cast<int>(buffer.size()), listing.get()) != nullptr) {
    const std::string line = buffer.data();
    is_x86 = is_x86 || Has(line, "elf64-x86-64");
    has_avx512 = has_avx512 || Has(line, "%zmm");
    has_avx = has_avx || Has(line, "%ymm");
    use.asks_processor = use.asks_processor || Has(line, "\tcpuid") || Has(line, "\txgetbv") ||
                         Has(line, "getauxval") || Has(line, "__cpu_model");
  }
  if (!is_x86) return std::nullopt;
  if (has_avx) use.features.emplace_back("avx");
  if (has_avx512) use.features.emplace_back("avx512f");
  return use;
}

RuleResult CheckProcessorFeatures(const Candidate& candidate) {
  RuleResult result = MakeResult("BC0108");
  const std::optional<InstructionUse> use = ReadInstructions(candidate.path);
  if (!use) {
    result.num_cases = 0;
    result.skipped = "objdump, which reads instructions, is not installed or cannot read the file";
    return result;
  }
  const std::vector<std::string> stated =
      candidate.identity ? candidate.identity->cpu_features : std::vector<std::string>();
  const bool is_stated = !stated.empty() || !candidate.facts->cpu_level.empty();
  if (use->features.empty() || is_stated || use->asks_processor) return result;
  Add(result, {0, "reads the instructions",
               "instructions of " + WriteList(use->features) +
                   ", and nothing that asks whether the processor has "
                   "them",
               "that the manifest states them (CPU_FEATURES), so that hosts never open the file on "
               "another processor, or that they are chosen at run time"});
  return result;
}

}  // namespace

FileCheck CheckFile(const Options& options) {
  FileCheck check;
  check.candidate = Load(options);
  check.results.push_back(CheckLoads(check.candidate));
  check.results.push_back(CheckRemarks(check.candidate));
  if (!check.candidate.facts || !check.candidate.facts->is_format_sound) return check;
  const FileFacts& facts = *check.candidate.facts;
  check.results.push_back(CheckManifest(check.candidate));
  check.results.push_back(CheckBuildId(facts));
  check.results.push_back(CheckDebugInformation(facts));
  check.results.push_back(CheckLibraries(options, facts));
  check.results.push_back(CheckExports(facts));
  // Reading all instructions takes as long as many a rule.
  if (IsWanted(*FindRule("BC0108"), options)) {
    check.results.push_back(CheckProcessorFeatures(check.candidate));
  }
  return check;
}

bool IsUsable(const Candidate& candidate) {
  return candidate.status == CandidateStatus::kLoaded;
}

}  // namespace backplane::check_backend
