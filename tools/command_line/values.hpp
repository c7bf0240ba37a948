#pragma once

/// Options whose values are checked here, so that a refusal says what was found, what is expected
/// and which choice is nearest. All throw DiagnosticException with kUsageError while the command
/// line is read.

#include <CLI/CLI.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace backplane::command_line {

/// The position of `found` in `choices`.
std::size_t FindChoice(const std::string& command, const std::string& option,
                       const std::string& found, const std::vector<std::string>& choices);

/// "table|json".
std::string JoinChoices(const std::vector<std::string>& choices, const std::string& separator);

/// An option with few values, each with its name.
template <typename Value>
CLI::Option* AddChoice(CLI::App& app, const std::string& option, Value& value,
                       const std::vector<std::pair<std::string, Value>>& choices,
                       const std::string& description) {
  std::vector<std::string> names;
  for (const auto& choice : choices) names.push_back(choice.first);
  const auto choose = [command = app.get_name(), option, &value, choices,
                       names](const std::string& found) {
    value = choices[FindChoice(command, option, found, names)].second;
  };
  return app.add_option_function<std::string>(option, choose, description)
      ->type_name(JoinChoices(names, "|"));
}

/// A whole number of at least `least`.
CLI::Option* AddCount(CLI::App& app, const std::string& option, std::uint32_t& value,
                      std::uint32_t least, const std::string& description);

/// A whole number of at least `least`; without a default.
CLI::Option* AddOptionalCount(CLI::App& app, const std::string& option,
                              std::optional<std::uint32_t>& value, std::uint32_t least,
                              const std::string& description);

/// Finite numbers with commas between them, at most `most`; each a decimal or a fraction such as
/// 1/255. When `sign` asks for it, each must be above 0.
enum class NumberSign { kAny, kPositive };
CLI::Option* AddNumbers(CLI::App& app, const std::string& option, std::vector<double>& values,
                        std::size_t most, NumberSign sign, const std::string& description);

/// A whole number of bytes.
CLI::Option* AddByteCount(CLI::App& app, const std::string& option,
                          std::optional<std::uint64_t>& value, const std::string& description);

/// A finite number that is not negative; `value` has none until it is given.
CLI::Option* AddTolerance(CLI::App& app, const std::string& option, std::optional<double>& value,
                          const std::string& description);

}  // namespace backplane::command_line
