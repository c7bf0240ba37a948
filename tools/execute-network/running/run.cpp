#include "running/run.hpp"

#include "inputs/cases.hpp"
#include "results/output_files.hpp"
#include "results/result_file.hpp"
#include "running/compare_layers.hpp"
#include "running/create_runtime.hpp"
#include "running/describe_outputs.hpp"
#include "running/layer_backends.hpp"
#include "running/prepare_inputs.hpp"
#include "running/progress.hpp"
#include "running/session.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace backplane::execute_network {
namespace {

namespace fs = std::filesystem;
using Shapes = std::map<std::string, TensorShape>;

void DescribeNetwork(const Session& session, const Case& one_case, Report& report) {
  report.placement = session.GetPlacement();
  report.memory = session.GetMemoryReport();
  for (const NetworkBinding& input : session.GetInputs()) {
    const auto value = one_case.values.find(input.name);
    if (value != one_case.values.end()) {
      const Tensors tensors = Flatten(input.name, value->second.value);
      for (const onnx::NamedTensor& tensor : tensors) {
        report.inputs.push_back({tensor.name, tensor.info, value->second.path});
      }
      if (tensors.empty()) {
        report.inputs.push_back({input.name, {}, value->second.path, InputRole::kInput, true});
      }
      continue;
    }
    const auto file = one_case.inputs.find(input.name);
    const bool is_given = file != one_case.inputs.end();
    report.inputs.push_back({input.name, is_given ? file->second.tensor.info : input.info,
                             is_given ? file->second.path : "seeded", InputRole::kInput});
  }
  for (const auto& [name, file] : one_case.constants) {
    report.inputs.push_back({name, file.tensor.info, file.path, InputRole::kConstant});
  }
}

void WriteOutputs(const Options& options, const Case& one_case, const RunMemory& memory) {
  if (options.output_dir.empty()) return;
  WriteOutputFiles((fs::path(options.output_dir) / one_case.data_set).string(),
                   options.output_format, memory.MakeValues());
}

/// What the host warns of in the files of the backends that have layers of a plan.
std::vector<Diagnostic> CollectBackendWarnings(const LoadReport& report,
                                               const Placement& placement) {
  std::set<std::string> used;
  for (const LayerPlacement& layer : placement.layers) used.insert(layer.backend_id);
  std::vector<Diagnostic> warnings;
  for (const Candidate& candidate : report.candidates) {
    const bool is_used = candidate.status == CandidateStatus::kLoaded && candidate.identity &&
                         used.count(candidate.identity->id) != 0;
    if (!is_used) continue;
    std::copy_if(
        candidate.diagnostics.begin(), candidate.diagnostics.end(), std::back_inserter(warnings),
        [](const Diagnostic& diagnostic) { return diagnostic.severity == Severity::kWarning; });
  }
  if (report.joint_run) {
    const std::vector<Diagnostic>& doubts = report.joint_run->diagnostics;
    warnings.insert(warnings.end(), doubts.begin(), doubts.end());
  }
  return warnings;
}

std::vector<Diagnostic> CollectWarnings(const IRuntime& runtime, const Session& session) {
  std::vector<Diagnostic> warnings =
      CollectBackendWarnings(runtime.GetLoadReport(), session.GetPlacement());
  const std::vector<Diagnostic>& more = session.GetWarnings();
  warnings.insert(warnings.end(), more.begin(), more.end());
  return warnings;
}

// What was told when the network was loaded is there already.
void AddNew(const std::vector<Diagnostic>& found, std::vector<Diagnostic>& warnings) {
  for (const Diagnostic& warning : found) {
    const bool is_known =
        std::any_of(warnings.begin(), warnings.end(),
                    [&](const Diagnostic& known) { return ToText(known) == ToText(warning); });
    if (!is_known) warnings.push_back(warning);
  }
}

std::string NameBackends(const Placement& placement) {
  std::set<std::string> ids;
  for (const LayerPlacement& layer : placement.layers) ids.insert(layer.backend_id);
  std::string text;
  for (const std::string& id : ids) text += (text.empty() ? " on " : ", ") + id;
  return text;
}

/// Keeps one session and replaces it when shapes or constants change. Where all cases have shapes
/// in common, with extents open in which they differ, there is one session for all.
class Sessions {
 public:
  Sessions(const PreparedRuntime& runtime, RunGuard& guard, const Options& options,
           onnx::ModelFile& model, std::optional<Shapes> common_shapes,
           command_line::WatchedProcess& process, Report& report)
      : runtime_(runtime),
        guard_(guard),
        options_(options),
        model_(model),
        common_shapes_(std::move(common_shapes)),
        process_(process),
        report_(report) {}

