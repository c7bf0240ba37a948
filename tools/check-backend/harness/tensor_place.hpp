#pragma once

/// Where the tensors of a run lie.

#include "harness/kind_tensor.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace backplane::check_backend {

/// Where the tensors of a run lie: in the kind of its own that the backend likes best of those that
/// the CPU reaches, or in memory of the host when its workloads take that.
class TensorPlace {
 public:
  /// `only`: the id of the kind to be taken, if its workloads take it; "" for the best.
  explicit TensorPlace(Plugin& plugin, const std::string& only = "");

  /// False: no kind that its workloads take can be reached by the CPU.
  bool IsUsable() const { return is_host_ || kind_.factory != nullptr; }
  bool IsHost() const { return is_host_; }
  const Kind& GetKind() const { return kind_; }
  Reach GetReach() const { return reach_; }
  const std::string& GetId() const { return id_; }

  Running MakeRunning(const conformance::TestLayer& layer) const;

 private:
  Plugin& plugin_;
  RegisteredMemory memory_;
  bool is_host_ = false;
  Kind kind_;
  Reach reach_ = Reach::kNone;
  std::string id_;
};

/// A tensor in such a place.
class PlacedTensor {
 public:
  PlacedTensor(Plugin& plugin, const TensorPlace& place, const TensorInfo& info, LayerType beside,
               const std::string& name);

  ITensorHandle* GetHandle() const;
  void Write(const conformance::StoredTensor& content);
  conformance::StoredTensor Read();
  /// As KindTensor::GetSharedView.
  std::optional<MemoryView> GetSharedView() const;

 private:
  std::unique_ptr<GuardedTensor> host_;
  std::unique_ptr<KindTensor> own_;
};

/// The tensors of one run of a sample.
struct PlacedTensors {
  PlacedTensors(Plugin& plugin, const TensorPlace& place, const Sample& sample);

  std::vector<conformance::StoredTensor> ReadOutputs() const;

  std::vector<std::unique_ptr<PlacedTensor>> inputs;
  std::vector<std::unique_ptr<PlacedTensor>> outputs;
};

/// Calls `use(place)` for each kind of its own that its workloads take and the CPU reaches.
void ForEachPlace(Session& session, const std::function<void(const TensorPlace&)>& use);

}  // namespace backplane::check_backend
