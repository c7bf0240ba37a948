#pragma once

#include "progress/progress_observer.hpp"

#include <backplane/api/tensor_handle_factory_registry.hpp>
#include <backplane/host/plugin_object.hpp>

#include <memory>
#include <string>
#include <vector>

namespace backplane::creation {

/// Where a backend registers its tensor-handle factories to be listed: checks each and keeps their
/// ids.
class FactoryCollector final : public TensorHandleFactoryRegistry {
 public:
  /// Null: without `observer`, nobody is told of the calls.
  FactoryCollector(std::shared_ptr<const PluginOrigin> origin, progress::ProgressObserver* observer)
      : origin_(std::move(origin)), observer_(observer) {}

  Status RegisterFactory(std::unique_ptr<ITensorHandleFactory> factory) override;
  Status RegisterMemoryManager(std::shared_ptr<IMemoryManager> memory_manager) override;
  Status RegisterCopyAndImportFactoryPair(const char* copy_id, const char* import_id) override;

  /// In the order of registration.
  const std::vector<std::string>& GetIds() const { return ids_; }
  /// One for each factory that was refused.
  const std::vector<Diagnostic>& GetRefusals() const { return refusals_; }

 private:
  Status Refuse(Status status, const std::string& factory, const std::string& why);
  bool IsRegistered(const char* id) const;

  std::shared_ptr<const PluginOrigin> origin_;
  progress::ProgressObserver* observer_;
  std::vector<std::string> ids_;
  std::vector<Diagnostic> refusals_;
};

}  // namespace backplane::creation
