#include "command_line/probe_options.hpp"

#include "command_line/usage.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <system_error>

namespace backplane::command_line {
namespace {

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

}  // namespace backplane::command_line
