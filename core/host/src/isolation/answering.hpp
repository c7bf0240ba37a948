// Answers what a backend in another process asks of the host during a call.
#pragma once

#include "isolation/worker.hpp"

#include <backplane/api/i_backend_internal.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <utility>

namespace backplane::isolation {

/// How many objects a backend may make during one call, which get numbers from the first on.
constexpr std::uint64_t kMaxObjects = std::uint64_t{1} << 32U;

/// The numbers that objects may have which a backend hands over during a call, in their order.
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

/// The areas in which the constants lie that inputs of layers read.
using InputAreas = std::map<std::pair<LayerId, std::uint32_t>, std::shared_ptr<SharedArea>>;

/// For the builder and the cache of one sub-graph, which must stay; `cache` may be null. Objects
/// that are handed over keep `constants`, of which they may be made, but for those that the backend
/// releases.
Answerer AnswerForSubgraph(std::shared_ptr<Worker> worker, std::shared_ptr<InputAreas> constants,
                           std::uint64_t first_number, ISubgraphBuilder& builder,
                           ICompiledSubgraphCache* cache);

/// For the registry of tensor handle factories, which must stay.
Answerer AnswerForRegistry(std::shared_ptr<Worker> worker, std::uint64_t first_number,
                           TensorHandleFactoryRegistry& registry);

}  // namespace backplane::isolation
