// The table bp_host, which the host offers to backends, and the objects behind its opaque types.
#pragma once

#include "backend/failure.hpp"

#include <backplane/c/backend.h>
#include <backplane/api/i_backend_profiling_context.hpp>
#include <backplane/api/i_custom_allocator.hpp>
#include <backplane/api/i_logger.hpp>
#include <backplane/api/status.hpp>
#include <backplane/api/subgraph_view.hpp>

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

/// Takes the items of one sort.
struct bp_sink {
  std::uint32_t item = 0;
  /// Takes one; what it throws is told to the backend.
  std::function<backplane::Status(const void*)> take;
  /// Takes the events and samples of a profiler.
  backplane::IBackendProfiling* profiling = nullptr;
};

struct bp_allocator {
  std::shared_ptr<backplane::ICustomAllocator> allocator;
};

/// One share of a content.
struct bp_shared {
  std::shared_ptr<const void> content;
};

/// One constant of a layer of an offer.
struct bp_constant_source {
  bp_offer* offer = nullptr;
  const backplane::ConstTensor* constant = nullptr;
  backplane::LayerId layer = 0;
  std::uint32_t input = 0;
};

/// One sub-graph that is offered, and what is answered.
struct bp_offer {
  const backplane::OptimizeSubgraphArgs* args = nullptr;
  using AddCompiled =
      std::function<backplane::Status(std::shared_ptr<const backplane::IPreCompiledObject>)>;
  /// Adds what a backend compiled. Has the host own it where that succeeds, and once.
  std::function<backplane::Status(bp_compiled*, const AddCompiled&)> own;
  /// How many layers and slots there are: no part has more.
  std::uint64_t num_entries = 0;
  backplane::OptimizationViews views;
  std::deque<bp_constant_source> sources;
  std::deque<std::vector<std::uint8_t>> cached;
};

namespace backplane::backend {

/// Static. [any thread]
const bp_host& GetHostTable();

inline const bp_log* ToC(ILogger* logger) {
  return reinterpret_cast<const bp_log*>(logger);
}

struct PackedShare {
  Status status = Status::kSuccess;
  std::shared_ptr<const void> content;
  std::uint64_t num_bytes = 0;
};

/// Shares what was packed of the same content in the same way; makes it when there is none.
/// Errors: the status of `make`.
/// [any thread]
PackedShare SharePacked(const bp_packed_args& args, bp_error* error);

}  // namespace backplane::backend
