#pragma once

#include <backplane/host/scan.hpp>

#include <optional>
#include <string>
#include <vector>

namespace backplane::list_backends {

enum class Format { kTable, kJson };
enum class SkippedFiles { kHide, kShow };

/// What was asked for on the command line.
struct Options {
  std::vector<std::string> paths;  // directories or files as given; empty: the compiled-in paths
  Format format = Format::kTable;
  SkippedFiles skipped_files = SkippedFiles::kHide;
  std::string explain;  // a file or an id; empty: everything, as a table
  ProbeMode probe = ProbeMode::kInProcess;
  std::vector<std::string> disabled;
  std::string log_level;  // as EnableLogging takes it; empty: BACKPLANE_LOG decides
  std::string log_file;
};

/// The outcome of reading the command line: options to go on with, or a text to end with.
struct ParsedCommandLine {
  std::optional<Options> options;
  std::string text;   // when there are no options: help or version, or what was wrong
  int exit_code = 0;  // when there are no options
};

ParsedCommandLine ParseCommandLine(int argc, const char* const* argv);

}  // namespace backplane::list_backends
