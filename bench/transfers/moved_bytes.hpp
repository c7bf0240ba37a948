#pragma once

#include <backplane/runtime/placement.hpp>

#include <cstdint>

namespace bench {

struct Moved {
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
};

/// What one run moves.
struct MovedBytes {
  Moved between;           // copies from one kind of tensor memory to another
  Moved with_application;  // copies of the network's inputs and outputs
  Moved layers;            // reshapes, concats and splits that are run

  std::uint64_t GetSum() const { return between.bytes + with_application.bytes + layers.bytes; }
};

/// Of our plan.
MovedBytes CountPlanned(const backplane::Placement& placement);

}  // namespace bench
