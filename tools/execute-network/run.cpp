#include "run.hpp"

#include "inputs.hpp"
#include "progress.hpp"
#include "seeded_data.hpp"
#include "session.hpp"
#include "trace.hpp"

#include <filesystem>
#include <system_error>

namespace backplane::execute_network {
namespace {

namespace fs = std::filesystem;

using Tensors = std::vector<onnx::NamedTensor>;

std::unique_ptr<IRuntime> CreateRuntime(const Options& options) {
  CreationOptions creation_options;
  creation_options.dynamic_backends_path = options.backends_path;
  creation_options.disabled_backends = options.disabled;
  creation_options.trust = options.trust;
  creation_options.probe = options.probe;
  creation_options.probe_settings = options.probe_settings;
  if (!options.trace_file.empty()) {
    creation_options.profiling.state = ProfilingState::kOn;
    creation_options.profiling.counters = CounterChoice::kAll;
  }
  return IRuntime::Create(creation_options);
}

Tensors PrepareInputs(const Session& session, const Case& one_case) {
  Tensors tensors;
  for (const NetworkBinding& input : session.GetInputs()) {
    const auto file = one_case.inputs.find(input.name);
    tensors.push_back(file != one_case.inputs.end() ? file->second.tensor
                                                    : MakeSeededTensor(input.name, input.info));
  }
  return tensors;
}

Tensors PrepareOutputs(const Session& session) {
  Tensors tensors;
  for (const NetworkBinding& output : session.GetOutputs()) {
    tensors.push_back(
        {output.name, output.info, std::vector<unsigned char>(output.info.GetSizeBytes())});
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
    report.copies.push_back({"application -> " + input.name, input.info.GetSizeBytes(),
                             "inputs are copied into the network's memory"});
  }
  for (const NetworkBinding& output : session.GetOutputs()) {
    report.copies.push_back({output.name + " -> application", output.info.GetSizeBytes(),
                             "outputs are copied out of the network's memory"});
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

void CompareOutputs(const Options& options, const Case& one_case, const Tensors& outputs,
                    Report& report) {
  std::vector<std::string> names;
  for (const auto& output : outputs) names.push_back(output.name);
  const FileTensors expected = ReadExpected(options, one_case, names);
  for (const auto& output : outputs) {
    OutputReport row{one_case.data_set, output.name, output.info, {}};
    const auto file = expected.find(output.name);
    if (file != expected.end()) {
      row.comparison = Compare(output, file->second.tensor, options.tolerance);
    }
    report.outputs.push_back(std::move(row));
  }
}

/// Keeps one session and replaces it when the shapes change.
class Sessions {
 public:
  Sessions(IRuntime& runtime, const Options& options) : runtime_(runtime), options_(options) {}

  Session& Get(const std::map<std::string, TensorShape>& shapes) {
    if (session_ == nullptr || shapes != shapes_) {
      session_.reset();
      session_ = std::make_unique<Session>(runtime_, options_, shapes);
      shapes_ = shapes;
    }
    return *session_;
  }

 private:
  IRuntime& runtime_;
  const Options& options_;
  std::map<std::string, TensorShape> shapes_;
  std::unique_ptr<Session> session_;
};

/// Measures the runs behind the warm-up. Gives the time of each.
std::vector<double> Measure(const Options& options, Session& session, const Tensors& inputs,
                            Tensors& outputs, Progress& progress) {
  for (std::uint32_t i = 0; i < options.warmup; ++i) {
    session.Run(inputs, outputs);
    progress.Step();
  }
  std::vector<double> times_ms;
  for (std::uint32_t i = 0; i < options.iterations; ++i) {
    times_ms.push_back(session.Run(inputs, outputs));
    progress.Step();
  }
  return times_ms;
}

/// The first case is what the report describes and measures; the others are only compared.
enum class CaseRole { kMeasured, kCompared };

void RunCase(const Options& options, const Case& one_case, CaseRole role, Session& session,
             Progress& progress, Report& report) {
  const Tensors inputs = PrepareInputs(session, one_case);
  Tensors outputs = PrepareOutputs(session);
  if (role == CaseRole::kMeasured) {
    DescribeNetwork(session, one_case, report);
    report.latency =
        Summarise(one_case.data_set, Measure(options, session, inputs, outputs, progress));
  } else {
    session.Run(inputs, outputs);
    progress.Step();
  }
  CompareOutputs(options, one_case, outputs, report);
  WriteOutputs(options, one_case, outputs);
}

}  // namespace

Report RunModel(const Options& options) {
  // What is wrong with the files is said before any backend is opened.
  const std::vector<Case> cases = ReadCases(options, onnx::ReadModelInputs(options.model));
  const std::unique_ptr<IRuntime> runtime = CreateRuntime(options);
  Sessions sessions(*runtime, options);
  Progress progress(std::size_t{options.warmup} + options.iterations + cases.size() - 1);
  Report report;
  report.model = options.model;
  for (const Case& one_case : cases) {
    const CaseRole role = &one_case == &cases.front() ? CaseRole::kMeasured : CaseRole::kCompared;
    Session& session = sessions.Get(CollectShapes(options, one_case));
    RunCase(options, one_case, role, session, progress, report);
  }
  if (!options.trace_file.empty()) {
    report.profile = runtime->GetProfile();
    report.trace_file = options.trace_file;
    WriteTrace(report.trace_file, *report.profile);
  }
  return report;
}

}  // namespace backplane::execute_network