  Session& Get(const Case& one_case) {
    const Shapes own = CollectShapes(options_, one_case);
    try {
      return GetFor({common_shapes_.value_or(own), one_case.constants});
    } catch (const DiagnosticException&) {
      if (!common_shapes_ || *common_shapes_ == own) throw;
    }
    // Not every model can be loaded with open extents.
    common_shapes_.reset();
    return GetFor({own, one_case.constants});
  }

  std::size_t GetNumLoaded() const { return num_loaded_; }

  /// Puts into the report what became of the session when a backend failed.
  void TellFallback() {
    if (session_ == nullptr) return;
    FallbackReport fallback = session_->GetFallbackReport();
    if (fallback.outcome) report_.fallbacks.push_back(std::move(fallback));
  }

 private:
  Session& GetFor(const LoadInputs& inputs) {
    std::map<std::string, std::string> files;
    for (const auto& [name, file] : inputs.constants) files.emplace(name, file.path);
    if (session_ == nullptr || inputs.shapes != shapes_ || files != constant_files_) {
      process_.Begin("while the network was placed and loaded");
      TellFallback();
      session_.reset();
      session_ = std::make_unique<Session>(runtime_, guard_, options_, model_, inputs);
      ++num_loaded_;
      shapes_ = inputs.shapes;
      constant_files_ = std::move(files);
    }
    process_.Begin("while the network ran" + NameBackends(session_->GetPlacement()));
    return *session_;
  }

  const PreparedRuntime& runtime_;
  RunGuard& guard_;
  const Options& options_;
  onnx::ModelFile& model_;
  std::optional<Shapes> common_shapes_;
  command_line::WatchedProcess& process_;
  Report& report_;
  Shapes shapes_;
  std::map<std::string, std::string> constant_files_;
  std::unique_ptr<Session> session_;
  std::size_t num_loaded_ = 0;
};

std::optional<StagesReport> SummariseStages(const std::optional<std::vector<PlanReport>>& plans) {
  if (!plans) return std::nullopt;
  StagesReport stages;
  for (const PlanReport& plan : *plans) {
    if (plan.is_within) continue;
    stages.num_stages += plan.stages.size();
    for (const StageReport& stage : plan.stages) {
      stages.operations.insert(stages.operations.end(), stage.operations.begin(),
                               stage.operations.end());
    }
  }
  return stages;
}

/// The first case is what the report describes and measures; the others are only compared.
enum class CaseRole { kMeasured, kCompared };

void RunCase(const Options& options, const Case& one_case, CaseRole role,
             const Classifier& classifier, Session& session, Progress& progress, Report& report) {
  const RunInputs inputs = PrepareInputs(session.GetInputs(), one_case);
  std::vector<RunMemory> memories;
  if (role == CaseRole::kMeasured) {
    DescribeNetwork(session, one_case, report);
    Measurement measurement = Measure(options, session, inputs, progress);
    report.latency = Summarise(one_case.data_set, measurement.times);
    // What the reports below are of, also when a backend has failed.
    report.placement = session.GetRunPlacement();
    AddNew(report.placement.warnings, report.warnings);
    report.stages = SummariseStages(session.GetPlans());
    if (report.stages) {
      for (Diagnostic& warning : WarnOfUnmatched(options.layer_backends, report.placement)) {
        report.warnings.push_back(std::move(warning));
      }
    }
    report.memory = session.GetMemoryReport();
    report.memory_use = session.GetTransferReport();
    report.copies = CollectCopies(report.placement, report.memory_use);
    memories = std::move(measurement.outputs);
  } else {
    memories.push_back(session.MakeOutputs());
    session.Run(session.MakeInputs(inputs), memories.front());
    progress.Step();
  }
  DescribeOutputs(options, one_case, memories, classifier, report);
  WriteOutputs(options, one_case, memories.front());
}

// The file may be standard output.
void WriteResult(command_line::WatchedProcess& process, const std::string& option,
                 const std::string& what, const std::string& path, const std::string& content) {
  const command_line::WatchedProcess::Results results(process);
  WriteResultFile(option, what, path, content);
}

std::optional<std::chrono::milliseconds> GetRunTimeout(const Options& options) {
  if (!options.run_timeout_ms) return std::nullopt;
  return std::chrono::milliseconds(*options.run_timeout_ms);
}

}  // namespace

