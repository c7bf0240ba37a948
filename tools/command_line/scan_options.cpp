#include "command_line/scan_options.hpp"

#include "command_line/usage.hpp"
#include "command_line/values.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <system_error>

namespace backplane::command_line {
namespace {

namespace fs = std::filesystem;

std::chrono::milliseconds ReadSeconds(const std::string& command, const std::string& text) {
  constexpr double kMaxSeconds = 24.0 * 60 * 60;
  constexpr double kMillisecondsPerSecond = 1000;
  double seconds = 0;
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, seconds);
  const bool is_number = result.ec == std::errc() && result.ptr == end;
  if (!is_number || !(seconds > 0) || seconds > kMaxSeconds) {
    ThrowUsage(command, "--timeout", "--timeout cannot be \"" + text + "\"",
               "found \"" + text +
                   "\", expected a number of seconds above 0 and "
                   "up to 86400",
               "give for example --timeout 60");
  }
  return std::chrono::milliseconds(
      std::max<std::int64_t>(1, static_cast<std::int64_t>(seconds * kMillisecondsPerSecond)));
}

/// A name without slash is a glob of file names and stays what it is.
std::string ReadFile(const std::string& text) {
  if (text.find('/') == std::string::npos) return text;
  std::error_code error;
  const fs::path file = fs::canonical(text, error);
  if (!error) return file.string();
  const fs::path absolute = fs::absolute(text, error);
  return error ? text : absolute.string();
}

VariantPin ReadPin(const std::string& command, const std::string& text) {
  const std::size_t equals = text.find('=');
  const bool is_pin = equals != std::string::npos && equals != 0 && equals + 1 < text.size();
  if (!is_pin) {
    ThrowUsage(command, "--variant", "--variant cannot be \"" + text + "\"",
               "found \"" + text +
                   "\", expected ID=FILE: a backend id, and a path or a glob of "
                   "file names",
               "give for example --variant 'Npu=Acme_NpuV3_*'");
  }
  return {text.substr(0, equals), ReadFile(text.substr(equals + 1))};
}

}  // namespace

void AddProbeOptions(CLI::App& app, ProbeSettings& settings) {
  app.add_option_function<std::string>(
         "--timeout",
         [command = app.get_name(), &settings](const std::string& text) {
           settings.timeout = ReadSeconds(command, text);
         },
         "How long the code of one backend may run in a\nprocess of its own; default: 30")
      ->type_name("S");
  app.add_flag_callback(
      "--refresh", [&settings] { settings.verdicts = VerdictUse::kRefresh; },
      "Run the code of every backend, also where what came\nof it is known from before");
  app.add_flag_callback(
      "--no-cache", [&settings] { settings.verdicts = VerdictUse::kIgnore; },
      "As --refresh, and keep nothing for the next time");
  app.add_flag_callback(
      "--allow-intrusive", [&settings] { settings.intrusive = IntrusiveBackends::kAllow; },
      "Do not reject backends that close descriptors,\nfork, change the working directory and the "
      "like");
}

void AddTrustOptions(CLI::App& app, TrustOptions& options) {
  AddChoice<TrustPolicy>(app, "--trust", options.policy,
                         {{GetTrustPolicyName(TrustPolicy::kOwner), TrustPolicy::kOwner},
                          {GetTrustPolicyName(TrustPolicy::kStrict), TrustPolicy::kStrict},
                          {GetTrustPolicyName(TrustPolicy::kOff), TrustPolicy::kOff}},
                         "Refuse files any user may write; with strict also\n"
                         "those of other users or groups; default: owner");
  const auto take_list = [command = app.get_name(), &options](const std::string& file) {
    if (file.empty()) {
      // It would allow everything, where a list was meant to limit.
      ThrowUsage(command, "--digests", "--digests needs the name of a file",
                 "found \"\", expected a file as sha256sum writes it");
    }
    options.digest_list = file;
  };
  app.add_option_function<std::string>("--digests", take_list,
                                       "Only open files whose SHA-256 digest is in FILE,\n"
                                       "as sha256sum writes it")
      ->type_name("FILE");
}

void AddVariantOptions(CLI::App& app, std::vector<VariantPin>& pins) {
  app.add_option_function<std::vector<std::string>>(
         "--variant",
         [command = app.get_name(), &pins](const std::vector<std::string>& texts) {
           for (const std::string& text : texts) pins.push_back(ReadPin(command, text));
         },
         "Use FILE for the backend ID when several files give\nit: a path (with a slash) or a "
         "glob of file names;\ncan be repeated")
      ->type_name("ID=FILE")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
}

void AddUserOption(CLI::App& app, UserBackends& user_backends) {
  app.add_flag_callback(
      "--user", [&user_backends] { user_backends = UserBackends::kSearch; },
      "Search the user's own directory of backends too:\nbackplane/backends in $XDG_DATA_HOME or "
      "~/.local/share");
}

std::string DescribeVariables() {
  return "  BACKPLANE_BACKENDS_PATH      directories that are searched first, separated by colons\n"
         "  BACKPLANE_CONFIGURATION_DIR  where drop-in files are, instead of the usual place\n"
         "  BACKPLANE_DISABLE_BACKENDS   ids or globs, separated by commas, as --disable\n"
         "  BACKPLANE_ISOLATE_BACKENDS   run in processes of their own: ids or globs, separated by "
         "commas\n"
         "  BACKPLANE_LOG                log levels, as --log-level\n"
         "  BACKPLANE_PASS_VARIABLES     variables that such processes see too, separated by "
         "commas\n"
         "  BACKPLANE_PROBE_DATA_LIMIT   MiB that a process which checks a backend may allocate\n"
         "  BACKPLANE_REFUSE_PERMISSIONS sandboxes are not widened: ids or globs, separated by "
         "commas\n"
         "  BACKPLANE_SANDBOX_BACKENDS   run in sandboxes: ids or globs, separated by commas\n"
         "  DYNAMIC_BACKEND_PATHS        instead of the directories that were compiled in\n"
         "  NO_COLOR                     no colour, also on a terminal";
}

}  // namespace backplane::command_line
