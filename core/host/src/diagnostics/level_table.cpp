#include "diagnostics/level_table.hpp"

#include <backplane/host/diagnostic.hpp>

#include <algorithm>
#include <iterator>
#include <optional>

namespace backplane::diagnostics {
namespace {

// Not destroyed at the end of the process: there may still be something to log.
constexpr const char* kLevelNames[] = {"trace", "debug", "info", "warning", "error", "off"};

std::optional<int> ReadLevel(std::string_view text) {
  const auto found = std::find(std::begin(kLevelNames), std::end(kLevelNames), text);
  if (found == std::end(kLevelNames)) return std::nullopt;
  return static_cast<int>(found - std::begin(kLevelNames)) + static_cast<int>(LogLevel::kTrace);
}

[[noreturn]] void ThrowInvalid(std::string_view specification, std::string_view item) {
  Diagnostic diagnostic{DiagnosticCode::kInvalidLogSpecification};
  diagnostic.subject = {SubjectKind::kOption, std::string(specification)};
  diagnostic.what = "the log levels \"" + std::string(specification) + "\" cannot be read";
  diagnostic.why = "found \"" + std::string(item) +
                   "\", expected a level (trace, debug, info, warning, error, off) or "
                   "channel=level";
  const std::string_view level = item.substr(item.find('=') + 1);
  const std::string nearest =
      FindNearestName(level, {std::begin(kLevelNames), std::end(kLevelNames)});
  diagnostic.fix = nearest.empty() ? "give for example --log-level discovery=debug,*=warning"
                                   : "did you mean \"" + nearest + "\"?";
  throw DiagnosticException(std::move(diagnostic));
}

}  // namespace

LevelTable LevelTable::Parse(std::string_view specification) {
  LevelTable table;
  std::string_view rest = specification;
  while (true) {
    const std::string_view item = rest.substr(0, rest.find(','));
    const std::size_t equals = item.find('=');
    const bool has_channel = equals != std::string_view::npos;
    const std::string_view channel = has_channel ? item.substr(0, equals) : "*";
    const auto level = ReadLevel(has_channel ? item.substr(equals + 1) : item);
    if (!level || channel.empty()) ThrowInvalid(specification, item);
    if (channel == "*") {
      table.default_level_ = *level;
    } else {
      table.rows_.push_back({std::string(channel), *level});
    }
    if (item.size() == rest.size()) return table;
    rest.remove_prefix(item.size() + 1);
  }
}

bool LevelTable::IsEnabled(std::string_view channel, LogLevel level) const {
  for (const Row& row : rows_) {
    if (row.channel == channel) return static_cast<int>(level) >= row.level;
  }
  return static_cast<int>(level) >= default_level_;
}

int LevelTable::GetLowestLevel() const {
  int lowest = default_level_;
  for (const Row& row : rows_) lowest = std::min(lowest, row.level);
  return lowest;
}

const char* GetLevelName(LogLevel level) {
  const auto index = static_cast<std::size_t>(level) - static_cast<std::size_t>(LogLevel::kTrace);
  return index < std::size(kLevelNames) ? kLevelNames[index] : "unknown";
}

}  // namespace backplane::diagnostics
