#include "harness/network.hpp"

#include "harness/garbage.hpp"
#include "harness/session.hpp"

#include <backplane/api/static_backend.hpp>
#include <backplane/host/backend_registry.hpp>

#include <cstring>
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
                     const std::vector<ConstTensor>& inputs) {
  NetworkRun run;
  for (const TensorInfo& output : outputs) run.outputs.push_back(MakeGarbage(output));
  InputTensors sources;
  for (const ConstTensor& input : inputs) {
    sources.push_back({static_cast<LayerBindingId>(sources.size()), input});
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
                   const std::vector<ConstTensor>& inputs) {
  std::vector<TensorInfo> outputs;
  for (const NetworkBinding& output : network->GetOutputs()) outputs.push_back(output.info);
  const NetworkId loaded = runtime.LoadNetwork(network);
  NetworkRun run = RunLoaded(runtime, loaded, outputs, inputs);
  runtime.UnloadNetwork(loaded);
  return run;
}

std::string FindWrongRun(const NetworkRun& found, const NetworkRun& expected,
                         const conformance::Tolerance& tolerance) {
  for (const NetworkRun* const run : {&found, &expected}) {
    if (run->status == Status::kSuccess) continue;
    return run->failure ? ToText(*run->failure) : GetStatusText(run->status);
  }
  for (std::size_t output = 0; output < found.outputs.size(); ++output) {
    const auto difference = conformance::FindDifference(
        found.outputs[output], conformance::Decode<long double>(expected.outputs[output]).data,
        tolerance);
    if (difference) return "output " + std::to_string(output) + ", " + ToText(*difference);
  }
  return "";
}

std::vector<std::vector<float>> MakeNetworkInputs(const NetworkPlan& plan,
                                                  conformance::Random& random) {
  std::vector<std::vector<float>> inputs;
  for (const std::size_t input : plan.inputs)
    inputs.push_back(random.Tensor(plan.tensors[input]).data);
  return inputs;
}

NetworkResult RunNetwork(IRuntime& runtime, NetworkId network, const NetworkPlan& plan,
                         const std::vector<std::vector<float>>& inputs) {
  NetworkResult result;
  InputTensors input_tensors;
  OutputTensors output_tensors;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const TensorInfo info(plan.tensors[plan.inputs[i]], DataType::kFloat32);
    input_tensors.push_back({static_cast<LayerBindingId>(i), {info, inputs[i].data()}});
  }
  for (const std::size_t output : plan.outputs) {
    const auto count = static_cast<std::size_t>(plan.tensors[output].GetNumElements());
    result.outputs.emplace_back(count, -12345.0F);
  }
  for (std::size_t i = 0; i < result.outputs.size(); ++i) {
    output_tensors.push_back({static_cast<LayerBindingId>(i), result.outputs[i].data(),
                              result.outputs[i].size() * sizeof(float)});
  }
  std::optional<Diagnostic> failure;
  result.status = runtime.EnqueueWorkload(network, input_tensors, output_tensors, &failure);
  if (failure) result.failure = ToText(*failure);
  return result;
}

std::string FindWrongOutput(const NetworkPlan& plan, const NetworkResult& result,
                            const std::vector<std::vector<long double>>& expected) {
  if (result.status != Status::kSuccess) return "the run failed: " + result.failure;
  // Errors of the layers add up.
  const conformance::Tolerance tolerance = {1e-3L, 1e-3L, 1e-5L};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    conformance::StoredTensor found(TensorInfo(plan.tensors[plan.outputs[i]], DataType::kFloat32));
    std::memcpy(found.bytes.data(), result.outputs[i].data(), found.bytes.size());
    const auto difference = conformance::FindDifference(found, expected[i], tolerance);
    if (difference) return "y" + std::to_string(plan.outputs[i]) + ", " + ToText(*difference);
  }
  return "";
}

}  // namespace backplane::check_backend
