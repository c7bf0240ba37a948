#pragma once

/// Runs a command as an operator does, and keeps what it wrote.

#include <string>
#include <vector>

namespace backplane::test {

struct CommandResult {
  int exit_code = -1;  // -1: it was ended by a signal
  std::string out;
  std::string err;
};

struct CommandSettings {
  std::vector<std::string> environment;  // NAME=value, added to PATH and LC_ALL=C.UTF-8
  std::string directory;                 // where it runs; empty: here
  std::string out_file;                  // where its output goes instead of CommandResult::out
};

/// Output that was asked for as JSON is held against the published schema.
CommandResult RunCommand(const std::string& program, const std::vector<std::string>& arguments,
                         const CommandSettings& settings = {});

/// Runs it with a terminal of this width as standard output; errors go there too.
CommandResult RunOnTerminal(const std::string& program, const std::vector<std::string>& arguments,
                            unsigned short width, const CommandSettings& settings = {});

/// Compares a text with golden/<name>.txt, and fails the test where they differ. With
/// BACKPLANE_UPDATE_GOLDEN set, writes the file instead.
void ExpectGolden(const std::string& name, const std::string& text);

/// Diagnostics as they are laid out in lines, each in one: "error BP3004: what; why; fix".
std::string JoinDiagnosticLines(const std::string& text);

/// Replaces every `from` by `to`.
std::string ReplaceAll(std::string text, const std::string& from, const std::string& to);

}  // namespace backplane::test