namespace {

void RunCases(const Options& options, onnx::ModelFile& model, const std::vector<Case>& cases,
              command_line::WatchedProcess& process, const RunGuard::GiveUp& give_up,
              Report& report) {
  const Classifier classifier(options.labels_file, options.top);
  auto common_shapes = CollectCommonShapes(options, cases, model.GetDescription().inputs);
  process.Begin("while the backends were looked for");
  const PreparedRuntime runtime = CreateRuntime(options);
  RunGuard guard(*runtime.runtime, GetRunTimeout(options), give_up);
  Sessions sessions(runtime, guard, options, model, std::move(common_shapes), process, report);
  const std::size_t num_runs_each = std::size_t{options.warmup} + options.iterations;
  Progress progress(num_runs_each * options.concurrency + cases.size() - 1);
  for (const Case& one_case : cases) {
    const CaseRole role = &one_case == &cases.front() ? CaseRole::kMeasured : CaseRole::kCompared;
    Session& session = sessions.Get(one_case);
    if (options.checks != kNoChecks && sessions.GetNumLoaded() > report.checks.size()) {
      report.checks.emplace_back();
    }
    if (role == CaseRole::kMeasured) {
      report.warnings = CollectWarnings(*runtime.runtime, session);
      AddNew(runtime.warnings, report.warnings);
    }
    // The plan is there before the network runs, or only then.
    const bool writes_dot = role == CaseRole::kMeasured && !options.dot_file.empty();
    const auto write_dot = [&] {
      WriteResult(process, "--dot", "the plan", options.dot_file, ToDot(session.GetRunPlacement()));
    };
    if (writes_dot && !session.GetPlans()) write_dot();
    RunCase(options, one_case, role, classifier, session, progress, report);
    if (writes_dot && session.GetPlans()) write_dot();
    if (options.checks != kNoChecks) report.checks.back() = session.GetCheckReport();
  }
  sessions.TellFallback();
  process.Begin("while everything was being closed");
  if (!options.trace_file.empty()) {
    report.profile = runtime.runtime->GetProfile();
    report.trace_file = options.trace_file;
    WriteResult(process, "--trace", "the trace", report.trace_file, ToChromeTrace(*report.profile));
  }
}

}  // namespace

void RunModel(const Options& options, command_line::WatchedProcess& process,
              const RunGuard::GiveUp& give_up, Report& report) {
  report.model = options.model;
  // What is wrong with the files is said before any backend is opened.
  onnx::ModelFile model(options.model);
  const onnx::ModelDescription& description = model.GetDescription();
  const std::vector<Case> cases = ReadCases(options, description.inputs, description.outputs);
  RunCases(options, model, cases, process, give_up, report);
  if (options.reference.empty()) return;
  process.Begin("while its layers were compared with those of " + options.reference);
  report.layers = CompareLayers(options, model, cases, give_up);
}

}  // namespace backplane::execute_network
