/// check-backend: the vendor's command. Holds the file of a backend against the contract.

#include "command_line/terminal.hpp"
#include "command_line/usage.hpp"
#include "file_check.hpp"
#include "options.hpp"
#include "report/report.hpp"
#include "rules.hpp"
#include "running/run_rule.hpp"
#include "speed.hpp"

#include <backplane/host/system_refusal.hpp>

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace {

using namespace backplane;
using namespace backplane::check_backend;

std::vector<const Rule*> SelectRules(const Options& options) {
  std::vector<const Rule*> rules;
  for (const Rule& rule : GetRules()) {
    if (rule.check != nullptr && IsWanted(rule, options)) rules.push_back(&rule);
  }
  return rules;
}

RunSettings MakeSettings(const Options& options) {
  RunSettings settings;
  settings.session.path = options.file;
  settings.session.seed = options.seed;
  settings.session.is_quick = options.is_quick;
  settings.session.wants_code = options.rules.size() == 1 && FindRule(options.rules[0]) != nullptr;
  if (options.only_case) settings.session.only_case = *options.only_case;
  settings.timeout = std::chrono::seconds(options.timeout_seconds);
  return settings;
}

/// Says on standard error what goes on, when that is a terminal.
class Progress {
 public:
  explicit Progress(std::size_t num_rules)
      : is_shown_(isatty(STDERR_FILENO) == 1), num_rules_(num_rules) {}
  ~Progress() {
    if (is_shown_) std::fputs("\r\033[K", stderr);
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void Begin(const Rule& rule) {
    ++num_begun_;
    rule_ = &rule;
    Show(0);
  }
  void Show(std::uint64_t num_cases) {
    if (!is_shown_ || rule_ == nullptr) return;
    std::fprintf(stderr, "\r\033[K[%zu/%zu] %s, %s: %llu cases", num_begun_, num_rules_,
                 GetRuleId(*rule_).c_str(), GetFamilyName(rule_->family),
                 static_cast<unsigned long long>(num_cases));
    std::fflush(stderr);
  }

 private:
  const bool is_shown_;
  const std::size_t num_rules_;
  std::size_t num_begun_ = 0;
  const Rule* rule_ = nullptr;
};

/// The other rules, when the file loads.
void RunRules(const Options& options, Report& report) {
  constexpr int kMaxHangs = 3;
  const std::vector<const Rule*> rules = SelectRules(options);
  RunSettings settings = MakeSettings(options);
  Progress progress(rules.size());
  settings.on_progress = [&](std::uint64_t num_cases) { progress.Show(num_cases); };
  int num_hangs = 0;
  for (const Rule* rule : rules) {
    if (num_hangs >= kMaxHangs) {
      RuleResult result;
      result.rule = rule;
      result.skipped = "the backend did not come back in " + std::to_string(kMaxHangs) +
                       " rules before; ask for this one with --rule";
      report.results.push_back(std::move(result));
      continue;
    }
    progress.Begin(*rule);
    RuleResult result = RunRule(*rule, settings);
    if (result.has_hung) ++num_hangs;
    // Of whatever case was the last, unless it was asked for.
    if (result.num_findings == 0 && !options.only_case) result.code.clear();
    report.results.push_back(std::move(result));
  }
}

int GetExitCode(const Report& report, const Options& options) {
  switch (GetVerdict(report)) {
    case Verdict::kKept:
      return kExitKept;
    case Verdict::kAdvised:
      return options.fails_on_warning ? kExitBroken : kExitKept;
    case Verdict::kBroken:
      return kExitBroken;
    case Verdict::kNotChecked:
      break;
  }
  return kExitNotChecked;
}

std::string Show(const Report& report, const Options& options) {
  switch (options.format) {
    case Format::kJson:
      return ShowJson(report);
    case Format::kJunit:
      return ShowJunit(report);
    case Format::kText:
      break;
  }
  return ShowText(report, command_line::DescribeTerminal(STDOUT_FILENO));
}

/// Everything, or the number of the error.
int Write(const std::string& text) {
  const bool is_written =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  return is_written ? 0 : errno;
}

int Run(const Options& options) {
  command_line::StartLogging(options.log, "");
  const auto begin = std::chrono::steady_clock::now();
  FileCheck file = CheckFile(options);
  Report report;
  report.seed = options.seed;
  report.is_quick = options.is_quick;
  report.candidate = std::move(file.candidate);
  const bool is_usable = IsUsable(report.candidate);
  for (RuleResult& result : file.results) {
    if (IsWanted(*result.rule, options) || !is_usable) report.results.push_back(std::move(result));
  }
  if (is_usable) RunRules(options, report);
  if (is_usable && options.measures_speed) report.speed = MeasureSpeed(options);
  report.duration = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - begin);
  const int error = Write(Show(report, options));
  if (error != 0) {
    std::fprintf(stderr, "check-backend: results could not be written: %s\n", strerror(error));
    return kExitNotChecked;
  }
  return GetExitCode(report, options);
}

int ListRules() {
  std::string text;
  const char* family = "";
  for (const Rule& rule : GetRules()) {
    const char* const name = GetFamilyName(rule.family);
    if (name != family) text += std::string(family[0] != '\0' ? "\n" : "") + name + '\n';
    family = name;
    text += "  " + GetRuleId(rule) + (rule.kind == RuleKind::kMust ? "  must    " : "  should  ") +
            rule.title + '\n';
  }
  return Write(text) == 0 ? kExitKept : kExitNotChecked;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const auto options = ParseOptions(argc, argv);
    if (!options) return kExitKept;
    return options->lists_rules ? ListRules() : Run(*options);
  } catch (const DiagnosticException& exception) {
    command_line::PrintDiagnostic(exception.GetDiagnostic());
    return command_line::IsUsageError(exception.GetDiagnostic()) ? kExitUsage : kExitNotChecked;
  } catch (const std::bad_alloc&) {
    command_line::PrintDiagnostic(DescribeOutOfMemory("the backend could not be checked"));
    return kExitNotChecked;
  } catch (const std::system_error& error) {
    std::fprintf(stderr, "check-backend: %s\n", error.what());
    return kExitNotChecked;
  }
}
