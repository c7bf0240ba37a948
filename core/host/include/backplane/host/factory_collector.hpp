#pragma once

/// Where a backend registers its kinds of tensor memory: checks each, and keeps those that can be
/// used.

#include <backplane/api/tensor_handle_factory_registry.hpp>
#include <backplane/host/export.hpp>
#include <backplane/host/plugin_object.hpp>

#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace backplane {

namespace backend {
class ProgressObserver;
}

/// Stands for "registered before any memory manager".
constexpr std::size_t kNoMemoryManager = static_cast<std::size_t>(-1);

struct RegisteredFactory {
  std::string id;
  TensorHandleFactoryProperties properties;
  std::size_t memory_manager = kNoMemoryManager;  // index in RegisteredMemory::memory_managers
  PluginObject<ITensorHandleFactory> factory;
};

/// What one backend registered.
struct RegisteredMemory {
  // In reverse order of destruction: factories before their memory managers.
  std::vector<PluginObject<IMemoryManager>> memory_managers;
  std::vector<RegisteredFactory> factories;  // in the order of registration
  std::vector<Diagnostic> refusals;          // one for each factory that was refused
  std::vector<std::string> taken_ids;  // of those refused because another backend has their id
};

/// Threads: one.
class BACKPLANE_HOST_API FactoryCollector final : public TensorHandleFactoryRegistry {
 public:
  /// `taken` are ids that other backends have registered already.
  /// Null: without `observer`, nobody is told of the calls.
  explicit FactoryCollector(std::shared_ptr<const PluginOrigin> origin,
                            std::set<std::string> taken = {},
                            backend::ProgressObserver* observer = nullptr);
  ~FactoryCollector() override;
  FactoryCollector(const FactoryCollector&) = delete;
  FactoryCollector& operator=(const FactoryCollector&) = delete;

  Status RegisterFactory(std::unique_ptr<ITensorHandleFactory> factory) override;
  Status RegisterMemoryManager(std::shared_ptr<IMemoryManager> memory_manager) override;

  const RegisteredMemory& Get() const { return registered_; }
  RegisteredMemory Take() { return std::move(registered_); }

 private:
  Status AddFactory(PluginObject<ITensorHandleFactory> object);
  Status Refuse(Status status, const std::string& factory, const std::string& why);
  bool IsRegistered(const std::string& id) const;

  std::shared_ptr<const PluginOrigin> origin_;
  std::set<std::string> taken_;
  backend::ProgressObserver* observer_;
  RegisteredMemory registered_;
};

}  // namespace backplane
