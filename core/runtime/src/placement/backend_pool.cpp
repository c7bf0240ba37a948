#include "placement/backend_pool.hpp"

#include <backplane/host/capabilities.hpp>
#include <backplane/host/diagnostic.hpp>
#include <backplane/host/isolation.hpp>

#include <utility>

namespace backplane {

namespace {

// Options are the application's own; mistakes in them are never a backend's refusal.
bool IsFailureOfBackend(const Diagnostic& diagnostic) {
  switch (diagnostic.code) {
    case DiagnosticCode::kBackendThrew:
    case DiagnosticCode::kForked:
    case DiagnosticCode::kNullBackend:
    case DiagnosticCode::kOutOfMemory:
    case DiagnosticCode::kWorkerEnded:
    case DiagnosticCode::kWorkerNotStarted:
    case DiagnosticCode::kWorkerStaysOut:
      return true;
    default:
      return IsUnavailability(diagnostic);
  }
}

std::string DescribeFailure(const Diagnostic& diagnostic) {
  return diagnostic.why.empty() ? diagnostic.what : diagnostic.what + ": " + diagnostic.why;
}

}  // namespace

BackendPool::BackendPool(const DeviceSpec& device, const ModelOptions& model_options,
                         const Graph& graph, std::set<std::string> named)
    : device_(device), model_options_(model_options), graph_(graph), named_(std::move(named)) {}

LayerAnswer BackendPool::Ask(const std::string& backend_id, const Layer& layer) {
  Entry& entry = FindOrMake(backend_id);
  if (!entry.refusal.empty()) return {false, entry.refusal, false};
  const auto known = entry.answers.find(layer.id);
  if (known != entry.answers.end()) return known->second;
  WorkLimitScope::RequireTime();
  return entry.answers.emplace(layer.id, AskEntry(entry, backend_id, layer)).first->second;
}

void BackendPool::Make(const std::string& backend_id) {
  FindOrMake(backend_id);
}

bool BackendPool::TakesWholeOnly(const std::string& backend_id) const {
  return entries_.at(backend_id).takes_whole_only;
}

std::shared_ptr<const NetworkBackend> BackendPool::Get(const std::string& backend_id) const {
  return entries_.at(backend_id).backend;
}

BackendPool::Entry& BackendPool::FindOrMake(const std::string& backend_id) {
  const auto known = entries_.find(backend_id);
  if (known != entries_.end()) return known->second;
  return entries_.emplace(backend_id, MakeEntry(backend_id)).first->second;
}

BackendPool::Entry BackendPool::MakeEntry(const std::string& backend_id) const {
  Entry entry;
  try {
    entry.backend = MakeNetworkBackend(device_, backend_id, model_options_);
    entry.layer_support = GetLayerSupport(*entry.backend);
    // Asked now, when a backend that is opened at first use is open.
    entry.takes_whole_only = HasCapability(
        device_.GetRegistry().GetRegistration(backend_id).capabilities, kCapabilityAllOrNothing);
  } catch (const DiagnosticException& exception) {
    const Diagnostic& diagnostic = exception.GetDiagnostic();
    const bool is_late = diagnostic.code == DiagnosticCode::kFailedAtFirstUse;
    const bool is_tolerated = named_.count(backend_id) == 0 && IsFailureOfBackend(diagnostic);
    if (!is_late && !is_tolerated) throw;
    entry.refusal = DescribeFailure(diagnostic);
    return entry;
  }
  if (!entry.layer_support) {
    entry.refusal = "GetLayerSupport returned null; expected an ILayerSupport";
  }
  return entry;
}

LayerAnswer BackendPool::AskEntry(Entry& entry, const std::string& backend_id,
                                  const Layer& layer) const {
  try {
    return AskLayerSupport(entry.layer_support, graph_, layer);
  } catch (const DiagnosticException& exception) {
    if (named_.count(backend_id) != 0) throw;
    return {false, DescribeFailure(exception.GetDiagnostic()), false};
  }
}

}  // namespace backplane
