#pragma once

/// How Arm NN chooses tensor memory, on a plain model: tensor by tensor, without looking ahead.
/// What our choice is compared with.

#include <backplane/api/memory_view.hpp>

#include <cstdint>
#include <limits>
#include <vector>

namespace backplane::test {

struct GreedyFactory {
  bool maps = true;
  MemorySourceFlags imports = 0;
  MemorySourceFlags exports = 0;
};

struct GreedyBackend {
  std::vector<std::uint32_t> preferences;  // factories, the best first; none: without factories
};

enum class GreedyRole { kInput, kOutput, kOther };

struct GreedyLayer {
  GreedyRole role = GreedyRole::kOther;
  std::uint32_t backend = 0;  // an input has that of the first layer that reads it instead
};

struct GreedyTensor {
  std::uint32_t layer = 0;  // that makes it
  std::uint64_t size_bytes = 0;
};

/// A layer reads a tensor. The order is that of the tensors' connections.
struct GreedyEdge {
  std::uint32_t tensor = 0;
  std::uint32_t layer = 0;
};

struct GreedyNetwork {
  std::vector<GreedyFactory> factories;
  std::vector<GreedyBackend> backends;
  std::vector<GreedyLayer> layers;
  std::vector<GreedyTensor> tensors;
  std::vector<GreedyEdge> edges;
};

/// Whether memory of the application may be imported. The first is asked for imports between
/// backends too.
struct GreedyOptions {
  bool import_enabled = false;
  bool export_enabled = false;
};

enum class GreedyTransfer { kDirect, kCopy, kImport, kImpossible };

constexpr std::uint32_t kNoGreedyFactory = std::numeric_limits<std::uint32_t>::max();

struct GreedyPlan {
  std::vector<std::uint32_t> factories;   // for each tensor; kNoGreedyFactory: as of old, without
  std::vector<GreedyTransfer> transfers;  // for each edge
  std::uint32_t num_copies = 0;           // between layers
  std::uint32_t num_imports = 0;
  std::uint32_t num_impossible = 0;  // with one of them, no network is made
  std::uint64_t copied_bytes = 0;
  std::uint32_t num_application_copies = 0;  // of the application's inputs and outputs
  std::uint64_t application_copied_bytes = 0;
};

/// The application's memory is addressable by the CPU (kMalloc).
GreedyPlan PlanGreedily(const GreedyNetwork& network, const GreedyOptions& options = {});

}  // namespace backplane::test
