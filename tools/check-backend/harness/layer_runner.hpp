#pragma once

/// One layer by itself on the backend, whatever kinds of tensor memory it takes.

#include "harness/network.hpp"
#include "harness/samples.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace backplane::check_backend {

/// Which inputs of a layer are constants.
enum class Constants { kNone, kAllButFirst, kAll };

/// Runs layers through the Backend API, on guarded tensors, when workloads of the backend take
/// memory of the host; else through a runtime, which knows how to get tensors where they must be.
class LayerRunner {
 public:
  explicit LayerRunner(Session& session);

  /// What the outputs hold then; what goes wrong on the way is reported. Nothing: no host would run
  /// this layer, or there is nothing to look at after what was reported.
  std::optional<std::vector<conformance::StoredTensor>> Run(const Sample& sample,
                                                            Constants constants);

  /// How a run ends that cannot succeed. Nothing: no host would run this layer.
  std::optional<Status> Try(const Sample& sample);

 private:
  std::vector<conformance::StoredTensor> RunByItself(const Sample& sample, Constants constants);
  std::optional<std::vector<conformance::StoredTensor>> RunInNetwork(const Sample& sample,
                                                                     Constants constants);
  /// A run through the runtime. Nothing: no host would run this layer.
  std::optional<NetworkRun> RunThroughRuntime(const Sample& sample, Constants constants);

  Session& session_;
  std::unique_ptr<TestRuntime> runtime_;  // null: workloads take memory of the host
};

}  // namespace backplane::check_backend
