#include "run.hpp"

#include "create_runtime.hpp"
#include "inputs.hpp"
#include "measure.hpp"
#include "progress.hpp"
#include "result_file.hpp"
#include "seeded_data.hpp"
#include "session.hpp"

#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

namespace backplane::execute_network {
namespace {

namespace fs = std::filesystem;

Tensors PrepareInputs(const Session& session, const Case& one_case) {
  Tensors tensors;
  for (const NetworkBinding& input : session.GetInputs()) {
    const auto file = one_case.inputs.find(input.name);
    tensors.push_back(file != one_case.inputs.end() ? file->second.tensor
                                                    : MakeSeededTensor(input.name, input.info));
  }
  return tensors;
}

void DescribeNetwork(const Session& session, const Case& one_case, Report& report) {
  report.placement = session.GetPlacement();
  report.memory = session.GetMemoryReport();
  report.warnings = session.GetWarnings();
  for (const NetworkBinding& input : session.GetInputs()) {
    const auto file = one_case.inputs.find(input.name);
    report.inputs.push_back(
        {input.name, input.info, file != one_case.inputs.end() ? file->second.path : "seeded"});
  }
}

void WriteOutputs(const Options& options, const Case& one_case, const Tensors& outputs) {
  if (options.output_dir.empty()) return;
  const fs::path folder = fs::path(options.output_dir) / one_case.data_set;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw DiagnosticException({DiagnosticCode::kOutputUnwritable,
                               Severity::kError,
                               {SubjectKind::kDirectory, folder.string()},
                               "the folder " + folder.string() + " cannot be made",
                               error.message(),
                               "give another --output-dir",
                               {}});
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const fs::path path = folder / ("output_" + std::to_string(i) + ".pb");
    onnx::WriteTensorFile(path.string(), outputs[i]);
  }
}

// Of the runs of several threads, the one that is farthest off speaks for all.
bool IsWorse(const Comparison& candidate, const std::optional<Comparison>& worst) {
  if (!worst) return true;
  if (candidate.is_equal != worst->is_equal) return worst->is_equal;
  return candidate.max_abs_error.value_or(0) > worst->max_abs_error.value_or(0);
}

void CompareOutputs(const Options& options, const Case& one_case, const std::vector<Tensors>& runs,
                    Report& report) {
  std::vector<std::string> names;
  for (const auto& output : runs.front()) names.push_back(output.name);
  const FileTensors expected = ReadExpected(options, one_case, names);
  for (std::size_t i = 0; i < names.size(); ++i) {
    OutputReport row{one_case.data_set, names[i], runs.front()[i].info, {}};
    const auto file = expected.find(names[i]);
    for (const Tensors& outputs : runs) {
      if (file == expected.end()) break;
      Comparison comparison = Compare(outputs[i], file->second.tensor, options.tolerance);
      if (IsWorse(comparison, row.comparison)) row.comparison = std::move(comparison);
    }
    report.outputs.push_back(std::move(row));
  }
}

/// Keeps one session and replaces it when the shapes change.
class Sessions {
 public:
  Sessions(const PreparedRuntime& runtime, const Options& options)
      : runtime_(runtime), options_(options) {}

  Session& Get(const std::map<std::string, TensorShape>& shapes) {
    if (session_ == nullptr || shapes != shapes_) {
      session_.reset();
      session_ = std::make_unique<Session>(runtime_, options_, shapes);
      shapes_ = shapes;
    }
    return *session_;
  }

 private:
  const PreparedRuntime& runtime_;
  const Options& options_;
  std::map<std::string, TensorShape> shapes_;
  std::unique_ptr<Session> session_;
};

/// The first case is what the report describes and measures; the others are only compared.
enum class CaseRole { kMeasured, kCompared };

void RunCase(const Options& options, const Case& one_case, CaseRole role, Session& session,
             Progress& progress, Report& report) {
  const Tensors inputs = PrepareInputs(session, one_case);
  std::vector<Tensors> outputs;
  if (role == CaseRole::kMeasured) {
    DescribeNetwork(session, one_case, report);
    if (!options.dot_file.empty()) {
      WriteResultFile("--dot", "the plan", options.dot_file, ToDot(report.placement));
    }
    Measurement measurement = Measure(options, session, inputs, progress);
    report.latency = Summarise(one_case.data_set, measurement);
    report.memory_use = session.GetTransferReport();
    report.copies = CollectCopies(report.placement, report.memory_use);
    outputs = std::move(measurement.outputs);
  } else {
    outputs.push_back(PrepareOutputs(session));
    session.Run(inputs, outputs.front());
    progress.Step();
  }
  CompareOutputs(options, one_case, outputs, report);
  WriteOutputs(options, one_case, outputs.front());
}

}  // namespace

Report RunModel(const Options& options) {
  // What is wrong with the files is said before any backend is opened.
  const std::vector<Case> cases = ReadCases(options, onnx::ReadModelInputs(options.model));
  const PreparedRuntime runtime = CreateRuntime(options);
  Sessions sessions(runtime, options);
  const std::size_t num_runs_each = std::size_t{options.warmup} + options.iterations;
  Progress progress(num_runs_each * options.concurrency + cases.size() - 1);
  Report report;
  report.model = options.model;
  for (const Case& one_case : cases) {
    const CaseRole role = &one_case == &cases.front() ? CaseRole::kMeasured : CaseRole::kCompared;
    Session& session = sessions.Get(CollectShapes(options, one_case));
    RunCase(options, one_case, role, session, progress, report);
  }
  if (!options.trace_file.empty()) {
    report.profile = runtime.runtime->GetProfile();
    report.trace_file = options.trace_file;
    WriteResultFile("--trace", "the trace", report.trace_file, ToChromeTrace(*report.profile));
  }
  return report;
}

}  // namespace backplane::execute_network
