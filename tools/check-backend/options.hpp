#pragma once

#include "command_line/log_options.hpp"
#include "command_line/usage.hpp"

#include <backplane/host/scan.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace backplane::check_backend {

constexpr int kExitKept = 0;        // nothing was found
constexpr int kExitBroken = 1;      // at least one rule is broken
constexpr int kExitNotChecked = 2;  // the file could not be checked: it does not load
constexpr int kExitUsage = command_line::kExitUsage;

struct Rule;

enum class Format { kText, kJson, kJunit };

struct Options {
  std::string file;                // absolute
  std::vector<std::string> rules;  // ids or names of families; empty: all
  std::uint32_t seed = 1;
  std::optional<std::uint32_t> only_case;
  std::uint32_t timeout_seconds = 20;
  bool is_quick = false;
  bool fails_on_warning = false;
  bool lists_rules = false;
  std::string distribution;  // "debian:11"; empty: none is stated
  bool measures_speed = false;
  std::vector<std::string> rivals;  // files of backends to measure beside
  std::vector<std::string> models;  // ONNX files to measure with
  Format format = Format::kText;
  command_line::LogOptions log;
};

/// Nothing: help or version was asked for, and printed.
/// Errors: DiagnosticException with kUsageError or kUnknownOption.
std::optional<Options> ParseOptions(int argc, const char* const* argv);

/// Whether a rule is among those that were asked for.
bool IsWanted(const Rule& rule, const Options& options);

}  // namespace backplane::check_backend
