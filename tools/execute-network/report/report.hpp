#pragma once

#include <backplane/runtime/i_runtime.hpp>

#include "command_line/terminal.hpp"
#include "report/copies.hpp"
#include "results/compare.hpp"
#include "results/top_classes.hpp"
#include "running/measure.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace backplane::execute_network {

/// Whether an input has its data at every run, or once when the model is loaded.
enum class InputRole { kInput, kConstant };

struct InputReport {
  std::string name;
  TensorInfo info;
  std::string source;  // a file, or "seeded"
  InputRole role = InputRole::kInput;
};

struct OutputReport {
  std::string data_set;  // "" without --test-data
  std::string name;
  TensorInfo info;
  std::optional<Comparison> comparison;  // none: nothing to compare with
  std::optional<Classification> classification;
};

struct Latency {
  std::string data_set;  // "" without --test-data
  double min_ms = 0;
  double median_ms = 0;
  double mean_ms = 0;
  // The least times that so many percent of the runs do not exceed.
  double p90_ms = 0;
  double p95_ms = 0;
  double p99_ms = 0;
  double max_ms = 0;
  std::size_t iterations = 0;   // of all threads together
  std::size_t concurrency = 1;  // how many threads ran at once
  double runs_per_second = 0;
};

/// Of measured runs, at least one, of one data set.
Latency Summarise(const std::string& data_set, const Measurement& measurement);

/// What one call of the command found out. Placement, memory use, copies, latency, memory and
/// inputs are those of the first case.
struct Report {
  std::string model;
  Placement placement;
  std::vector<InputReport> inputs;
  TransferReport memory_use;  // of all runs, also of those that are not measured
  std::vector<CopyReport> copies;
  Latency latency;
  MemoryReport memory;
  std::vector<OutputReport> outputs;
  std::vector<Diagnostic> warnings;
  std::string trace_file;          // "" when none was written
  std::optional<Profile> profile;  // what is in it
};

/// The outputs that were compared, and those of them that differ.
struct Verdict {
  std::size_t num_compared = 0;
  std::size_t num_different = 0;
};
Verdict Judge(const Report& report);

/// For people.
std::string ToText(const Report& report, bool is_explaining,
                   const command_line::Terminal& terminal);

/// One JSON object with "schema": 1.
std::string ToJson(const Report& report);

}  // namespace backplane::execute_network
