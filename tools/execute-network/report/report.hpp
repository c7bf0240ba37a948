#pragma once

#include <backplane/runtime/i_runtime.hpp>
#include <backplane/runtime/number_scan.hpp>

#include "command_line/terminal.hpp"
#include "report/latency.hpp"
#include "results/compare.hpp"
#include "results/layer_comparison.hpp"
#include "results/top_classes.hpp"

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
  bool is_empty = false;  // a sequence without tensors, or nothing; `info` is not known
};

struct OutputReport {
  std::string data_set;  // "" without --test-data
  std::string name;
  TensorInfo info;
  std::optional<Comparison> comparison;  // none: nothing to compare with
  std::optional<Classification> classification;
  std::optional<NumberScan> numbers;  // of the thread with most NaN and infinities; or none can be
};

/// An output that was a sequence without tensors, or nothing.
struct EmptyOutput {
  std::string data_set;  // "" without --test-data
  std::string name;
  bool is_expected = false;  // false: something else, or nothing to compare with
};

/// How a network ran whose plans are made when it runs.
struct StagesReport {
  std::size_t num_stages = 0;           // of all plans
  std::vector<std::string> operations;  // that the core ran between them
};

/// A tensor that a run copies from one memory to another.
struct CopyReport {
  std::string edge;      // as "conv1 -> Npu"
  std::string strategy;  // "device copy", "map and copy", or "copy" for data of the application
  std::uint64_t size_bytes = 0;
  std::string why;
};

/// What is copied in one run: between kinds of tensor memory as the plan says, and to and from the
/// application as the runs say, because only they know its memory. Of these, the bytes are the mean
/// of the runs that copied.
std::vector<CopyReport> CollectCopies(const Placement& placement, const TransferReport& memory_use);

/// What one call of the command found out. Placement, memory use, copies, latency, memory and
/// inputs are those of the first case; placement and memory as they were after its runs.
struct Report {
  std::string model;
  Placement placement;
  std::optional<StagesReport> stages;  // of a network that is open
  std::vector<InputReport> inputs;
  TransferReport memory_use;  // of all runs, also of those that are not measured
  std::vector<CopyReport> copies;
  Latency latency;
  MemoryReport memory;
  std::vector<OutputReport> outputs;
  std::vector<EmptyOutput> empty_outputs;
  std::vector<CheckReport> checks;      // of each loaded model; none: nothing was checked
  std::vector<LayerComparison> layers;  // of each data set, when layers were compared
  std::vector<Diagnostic> warnings;
  std::vector<FallbackReport> fallbacks;  // one each time that the model was placed elsewhere
  std::string trace_file;                 // "" when none was written
  std::optional<Profile> profile;         // what is in it
};

/// The outputs that were compared, and those of them that differ.
struct Verdict {
  std::size_t num_compared = 0;
  std::size_t num_different = 0;
};
Verdict Judge(const Report& report);

/// Whether an output, or a layer that was compared, differs.
bool HasDifference(const Report& report);

/// For people.
std::string ToText(const Report& report, bool is_explaining,
                   const command_line::Terminal& terminal);

/// One JSON object with "schema": 1.
std::string ToJson(const Report& report);

}  // namespace backplane::execute_network
