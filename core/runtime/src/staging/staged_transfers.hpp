#pragma once

#include "staging/plan.hpp"

#include <backplane/runtime/run_tensors.hpp>

#include <cstddef>
#include <mutex>
#include <vector>

namespace backplane::staging {

/// How memory of the application was used by a network of which plans come and go.
///
/// Threads: any.
class StagedTransfers {
 public:
  StagedTransfers(const std::vector<OpenBinding>& inputs, const std::vector<OpenBinding>& outputs);

  /// Of a plan that goes.
  void Keep(const Plan& plan, const TransferReport& report);

  /// With those of plans that have gone. Adds up by Add.
  TransferReport GetKept() const;

  /// Adds what the network of a stage tells of inputs and outputs of the whole.
  static void Add(const Plan& plan, const TransferReport& report, TransferReport& sum);

 private:
  mutable std::mutex mutex_;
  TransferReport kept_;
};

}  // namespace backplane::staging
