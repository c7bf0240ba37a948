#pragma once

#include <backplane/runtime/i_runtime.hpp>
#include <backplane/runtime/network_source.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace backplane::staging {

struct Plan;

/// Loads and unloads the networks of stages in the runtime that has the whole.
struct StageLoader {
  std::function<NetworkId(std::unique_ptr<INetwork> network)> load;
  std::function<void(const Plan& plan)> unload;  // no run is in it; throws nothing
};

constexpr NetworkId kNoNetwork = 0;

/// A stage that is ready to be run, and those that have followed it until now. Goes with its last
/// user, and unloads its network then.
struct Plan {
  Plan(NetworkStage made, bool of_outermost, StageLoader of_runtime);
  ~Plan();
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  const StageLoader loader;
  std::vector<TensorShape> input_shapes;  // of a first stage
  const bool is_outermost;  // of the network that the application has loaded, not of one within
  NetworkStage stage;       // without its network, which is loaded
  std::vector<NetworkBinding> outputs;  // of the network
  NetworkId network = kNoNetwork;       // kNoNetwork: the stage has none
  std::atomic<std::uint64_t> last_used{0};
  std::atomic<std::uint64_t> num_runs{0};
  std::map<std::string, std::shared_ptr<Plan>> next;  // by plan key; guarded by the tree's mutex
};

}  // namespace backplane::staging
