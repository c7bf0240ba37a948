#pragma once

#include "loading/network_fallback.hpp"

#include <backplane/runtime/network_source.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace backplane::loading {

struct Plan;
using Plans = std::unordered_map<std::string, std::shared_ptr<Plan>>;  // by plan key

/// A stage that is ready to be run, and those that have followed it until now. Goes with its last
/// user, and unloads its network then.
struct Plan {
  std::vector<TensorShape> input_shapes;  // of a first stage
  NetworkStage stage;                     // without its network, which is loaded
  bool is_foreseen = false;               // the source was not asked for the stage
  std::vector<NetworkBinding> outputs;    // of the network
  /// The shape of each output that lies in the memory of a growing tensor; rank 0: another output.
  /// Empty: there are none.
  std::vector<TensorShape> shapes_in_memory;
  std::unique_ptr<StagePlacements> placements;  // null: the stage has no network
  std::uint64_t size_bytes = 0;                 // of memory, about
  std::size_t hash = 0;                         // of all keys up to it
  std::atomic<std::uint64_t> last_used{0};
  std::atomic<std::uint64_t> num_runs{0};
  Plans next;  // guarded by the mutex of the trees
};

}  // namespace backplane::loading
