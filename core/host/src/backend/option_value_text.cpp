#include <backplane/host/capabilities.hpp>

#include <array>
#include <charconv>

namespace backplane {

const char* GetOptionTypeName(OptionType type) {
  switch (type) {
    case OptionType::kBool:
      return "bool";
    case OptionType::kInt:
      return "int";
    case OptionType::kFloat:
      return "float";
    case OptionType::kString:
      return "string";
  }
  return "value of an unknown type";
}

std::string ToText(const OptionValue& value) {
  switch (value.type) {
    case OptionType::kBool:
      return value.int_value != 0 ? "true" : "false";
    case OptionType::kInt:
      return std::to_string(value.int_value);
    case OptionType::kFloat: {
      // The shortest text that stands for this very number, whatever the locale.
      std::array<char, 32> text{};
      const auto end = std::to_chars(text.data(), text.data() + text.size(), value.float_value);
      return {text.data(), end.ptr};
    }
    case OptionType::kString:
      return "\"" + value.string_value + "\"";
  }
  return "a value";
}

}  // namespace backplane
