#include "command_line/values.hpp"

#include "command_line/usage.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>
#include <system_error>

namespace backplane::command_line {
namespace {

template <typename Number>
std::optional<Number> ReadNumber(const std::string& text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end) return {};
  return number;
}

[[noreturn]] void ThrowWrongNumber(const std::string& command, const std::string& option,
                                   const std::string& found, const std::string& expected) {
  ThrowUsage(command, option, option + " cannot be \"" + found + "\"",
             "found \"" + found + "\", expected " + expected);
}

std::string ToShortText(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

}  // namespace

std::string JoinChoices(const std::vector<std::string>& choices, const std::string& separator) {
  std::string text;
  for (const std::string& choice : choices) text += (text.empty() ? "" : separator) + choice;
  return text;
}

std::size_t FindChoice(const std::string& command, const std::string& option,
                       const std::string& found, const std::vector<std::string>& choices) {
  const auto choice = std::find(choices.begin(), choices.end(), found);
  if (choice != choices.end()) return static_cast<std::size_t>(choice - choices.begin());
  const std::string nearest = FindNearestName(found, choices);
  ThrowUsage(command, option, option + " cannot be \"" + found + "\"",
             "found \"" + found + "\", expected " + JoinChoices(choices, " or "),
             nearest.empty() ? "" : "did you mean " + nearest + "?");
}

CLI::Option* AddCount(CLI::App& app, const std::string& option, std::uint32_t& value,
                      std::uint32_t least, const std::string& description) {
  const auto read = [command = app.get_name(), option, &value, least](const std::string& found) {
    const auto number = ReadNumber<std::uint32_t>(found);
    if (!number || *number < least) {
      ThrowWrongNumber(command, option, found,
                       "a whole number from " + std::to_string(least) + " to " +
                           std::to_string(std::numeric_limits<std::uint32_t>::max()));
    }
    value = *number;
  };
  return app.add_option_function<std::string>(option, read, description)
      ->type_name("N")
      ->default_str(std::to_string(value));
}

CLI::Option* AddByteCount(CLI::App& app, const std::string& option,
                          std::optional<std::uint64_t>& value, const std::string& description) {
  const auto read = [command = app.get_name(), option, &value](const std::string& found) {
    value = ReadNumber<std::uint64_t>(found);
    if (!value) {
      ThrowWrongNumber(command, option, found, "a whole number of bytes, such as 0 or 1048576");
    }
  };
  return app.add_option_function<std::string>(option, read, description)->type_name("N");
}

CLI::Option* AddTolerance(CLI::App& app, const std::string& option, double& value,
                          const std::string& description) {
  const auto read = [command = app.get_name(), option, &value](const std::string& found) {
    const auto number = ReadNumber<double>(found);
    if (!number || !std::isfinite(*number) || std::signbit(*number)) {
      ThrowWrongNumber(command, option, found, "a number of at least 0, such as 0.001 or 1e-5");
    }
    value = *number;
  };
  return app.add_option_function<std::string>(option, read, description)
      ->type_name("NUMBER")
      ->default_str(ToShortText(value));
}

}  // namespace backplane::command_line
