#pragma once

#include <nlohmann/json.hpp>

#include <string_view>

namespace backplane::report {

/// A record of another process as it was parsed. Destroyed from the inside out, which takes no
/// memory: the library's own way allocates in a destructor, and so ends the process where memory is
/// refused.
class ParsedRecord {
 public:
  /// Errors: nlohmann::json::exception; NotARecord for one that is nested deeper than any.
  explicit ParsedRecord(std::string_view text);
  ~ParsedRecord();
  ParsedRecord(const ParsedRecord&) = delete;
  ParsedRecord& operator=(const ParsedRecord&) = delete;

  const nlohmann::json& Get() const { return value_; }

 private:
  nlohmann::json value_;
};

}  // namespace backplane::report
