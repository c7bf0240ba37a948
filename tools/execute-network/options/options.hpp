#pragma once

#include <backplane/api/tensor_info.hpp>
#include <backplane/host/isolation.hpp>
#include <backplane/host/options.hpp>
#include <backplane/runtime/i_runtime.hpp>

#include "command_line/fail_on_warning.hpp"
#include "command_line/log_options.hpp"
#include "images/image_options.hpp"
#include "results/compare.hpp"
#include "results/output_files.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace backplane::execute_network {

enum class ReportFormat { kText, kJson };

/// Layers by a glob over their names, and the backend that they are to run on.
struct LayerBackend {
  std::string pattern;
  std::string backend_id;
};

/// What the command line asks for.
struct Options {
  std::string model;
  std::vector<std::string> backends;  // preferences
  UserBackends user_backends = UserBackends::kLeave;
  std::vector<LayerBackend> layer_backends;  // of several for a layer, the last holds
  HintPolicy hints = HintPolicy::kFallBack;
  PreferencePolicy policy = PreferencePolicy::kWeighCrossings;
  std::optional<std::uint64_t> max_copied_bytes;  // in one run; none: any number
  std::vector<OptionText> backend_options;        // as they were written
  std::optional<std::uint32_t> threads;           // for the backends that have the option
  std::string compiled_cache;                     // absolute, or "": nothing is kept
  std::string backends_path;                      // absolute, or ""
  std::vector<std::string> disabled;
  std::vector<std::string> isolated;  // ids, or globs of ids or of file names
  Sandbox sandbox = Sandbox::kNone;   // of those; of all when there are none
  SandboxPermissions permissions = SandboxPermissions::kGranted;
  BackendProbe probe = BackendProbe::kChild;
  ProbeSettings probe_settings;
  std::vector<VariantPin> variants;
  TrustOptions trust;
  std::map<std::string, std::string> input_files;     // by the name of the input
  std::map<std::string, std::string> expected_files;  // by the name of the output
  std::map<std::string, TensorShape> shapes;          // by the name of the input
  // By the name of the input; "": from the data set.
  std::map<std::string, std::string> constant_files;
  ImageOptions images;
  std::string test_data;
  WantedTolerance tolerance;
  std::string output_dir;  // absolute, or ""
  OutputFormat output_format = OutputFormat::kTensorProto;
  std::string labels_file;
  std::optional<std::uint32_t> top;  // how many classes; none: as many as labels ask for
  std::string trace_file;            // absolute, or ""
  std::uint32_t iterations = 1;
  std::uint32_t warmup = 1;
  std::uint32_t concurrency = 1;                      // how many threads run the network
  std::optional<std::uint32_t> run_timeout_ms;        // of one run; none: as long as it takes
  FailurePolicy on_failure = FailurePolicy::kFail;    // of a backend in a run
  MemoryUse memory_use = MemoryUse::kImportElseCopy;  // of inputs and outputs
  CheckFlags checks = kNoChecks;
  std::string reference;  // the backend that layers are compared with, or ""
  command_line::WarningPolicy warnings = command_line::WarningPolicy::kTell;
  std::string dot_file;  // absolute, or ""
  bool is_explaining = false;
  ReportFormat format = ReportFormat::kText;
  command_line::LogOptions log;
};

/// Reads the command line. Nothing when it asked for --help or --version, which are then printed.
/// Errors: DiagnosticException with kUsageError or kUnknownOption.
std::optional<Options> ParseOptions(int argc, const char* const* argv);

}  // namespace backplane::execute_network
