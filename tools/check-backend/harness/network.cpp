#include "harness/network.hpp"

#include "harness/garbage.hpp"
#include "harness/session.hpp"

#include <backplane/api/static_backend.hpp>
#include <backplane/host/backend_registry.hpp>

#include <optional>
#include <utility>

BACKPLANE_DECLARE_STATIC_BACKEND(Backplane_CpuRef);

namespace backplane::check_backend {
namespace {

constexpr char kReferenceId[] = "CpuRef";

/// Errors: CannotCheck.
const std::string& GetLinkDirectory(const Session& session) {
  const SessionSettings& settings = session.GetSettings();
  if (settings.link_fault.empty()) return settings.link_directory;
  throw CannotCheck("no directory can be made in which a runtime finds the file: " +
                    settings.link_fault + "; set TMPDIR to a directory that can be written");
}

void RegisterReference() {
  if (BackendRegistry::GetProcessRegistry().IsBackendRegistered(kReferenceId)) return;
  RegisterStaticBackend(BACKPLANE_STATIC_ENTRY_POINTS(Backplane_CpuRef));
}

std::string DescribeFailure(const NetworkRun& run) {
  return "the run failed: " + (run.failure ? ToText(*run.failure) : GetStatusText(run.status));
}

}  // namespace

TestRuntime::TestRuntime(const Session& session, const std::string& backend_id)
    : has_reference_(backend_id != kReferenceId) {
  if (has_reference_) RegisterReference();
  CreationOptions options;
  options.dynamic_backends_path = GetLinkDirectory(session);
  options.shutdown_timeout = std::chrono::seconds(10);
  runtime_ = IRuntime::Create(options);
}

TestRuntime::~TestRuntime() = default;

NetworkRun RunLoaded(IRuntime& runtime, NetworkId network, const std::vector<TensorInfo>& outputs,
                     const std::vector<conformance::StoredTensor>& inputs) {
  NetworkRun run;
  for (const TensorInfo& output : outputs) run.outputs.push_back(MakeGarbage(output));
  InputTensors sources;
  for (const conformance::StoredTensor& input : inputs) {
    sources.push_back(
        {static_cast<LayerBindingId>(sources.size()), {input.info, input.bytes.data()}});
  }
  OutputTensors results;
  for (conformance::StoredTensor& output : run.outputs) {
    results.push_back(
        {static_cast<LayerBindingId>(results.size()), output.bytes.data(), output.bytes.size()});
  }
  run.status = runtime.EnqueueWorkload(network, sources, results, &run.failure);
  return run;
}

NetworkRun RunOnce(IRuntime& runtime, const std::shared_ptr<const IOptimizedNetwork>& network,
                   const std::vector<conformance::StoredTensor>& inputs) {
  std::vector<TensorInfo> outputs;
  for (const NetworkBinding& output : network->GetOutputs()) outputs.push_back(output.info);
  const NetworkId loaded = runtime.LoadNetwork(network);
  NetworkRun run = RunLoaded(runtime, loaded, outputs, inputs);
  runtime.UnloadNetwork(loaded);
  return run;
}

std::string FindWrongRun(const NetworkRun& found,
                         const std::vector<std::vector<long double>>& expected,
                         const conformance::Tolerance& tolerance) {
  if (found.status != Status::kSuccess) return DescribeFailure(found);
  for (std::size_t output = 0; output < expected.size(); ++output) {
    const auto difference =
        conformance::FindDifference(found.outputs[output], expected[output], tolerance);
    if (difference) return "output " + std::to_string(output) + ", " + ToText(*difference);
  }
  return "";
}

std::string FindWrongRun(const NetworkRun& found, const NetworkRun& expected,
                         const conformance::Tolerance& tolerance) {
  if (expected.status != Status::kSuccess) return DescribeFailure(expected);
  std::vector<std::vector<long double>> numbers;
  for (const conformance::StoredTensor& output : expected.outputs) {
    numbers.push_back(conformance::Decode<long double>(output).data);
  }
  return FindWrongRun(found, numbers, tolerance);
}

}  // namespace backplane::check_backend
