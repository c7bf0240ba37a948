#include "backend/option_schema.hpp"

#include <backplane/host/diagnostic.hpp>
#include <backplane/host/options.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

namespace backplane {
namespace {

std::optional<bool> ParseBool(std::string_view text) {
  constexpr std::array<std::string_view, 4> kTrue{"true", "on", "yes", "1"};
  constexpr std::array<std::string_view, 4> kFalse{"false", "off", "no", "0"};
  if (std::find(kTrue.begin(), kTrue.end(), text) != kTrue.end()) return true;
  if (std::find(kFalse.begin(), kFalse.end(), text) != kFalse.end()) return false;
  return std::nullopt;
}

/// The whole text must be the number.
template <typename Number>
std::optional<Number> ParseNumber(std::string_view text) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, number);
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return number;
}

template <typename Value>
std::optional<OptionValue> Wrap(const std::optional<Value>& value) {
  return value ? std::optional<OptionValue>(OptionValue(*value)) : std::nullopt;
}

[[noreturn]] void ThrowMalformed(const std::string& text) {
  Diagnostic diagnostic{DiagnosticCode::kInvalidOption};
  diagnostic.subject = {SubjectKind::kOption, text};
  diagnostic.what = "\"" + text + "\" is no option of a backend";
  diagnostic.why = "found \"" + text + "\"; expected ID:NAME=VALUE";
  diagnostic.fix = "write the backend's id, a colon, the name, an equals sign and the value";
  throw DiagnosticException(std::move(diagnostic));
}

}  // namespace

std::optional<OptionValue> ReadOptionValue(OptionType type, const std::string& text) {
  switch (type) {
    case OptionType::kBool:
      return Wrap(ParseBool(text));
    case OptionType::kInt:
      return Wrap(ParseNumber<std::int64_t>(text));
    case OptionType::kFloat:
      return Wrap(ParseNumber<double>(text));
    case OptionType::kString:
      return OptionValue(text);
  }
  return std::nullopt;
}

std::optional<OptionText> SplitOption(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::size_t equals = colon == std::string::npos ? colon : text.find('=', colon);
  if (equals == std::string::npos || colon == 0 || equals == colon + 1) return std::nullopt;
  return OptionText{text.substr(0, colon), text.substr(colon + 1, equals - colon - 1),
                    text.substr(equals + 1)};
}

OptionValue ParseOptionValue(const OptionSchema& schema, const std::string& text) {
  std::optional<OptionValue> value = ReadOptionValue(schema.type, text);
  if (value && backend::IsAllowed(*value, schema)) return std::move(*value);
  Diagnostic diagnostic{DiagnosticCode::kInvalidOption};
  diagnostic.subject = {SubjectKind::kOption, schema.name};
  diagnostic.what = "option \"" + schema.name + "\" has a value that is not allowed";
  const std::string allowed = backend::DescribeAllowed(schema);
  diagnostic.why = "found \"" + text + "\"; expected " + allowed;
  diagnostic.fix = "give " + allowed;
  throw DiagnosticException(std::move(diagnostic));
}

BackendOptions ParseOption(const BackendRegistry& registry, const std::string& text) {
  const std::optional<OptionText> parts = SplitOption(text);
  if (!parts) ThrowMalformed(text);
  const std::string& id = parts->backend_id;
  const std::vector<OptionSchema> schemas = GetOptionSchemas(registry, id);
  const auto schema = std::find_if(schemas.begin(), schemas.end(), [&](const OptionSchema& entry) {
    return entry.name == parts->name;
  });
  // Throws: it says which names there are.
  if (schema == schemas.end()) {
    CheckOptions(id, schemas, {{id, {{parts->name, parts->value}}}}, OptionPlace::kAny);
  }
  try {
    return {id, {{parts->name, ParseOptionValue(*schema, parts->value)}}};
  } catch (const DiagnosticException& exception) {
    Diagnostic diagnostic = exception.GetDiagnostic();
    diagnostic.subject.name = id + ":" + parts->name;
    diagnostic.what =
        "option \"" + parts->name + "\" of backend \"" + id + "\" has a value that is not allowed";
    throw DiagnosticException(std::move(diagnostic));
  }
}

}  // namespace backplane
