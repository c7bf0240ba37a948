#pragma once

#include "placement/layer_answer.hpp"
#include "placement/network_backend.hpp"

#include <map>
#include <memory>
#include <set>
#include <string>

namespace backplane {

/// The backends of one call of Optimize: each is made when it is first asked, and asked at most
/// once about a layer.
class BackendPool {
 public:
  /// Borrows all. `named` are the ids that the application named. When another one fails, that is
  /// its refusal: nobody asked for it.
  BackendPool(const DeviceSpec& device, const ModelOptions& model_options, const Graph& graph,
              std::set<std::string> named);

  /// One that fails when its file is opened now has refused, named or not.
  /// Errors: DiagnosticException as MakeNetworkBackend and kBackendThrew, for a named backend.
  LayerAnswer Ask(const std::string& backend_id, const Layer& layer);

  /// Makes the backend, so that mistakes in its options are found whether or not it gets layers.
  /// Errors: as Ask.
  void Make(const std::string& backend_id);

  /// Whether a backend that answered yes takes a network as a whole or not at all.
  bool TakesWholeOnly(const std::string& backend_id) const;

  /// A backend that answered yes.
  std::shared_ptr<const NetworkBackend> Get(const std::string& backend_id) const;

 private:
  struct Entry {
    std::shared_ptr<const NetworkBackend> backend;
    PluginObject<const ILayerSupport> layer_support;
    std::string refusal;  // of every layer; "" when the backend is asked
    bool takes_whole_only = false;
    std::map<LayerId, LayerAnswer> answers;
  };

  Entry& FindOrMake(const std::string& backend_id);
  Entry MakeEntry(const std::string& backend_id) const;
  LayerAnswer AskEntry(Entry& entry, const std::string& backend_id, const Layer& layer) const;

  const DeviceSpec& device_;
  const ModelOptions& model_options_;
  const Graph& graph_;
  std::set<std::string> named_;
  std::map<std::string, Entry> entries_;
};

}  // namespace backplane
