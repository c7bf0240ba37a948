#pragma once

/// The tensors of a run in memory of the host.

#include "harness/samples.hpp"

#include <memory>
#include <string>
#include <vector>

namespace backplane::check_backend {

/// Guarded inputs with the content of a sample, and outputs filled with a byte.
struct HostTensors {
  /// `of_run`: for what is told, as " of the first run"; "" when there is only one.
  HostTensors(const Sample& sample, GuardedSide side, unsigned char garbage,
              const std::string& of_run = "");

  std::vector<conformance::StoredTensor> ReadOutputs() const;

  std::vector<std::unique_ptr<GuardedTensor>> inputs;
  std::vector<std::unique_ptr<GuardedTensor>> outputs;
};

/// Execute with the handles of the tensors.
Status RunOn(const Running& running, const HostTensors& tensors);

/// Whether an ordinary run gives what it should. When not, that is what BC0301 is for: rules about
/// something else have nothing to compare with.
bool IsRightElsewhere(const Running& running, const Sample& sample);

/// The sample with other inputs of the same types and shapes.
Sample ChangeInputs(const Sample& sample, std::uint32_t seed);

}  // namespace backplane::check_backend
