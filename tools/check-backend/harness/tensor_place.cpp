#include "harness/tensor_place.hpp"

#include "harness/session.hpp"

namespace backplane::check_backend {

using conformance::StoredTensor;
using conformance::TestLayer;

TensorPlace::TensorPlace(Plugin& plugin, const std::string& only)
    : plugin_(plugin), memory_(plugin.RegisterMemory()), id_(kHostTensorHandleFactoryId) {
  const std::vector<std::string> preferences = plugin.GetPreferences();
  is_host_ = preferences.empty() && only.empty();
  for (const std::string& id : preferences) {
    if (!only.empty() && id != only) continue;
    is_host_ = is_host_ || id == kHostTensorHandleFactoryId;
    for (const Kind& kind : ListKinds(memory_)) {
      if (kind.GetId() != id || kind_.factory != nullptr) continue;
      reach_ = FindReach(plugin, kind);
      if (reach_ != Reach::kNone) kind_ = kind;
    }
  }
  // The host's memory is the plainest.
  if (is_host_) kind_ = {};
  if (kind_.factory != nullptr) id_ = kind_.GetId();
}

Running TensorPlace::MakeRunning(const TestLayer& layer) const {
  return check_backend::MakeRunning(
      plugin_.MakeFactory(),
      conformance::LayerWorkloadArgs(layer, {}, id_.c_str(), id_.c_str()).Get());
}

PlacedTensor::PlacedTensor(Plugin& plugin, const TensorPlace& place, const TensorInfo& info,
                           LayerType beside, const std::string& name) {
  if (place.IsHost()) {
    host_ = std::make_unique<GuardedTensor>(StoredTensor(info), GuardedSide::kBehind, name);
  } else {
    own_ =
        std::make_unique<KindTensor>(plugin, place.GetKind(), place.GetReach(), info, beside, name);
  }
}

ITensorHandle* PlacedTensor::GetHandle() const {
  return host_ != nullptr ? host_->GetHandle() : own_->GetHandle();
}

void PlacedTensor::Write(const StoredTensor& content) {
  if (host_ != nullptr) return host_->Write(content);
  own_->Write(content);
}

StoredTensor PlacedTensor::Read() {
  return host_ != nullptr ? host_->Read() : own_->Read();
}

std::optional<MemoryView> PlacedTensor::GetSharedView() const {
  return host_ != nullptr ? *host_->GetHandle()->GetMemoryView() : own_->GetSharedView();
}

PlacedTensors::PlacedTensors(Plugin& plugin, const TensorPlace& place, const Sample& sample) {
  for (std::size_t i = 0; i < sample.inputs.size(); ++i) {
    inputs.push_back(std::make_unique<PlacedTensor>(
        plugin, place, sample.made.inputs[i], sample.made.type, "input " + std::to_string(i)));
    inputs.back()->Write(sample.inputs[i]);
  }
  for (std::size_t i = 0; i < sample.made.outputs.size(); ++i) {
    outputs.push_back(std::make_unique<PlacedTensor>(
        plugin, place, sample.made.outputs[i], sample.made.type, "output " + std::to_string(i)));
    outputs.back()->Write(MakeGarbage(sample.made.outputs[i]));
  }
}

std::vector<StoredTensor> PlacedTensors::ReadOutputs() const {
  std::vector<StoredTensor> results;
  for (const auto& output : outputs) results.push_back(output->Read());
  return results;
}

void ForEachPlace(Session& session, const std::function<void(const TensorPlace&)>& use) {
  Plugin& plugin = session.GetPlugin();
  WatchFaults(session.GetRecord());
  const RegisteredMemory memory = plugin.RegisterMemory();
  for (const RegisteredFactory& factory : memory.factories) {
    const TensorPlace place(plugin, factory.id);
    if (place.IsUsable()) use(place);
  }
}

}  // namespace backplane::check_backend
