#pragma once

#include <backplane/api/i_logger.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace backplane::diagnostics {

/// Which levels are written, by channel. Immutable once made.
class LevelTable {
 public:
  /// Reads "info" or "discovery=debug,*=warning".
  /// Errors: DiagnosticException with kInvalidLogSpecification.
  static LevelTable Parse(std::string_view specification);

  bool IsEnabled(std::string_view channel, LogLevel level) const;

  /// The lowest level that any channel writes; one above kError when none does.
  int GetLowestLevel() const;

 private:
  struct Row {
    std::string channel;
    int level;
  };
  std::vector<Row> rows_;
  int default_level_ = kOff;

  static constexpr int kOff = static_cast<int>(LogLevel::kError) + 1;
};

/// "trace", "debug", ... Static storage.
const char* GetLevelName(LogLevel level);

}  // namespace backplane::diagnostics
