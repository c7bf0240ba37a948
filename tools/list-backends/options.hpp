#pragma once

#include "command_line/fail_on_warning.hpp"
#include "command_line/log_options.hpp"

#include <backplane/host/scan.hpp>

#include <optional>
#include <string>
#include <vector>

namespace backplane::list_backends {

enum class Format { kTable, kJson };
enum class SkippedFiles { kHide, kShow };

/// What was asked for on the command line.
struct Options {
  std::vector<std::string> paths;  // directories or files as given; empty: the configured ones
  UserBackends user_backends = UserBackends::kLeave;
  Format format = Format::kTable;
  SkippedFiles skipped_files = SkippedFiles::kHide;
  std::string explain;  // a file or an id; empty: everything, as a table
  ProbeMode probe = ProbeMode::kChild;
  ProbeSettings probe_settings;
  std::vector<std::string> disabled;
  std::vector<VariantPin> variants;
  TrustOptions trust;
  std::string program;  // beside whose libraries they are judged; empty: this command's
  command_line::WarningPolicy warnings = command_line::WarningPolicy::kTell;
  command_line::LogOptions log;
};

/// Reads the command line. Nothing when it asked for --help or --version, which are then printed.
/// Errors: DiagnosticException with kUsageError or kUnknownOption.
std::optional<Options> ParseOptions(int argc, const char* const* argv);

}  // namespace backplane::list_backends
