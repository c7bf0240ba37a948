#include "command_line/values.hpp"

#include "command_line/usage.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
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

std::uint32_t ReadCount(const std::string& command, const std::string& option,
                        const std::string& found, std::uint32_t least) {
  const auto number = ReadNumber<std::uint32_t>(found);
  if (!number || *number < least) {
    ThrowWrongNumber(command, option, found,
                     "a whole number from " + std::to_string(least) + " to " +
                         std::to_string(std::numeric_limits<std::uint32_t>::max()));
  }
  return *number;
}

// "0.5", or "1/255".
std::optional<double> ReadFraction(const std::string& text) {
  const std::size_t bar = text.find('/');
  const auto numerator = ReadNumber<double>(text.substr(0, bar));
  if (bar == std::string::npos || !numerator) return numerator;
  const auto denominator = ReadNumber<double>(text.substr(bar + 1));
  if (!denominator) return {};
  return *numerator / *denominator;
}

// Nothing when one of them cannot be read or is not as `sign` says.
std::vector<double> ReadNumbers(const std::string& text, NumberSign sign) {
  std::vector<double> numbers;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const auto number = ReadFraction(text.substr(begin, end - begin));
    if (!number || !std::isfinite(*number)) return {};
    if (sign == NumberSign::kPositive && *number <= 0) return {};
    numbers.push_back(*number);
    begin = end + 1;
  }
  return numbers;
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
    value = ReadCount(command, option, found, least);
  };
  return app.add_option_function<std::string>(option, read, description)
      ->type_name("N")
      ->default_str(std::to_string(value));
}

CLI::Option* AddOptionalCount(CLI::App& app, const std::string& option,
                              std::optional<std::uint32_t>& value, std::uint32_t least,
                              const std::string& description) {
  const auto read = [command = app.get_name(), option, &value, least](const std::string& found) {
    value = ReadCount(command, option, found, least);
  };
  return app.add_option_function<std::string>(option, read, description)->type_name("N");
}

CLI::Option* AddNumbers(CLI::App& app, const std::string& option, std::vector<double>& values,
                        std::size_t most, NumberSign sign, const std::string& description) {
  const auto read = [command = app.get_name(), option, &values, most,
                     sign](const std::string& found) {
    values = ReadNumbers(found, sign);
    if (values.empty() || values.size() > most) {
      const std::string bound = sign == NumberSign::kPositive ? " above 0" : "";
      ThrowWrongNumber(command, option, found,
                       most == 1 ? "a number" + bound + ", such as 0.5 or 1/255"
                                 : "1 to " + std::to_string(most) + " numbers" + bound +
                                       " with commas between them, such as 0.5 or 0.4,0.5,0.6");
    }
  };
  return app.add_option_function<std::string>(option, read, description)
      ->type_name(most == 1 ? "NUMBER" : "NUMBER,...");
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

CLI::Option* AddTolerance(CLI::App& app, const std::string& option, std::optional<double>& value,
                          const std::string& description) {
  const auto read = [command = app.get_name(), option, &value](const std::string& found) {
    const auto number = ReadNumber<double>(found);
    if (!number || !std::isfinite(*number) || std::signbit(*number)) {
      ThrowWrongNumber(command, option, found, "a number of at least 0, such as 0.001 or 1e-5");
    }
    value = *number;
  };
  return app.add_option_function<std::string>(option, read, description)->type_name("NUMBER");
}

}  // namespace backplane::command_line
