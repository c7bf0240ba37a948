#include "runtime/runtime.hpp"

#include "optimization/optimized_network.hpp"
#include "profiling/span.hpp"

#include <backplane/host/logging.hpp>

#include <string>
#include <utility>

namespace backplane {

namespace {

constexpr char kRuntimeChannel[] = "runtime";

Diagnostic DescribeUnknownNetwork(NetworkId id) {
  Diagnostic diagnostic{DiagnosticCode::kUnknownNetwork};
  diagnostic.subject = {SubjectKind::kNetwork, std::to_string(id)};
  diagnostic.what = "no network with the id " + std::to_string(id) + " is loaded";
  diagnostic.why = "found " + std::to_string(id) +
                   "; expected an id that LoadNetwork of this runtime returned and that was not "
                   "unloaded";
  diagnostic.fix = "load the network first";
  return diagnostic;
}

[[noreturn]] void ThrowNullNetwork() {
  Diagnostic diagnostic{DiagnosticCode::kUnknownNetwork};
  diagnostic.subject.kind = SubjectKind::kNetwork;
  diagnostic.what = "LoadNetwork was called without a network";
  diagnostic.why = "found null; expected what Optimize returned";
  diagnostic.fix = "optimise the network first";
  throw DiagnosticException(std::move(diagnostic));
}

[[noreturn]] void ThrowForeignNetwork(const Graph& graph) {
  Diagnostic diagnostic{DiagnosticCode::kForeignNetwork};
  diagnostic.subject = {SubjectKind::kNetwork, graph.name};
  diagnostic.what = "network \"" + graph.name + "\" was optimised for another runtime";
  diagnostic.why =
      "found a network placed on the backends of another device spec; expected one "
      "of this runtime's GetDeviceSpec";
  diagnostic.fix = "optimise the network with the device spec of the runtime that loads it";
  throw DiagnosticException(std::move(diagnostic));
}

Diagnostic DescribeUnknownImported(NetworkId network, ImportedTensorId imported) {
  Diagnostic diagnostic{DiagnosticCode::kUnknownImportedTensor};
  diagnostic.subject = {SubjectKind::kNetwork, std::to_string(network)};
  diagnostic.what = "the imported tensor " + std::to_string(imported) + " of network " +
                    std::to_string(network) + " cannot be released";
  diagnostic.why =
      "found none with this id, or one that a run is using; expected one that "
      "ImportTensor gave and that is not in use";
  diagnostic.fix = "release each imported tensor once, when no run uses it";
  return diagnostic;
}

}  // namespace

IRuntime::~IRuntime() = default;

Runtime::Runtime(DeviceSpec device, LoadReport report, const LateBackends& late,
                 std::unique_ptr<profiling::RuntimeProfiling> profiling)
    : report_(std::move(report), late),
      device_(std::move(device)),
      profiling_(std::move(profiling)) {}

Runtime::~Runtime() {
  for (const NetworkId id : networks_.GetIds()) Unload(id);
}

NetworkId Runtime::LoadNetwork(std::shared_ptr<const IOptimizedNetwork> network) {
  if (!network) ThrowNullNetwork();
  auto optimized = std::static_pointer_cast<const OptimizedNetwork>(std::move(network));
  const OptimizedNetworkParts& parts = optimized->GetParts();
  if (parts.device.ShareContexts() != device_.ShareContexts())
    ThrowForeignNetwork(parts.network.graph);
  const profiling::Span span(device_.GetRecorder(), ProfileEventKind::kLoad, "load",
                             parts.network.graph.name);

  auto entry = std::make_shared<LoadedEntry>();
  entry->id = ++last_id_;
  entry->contexts = GetUsedContexts(parts.backends);
  if (profiling_) StartProfilingLate(parts);
  {
    LoadAnnouncement announcement(entry->contexts, entry->id);
    announcement.Begin();
    const profiling::Span phase(device_.GetRecorder(), ProfileEventKind::kPhase, "make workloads");
    entry->network = std::make_unique<LoadedNetwork>(std::move(optimized));
    if (profiling_) entry->network->StartProfiling(profiling_->GetRecorder(), entry->id);
    announcement.SetLoaded();
  }
  const NetworkId id = entry->id;
  networks_.Add(std::move(entry));
  Log(kRuntimeChannel, LogLevel::kDebug, "network " + std::to_string(id) + " is loaded");
  return id;
}

Status Runtime::EnqueueWorkload(NetworkId network, const InputTensors& inputs,
                                const OutputTensors& outputs, std::optional<Diagnostic>* failure) {
  const NetworkTable::Use loaded = networks_.Find(network);
  if (loaded) return (*loaded).Run(inputs, outputs, failure);
  if (failure != nullptr) *failure = DescribeUnknownNetwork(network);
  return Status::kNotFound;
}

void Runtime::UnloadNetwork(NetworkId network) {
  if (!Unload(network)) throw DiagnosticException(DescribeUnknownNetwork(network));
  Log(kRuntimeChannel, LogLevel::kDebug, "network " + std::to_string(network) + " is unloaded");
}

MemoryReport Runtime::GetMemoryReport(NetworkId network) const {
  const NetworkTable::Use loaded = networks_.Find(network);
  if (!loaded) throw DiagnosticException(DescribeUnknownNetwork(network));
  return (*loaded).GetMemoryReport();
}

TransferReport Runtime::GetTransferReport(NetworkId network) const {
  const NetworkTable::Use loaded = networks_.Find(network);
  if (!loaded) throw DiagnosticException(DescribeUnknownNetwork(network));
  return (*loaded).GetTransferReport();
}

ImportedTensorId Runtime::ImportTensor(NetworkId network, BindingKind kind, LayerBindingId binding,
                                       const MemoryView& memory) {
  const NetworkTable::Use loaded = networks_.Find(network);
  if (!loaded) throw DiagnosticException(DescribeUnknownNetwork(network));
  return (*loaded).ImportTensor(kind, binding, memory);
}

void Runtime::ReleaseImportedTensor(NetworkId network, ImportedTensorId imported) {
  const NetworkTable::Use loaded = networks_.Find(network);
  if (!loaded) throw DiagnosticException(DescribeUnknownNetwork(network));
  if (!(*loaded).ReleaseImportedTensor(imported)) {
    throw DiagnosticException(DescribeUnknownImported(network, imported));
  }
}

Profile Runtime::GetProfile() const {
  return profiling_ ? profiling_->MakeProfile(report_.Get()) : Profile{};
}

// Backends that are opened at first use are open now.
void Runtime::StartProfilingLate(const OptimizedNetworkParts& parts) {
  for (const auto& backend : parts.backends) {
    profiling_->StartLate(device_.GetRegistry(), backend->id, backend->GetContext());
  }
}

bool Runtime::Unload(NetworkId network) {
  const std::shared_ptr<LoadedEntry> entry = networks_.Remove(network);
  if (!entry) return false;
  const profiling::Span span(device_.GetRecorder(), ProfileEventKind::kUnload, "unload network",
                             std::to_string(network));
  AnnounceUnload(entry->contexts, network);
  entry->network.reset();
  AnnounceUnloaded(entry->contexts, network);
  return true;
}

}  // namespace backplane
