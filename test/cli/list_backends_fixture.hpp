#pragma once

/// What the tests of list-backends share.

#include "mock_rows.hpp"
#include "run_command.hpp"
#include "support/build_tree.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

namespace backplane::test {

/// What is written to standard error has each diagnostic in one line.
inline CommandResult ListWith(const std::vector<std::string>& arguments,
                              const CommandSettings& settings = {}) {
  CommandResult result =
      RunCommand(test::InBuildTree(BACKPLANE_LIST_BACKENDS), arguments, settings);
  result.err = JoinDiagnosticLines(result.err);
  return result;
}

/// Replaces the number in front of " us" at the end of a line, and the spaces before it.
inline std::string HideTimes(const std::string& text) {
  std::string hidden;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t unit = line.size() > 3 ? line.size() - 3 : 0;
    if (line.compare(unit, 3, " us") == 0) {
      const std::size_t number = line.find_last_not_of("0123456789", unit - 1);
      line.erase(line.find_last_not_of(' ', number) + 1);
      line += "  <time>";
    }
    hidden += line + '\n';
  }
  return hidden;
}

/// Replaces the directory in front of the page of diagnostics.
inline std::string HidePage(const std::string& text) {
  const std::string label = "More on each code: ";
  const std::size_t begin = text.find(label + '/');
  if (begin == std::string::npos) return text;
  const std::size_t path = begin + label.size();
  const std::size_t name = text.rfind('/', text.find('\n', path)) + 1;
  return text.substr(0, path) + "<docs>/" + text.substr(name);
}

/// Replaces what is told about files, which differs from build to build.
inline std::string HideFacts(std::string text) {
  for (std::size_t at = text.find("\n  size  "); at != std::string::npos;
       at = text.find("\n  size  ", at + 1)) {
    text.replace(at, text.find("\n\n", at) - at, "\n  <facts>");
  }
  return text;
}

/// Tests with a directory of their own, empty at first.
class ListBackends : public ::testing::Test {
 protected:
  void Add(const std::vector<std::string>& rows) const {
    for (const std::string& row : rows) directory_.Add(row);
  }

  /// One of every kind that an operator meets.
  void AddMixed() const {
    Add({"Runs", "ValidA", "LinkTarget", "LinkMinor", "VersionHighest", "VersionMiddle",
         "VersionLowest", "TextFile", "NoGetVersion", "FactoryThrows", "FactoryUnavailable",
         "DuplicateFirst", "DuplicateForeign", "NameWithHyphen"});
  }

  std::string GetFile(const std::string& row) const {
    return GetPath() + '/' + std::filesystem::path(GetMockRow(row).path).filename().string();
  }

  const std::string& GetPath() const { return directory_.GetPath(); }

  /// Without what differs between runs.
  std::string Normalise(const std::string& text) const {
    const std::string same_length = GetPath().substr(0, GetPath().size() - 6) + "XXXXXX";
    return HidePage(HideTimes(HideFacts(ReplaceAll(text, GetPath(), same_length))));
  }

 private:
  MockDirectory directory_;
};

}  // namespace backplane::test
