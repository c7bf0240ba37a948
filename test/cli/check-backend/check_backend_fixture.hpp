#pragma once

/// What the tests of check-backend share.

#include "run_command.hpp"
#include "support/build_tree.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace backplane::test {

inline CommandResult CheckWith(const std::vector<std::string>& arguments,
                               const CommandSettings& settings = {}) {
  CommandResult result = RunCommand(InBuildTree(BACKPLANE_CHECK_BACKEND), arguments, settings);
  result.err = JoinDiagnosticLines(result.err);
  return result;
}

/// A file of the mock backends, by its path in their folder.
inline std::string GetMockFile(const std::string& path) {
  return InBuildTree("mock-backends/" + path);
}

/// The backend that is correct unless it is told to make a mistake.
inline std::string GetMutants() {
  return GetMockFile("mutants/Mock_Mutants_backend.so");
}

/// The row of a rule in a report, or null.
inline nlohmann::json FindRule(const nlohmann::json& report, const std::string& id) {
  for (const auto& row : report["rules"]) {
    if (row["rule"] == id) return row;
  }
  return nullptr;
}

/// What was done and seen in all findings of a rule.
inline std::string JoinFindings(const nlohmann::json& rule) {
  std::string text;
  for (const auto& finding : rule["findings"]) {
    text += "did: " + finding["done"].get<std::string>() +
            "\nseen: " + finding["seen"].get<std::string>() +
            "\nexpected: " + finding["expected"].get<std::string>() + '\n';
  }
  return text;
}

}  // namespace backplane::test
