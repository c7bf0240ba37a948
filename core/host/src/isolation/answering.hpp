// Answers what a backend in another process asks of the host during a call.
#pragma once

#include "isolation/isolated_workload.hpp"

#include <backplane/api/i_backend_internal.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace backplane::isolation {

/// How many objects a backend may make during one call.
constexpr std::uint64_t kMaxObjects = std::uint64_t{1} << 32U;

/// The numbers that objects may have which a backend hands over during a call: from the first on,
/// in their order.
class GivenNumbers {
 public:
  explicit GivenNumbers(std::uint64_t first) : end_(first + kMaxObjects), next_(first) {}
  /// False: it is none of them, or was used before.
  bool Take(std::uint64_t number) {
    if (number < next_ || number >= end_) return false;
    next_ = number + 1;
    return true;
  }

 private:
  std::uint64_t end_;
  std::uint64_t next_;
};

/// Answers for the builder and the cache of one sub-graph.
class SubgraphAnswers {
 public:
  /// Objects that are handed over keep `constants`, of which they may be made. `cache` may be null.
  SubgraphAnswers(std::shared_ptr<Worker> worker, Worker::Areas constants,
                  std::uint64_t first_number, ISubgraphBuilder& builder,
                  ICompiledSubgraphCache* cache)
      : worker_(std::move(worker)),
        constants_(std::move(constants)),
        numbers_(first_number),
        builder_(builder),
        cache_(cache) {}

  std::string Answer(const wire::Message& question);

 private:
  std::string AddLayer(wire::Reader& reader);
  std::string AddPreCompiledLayer(wire::Reader& reader);
  std::string AddConstant(wire::Reader& reader,
                          const std::vector<wire::FileDescriptor>& descriptors);
  std::string ReleaseConstant(wire::Reader& reader);
  std::string Load(wire::Reader& reader);
  std::string Store(wire::Reader& reader);

  std::shared_ptr<Worker> worker_;
  Worker::Areas constants_;
  GivenNumbers numbers_;
  ISubgraphBuilder& builder_;
  ICompiledSubgraphCache* cache_;
};

/// Answers for the registry of tensor handle factories.
class RegistryAnswers {
 public:
  RegistryAnswers(std::shared_ptr<Worker> worker, std::uint64_t first_number,
                  TensorHandleFactoryRegistry& registry)
      : worker_(std::move(worker)), numbers_(first_number), registry_(registry) {}

  std::string Answer(const wire::Message& question);

 private:
  Status AddFactory(wire::Reader& reader);

  std::shared_ptr<Worker> worker_;
  GivenNumbers numbers_;
  TensorHandleFactoryRegistry& registry_;
  bool has_manager_ = false;
};

}  // namespace backplane::isolation
