#include "options.hpp"

#include "command_line/parse.hpp"
#include "command_line/values.hpp"
#include "distributions.hpp"
#include "rules.hpp"

#include <backplane/host/diagnostic.hpp>

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

namespace backplane::check_backend {
namespace {

constexpr char kCommand[] = "check-backend";
constexpr char kDescription[] =
    "Holds the file of a backend against the contract between backends and hosts, in processes of "
    "its own.";

constexpr char kFooter[] =
    "Exit codes:\n"
    "  0   the backend keeps every rule that it was held against\n"
    "  1   it breaks at least one; with --fail-on-warning, also one that is only advice\n"
    "  2   it could not be checked: the file does not exist, does not load, or cannot\n"
    "      work on this machine\n"
    "  64  the command was called wrongly\n";

void DefineOptions(CLI::App& app, Options& options) {
  app.add_option("FILE", options.file, "The file of the backend, as it is shipped")->type_name("");
  app.add_option("--rule", options.rules,
                 "Only this rule, such as BC0301, or this family of rules,\nsuch as memory; can be "
                 "repeated")
      ->type_name("RULE")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  app.add_flag("--list-rules", options.lists_rules, "Print every rule and exit");
  command_line::AddCount(app, "--seed", options.seed, 0,
                         "Where random shapes and numbers begin; default: 1");
  command_line::AddOptionalCount(app, "--case", options.only_case, 0,
                                 "With one --rule, only this case of it");
  app.add_flag("--quick", options.is_quick, "Fewer cases: some seconds instead of minutes");
  app.add_option("--for", options.distribution,
                 "The oldest distribution that the file is shipped for,\nas debian:11")
      ->type_name("DISTRIBUTION");
  app.add_flag("--fail-on-warning", options.fails_on_warning,
               "End with 1 also for what is only advice");
  command_line::AddCount(app, "--timeout", options.timeout_seconds, 1,
                         "Seconds that a case may take; default: 20");
  app.add_flag("--speed", options.measures_speed, "Also measure the backend, beside CpuRef");
  app.add_option("--against", options.rivals,
                 "The file of another backend to measure beside; can be\nrepeated")
      ->type_name("FILE")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  app.add_option("--model", options.models, "An ONNX model to measure with; can be repeated")
      ->type_name("FILE")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  command_line::AddChoice<Format>(
      app, "--format", options.format,
      {{"text", Format::kText}, {"json", Format::kJson}, {"junit", Format::kJunit}},
      "How results are written; default: text");
  command_line::AddLogOptions(app, options.log);
  app.set_version_flag("--version", command_line::MakeVersionText(kCommand, BACKPLANE_VERSION),
                       "Print versions and exit");
}

void CheckRules(const Options& options) {
  std::vector<std::string> names;
  for (const Rule& rule : GetRules()) {
    const std::string family = GetFamilyName(rule.family);
    if (names.empty() || std::set<std::string>(names.begin(), names.end()).count(family) == 0) {
      names.push_back(family);
    }
    names.push_back(GetRuleId(rule));
  }
  for (const std::string& wanted : options.rules) {
    if (std::set<std::string>(names.begin(), names.end()).count(wanted) != 0) continue;
    const std::string nearest = FindNearestName(wanted, names);
    command_line::ThrowUsage(
        kCommand, "--rule", "no rule or family is called \"" + wanted + "\"",
        "found \"" + wanted + "\", expected a rule such as BC0301 or a family such as memory",
        nearest.empty() ? "list them with check-backend --list-rules"
                        : "did you mean " + nearest + "? check-backend --list-rules has all");
  }
}

void CheckDistribution(const Options& options) {
  const std::vector<std::string> names = GetDistributionNames();
  const bool is_known = std::find(names.begin(), names.end(), options.distribution) != names.end();
  if (options.distribution.empty() || is_known) return;
  command_line::ThrowUsage(kCommand, "--for",
                           "nothing is known of the distribution \"" + options.distribution + "\"",
                           "found \"" + options.distribution + "\", expected one of " +
                               command_line::JoinChoices(names, ", "));
}

void CheckCombinations(const Options& options) {
  if (options.file.empty()) {
    command_line::ThrowUsage(kCommand, "", "no FILE is given",
                             "found none, expected the file of one backend");
  }
  const bool is_one_rule = options.rules.size() == 1 && FindRule(options.rules[0]) != nullptr;
  if (options.only_case && !is_one_rule) {
    command_line::ThrowUsage(kCommand, "--case", "--case needs the rule whose case it is",
                             "found " + std::to_string(options.rules.size()) +
                                 " --rule, expected one with the number of a rule");
  }
  const bool has_others = !options.rivals.empty() || !options.models.empty();
  if (has_others && !options.measures_speed) {
    command_line::ThrowUsage(kCommand, "--speed", "--against and --model are for measuring",
                             "found no --speed", "add --speed");
  }
}

}  // namespace

std::optional<Options> ParseOptions(int argc, const char* const* argv) {
  CLI::App app(kDescription, kCommand);
  app.footer(kFooter);
  Options options;
  DefineOptions(app, options);
  if (!command_line::Parse(app, argc, argv)) return {};
  CheckRules(options);
  if (options.lists_rules) return options;
  CheckCombinations(options);
  CheckDistribution(options);
  std::error_code error;
  const auto absolute = std::filesystem::absolute(options.file, error);
  if (!error) options.file = absolute.lexically_normal().string();
  return options;
}

bool IsWanted(const Rule& rule, const Options& options) {
  if (options.rules.empty()) return true;
  return std::any_of(options.rules.begin(), options.rules.end(), [&](const std::string& wanted) {
    return wanted == GetRuleId(rule) || wanted == GetFamilyName(rule.family);
  });
}

}  // namespace backplane::check_backend
