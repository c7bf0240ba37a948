#include "backend/option_schema.hpp"

#include <backplane/host/capabilities.hpp>

#include <algorithm>

namespace backplane::backend {
namespace {

bool IsInRange(const OptionValue& value, const OptionSchema& schema) {
  if (schema.has_range == 0) return true;
  if (schema.type == OptionType::kInt) {
    return value.int_value >= schema.minimum.int_value &&
           value.int_value <= schema.maximum.int_value;
  }
  // Written so that a value that is not a number is outside.
  return schema.type != OptionType::kFloat || (value.float_value >= schema.minimum.float_value &&
                                               value.float_value <= schema.maximum.float_value);
}

bool IsAllowedString(const OptionValue& value, const OptionSchema& schema) {
  if (schema.type != OptionType::kString || schema.allowed_strings.empty()) return true;
  return std::find(schema.allowed_strings.begin(), schema.allowed_strings.end(),
                   value.string_value) != schema.allowed_strings.end();
}

}  // namespace

bool IsAllowed(const OptionValue& value, const OptionSchema& schema) {
  return value.type == schema.type && IsInRange(value, schema) && IsAllowedString(value, schema);
}

std::string DescribeAllowed(const OptionSchema& schema) {
  std::string text = schema.type == OptionType::kInt ? "an " : "a ";
  text += GetOptionTypeName(schema.type);
  if (schema.has_range != 0) {
    text +=
        " from " + backplane::ToText(schema.minimum) + " to " + backplane::ToText(schema.maximum);
  }
  for (std::size_t i = 0; i < schema.allowed_strings.size(); ++i) {
    text += (i == 0 ? ", one of \"" : "\", \"") + schema.allowed_strings[i];
  }
  return schema.allowed_strings.empty() ? text : text + "\"";
}

}  // namespace backplane::backend
