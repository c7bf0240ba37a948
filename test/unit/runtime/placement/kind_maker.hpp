#pragma once

#include "placement/kind_table.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace backplane {

/// What the tensors of a test's factory can do.
using FactoryProperties = TensorHandleFactoryProperties;

/// What a test's factory answers; without a function, what the host's default is.
struct FactoryAnswers {
  std::function<MemoryRequirements(const TensorRequirementsArgs&)> get_requirements;
  std::function<bool(const SubTensorHandleArgs&)> makes_sub_tensor;
};

/// Tensors of known layout that can be mapped.
FactoryProperties Mappable();
FactoryProperties Importing(MemorySource source);
FactoryProperties Exporting(MemorySource source);
FactoryProperties Opaque();

/// Every tensor aligned and padded like this.
FactoryAnswers AskingFor(std::uint64_t alignment_bytes, std::uint64_t padding_bytes = 0);

/// A factory whose handles stand for tensors, and are never bound.
std::unique_ptr<ITensorHandleFactory> MakeFactory(const std::string& id,
                                                  const FactoryProperties& properties,
                                                  const FactoryAnswers& answers = {});

/// Kinds of memory as backends would have registered them, made one by one. The core's own kind is
/// the first.
class KindMaker {
 public:
  explicit KindMaker(MemoryProtection protection = MemoryProtection::kNone);

  std::uint32_t AddBackend(const std::string& id);
  /// In the arena of the core, unless it is given another or owns its memory.
  KindIndex Add(std::uint32_t backend, const std::string& id, const FactoryProperties& properties,
                const FactoryAnswers& answers = {}, std::uint32_t arena = 0);
  /// Best first.
  void Prefer(std::uint32_t backend, const std::vector<KindIndex>& kinds);

  const NetworkKinds& Get() const { return kinds_; }
  const KindTable& GetTable() const { return kinds_.table; }
  const std::vector<std::string>& GetBackendIds() const { return backend_ids_; }

 private:
  std::vector<std::string> backend_ids_;
  std::vector<std::unique_ptr<PluginObject<ITensorHandleFactory>>> factories_;
  NetworkKinds kinds_;
};

}  // namespace backplane
