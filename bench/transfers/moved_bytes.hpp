#pragma once

#include "placed_network.hpp"
#include "support/greedy_transfers.hpp"

#include <backplane/runtime/placement.hpp>

#include <cstdint>
#include <optional>

namespace bench {

struct Moved {
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
};

/// What one run moves.
struct MovedBytes {
  Moved between;           // copies from one kind of tensor memory to another
  Moved with_application;  // copies of the network's inputs and outputs
  Moved layers;            // reshapes, concats and splits that are run; not known of other rules

  std::uint64_t GetSum() const { return between.bytes + with_application.bytes + layers.bytes; }
};

/// Of our plan.
MovedBytes CountPlanned(const backplane::Placement& placement);

/// Of the greedy rule's plan for the same graph, with the factories and lists of preferences that
/// the backends registered. Constants are left out, as everywhere.
/// Null: the rule finds no way for some tensor.
std::optional<MovedBytes> CountGreedy(const PlacedNetwork& network,
                                      const backplane::test::GreedyOptions& options);

}  // namespace bench
