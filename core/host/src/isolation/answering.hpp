// Answers what a backend in another process asks of the host during a call.
#pragma once

#include "isolation/isolated_workload.hpp"

#include <backplane/api/i_backend_internal.hpp>

#include <memory>
#include <string>

namespace backplane::isolation {

/// Answers for the builder and the cache of one sub-graph.
class SubgraphAnswers {
 public:
  /// `step` makes the objects that are handed over. `cache` may be null.
  SubgraphAnswers(std::shared_ptr<WorkerLink> link, std::shared_ptr<Step> step,
                  ISubgraphBuilder& builder, ICompiledSubgraphCache* cache)
      : link_(std::move(link)), step_(std::move(step)), builder_(builder), cache_(cache) {}

  std::string Answer(const messages::Message& question);

 private:
  std::string AddLayer(messages::Reader& reader);
  std::string AddPreCompiledLayer(messages::Reader& reader);
  std::string AddConstant(messages::Reader& reader);
  std::string Load(messages::Reader& reader);
  std::string Store(messages::Reader& reader);

  std::shared_ptr<WorkerLink> link_;
  std::shared_ptr<Step> step_;
  ISubgraphBuilder& builder_;
  ICompiledSubgraphCache* cache_;
};

/// Answers for the registry of tensor handle factories.
class RegistryAnswers {
 public:
  RegistryAnswers(std::shared_ptr<WorkerLink> link, std::shared_ptr<Step> step,
                  TensorHandleFactoryRegistry& registry)
      : link_(std::move(link)), step_(std::move(step)), registry_(registry) {}

  std::string Answer(const messages::Message& question);

 private:
  Status AddFactory(messages::Reader& reader);

  std::shared_ptr<WorkerLink> link_;
  std::shared_ptr<Step> step_;
  TensorHandleFactoryRegistry& registry_;
  bool has_manager_ = false;
};

}  // namespace backplane::isolation
