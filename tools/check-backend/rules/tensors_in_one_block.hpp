#pragma once

/// Runs on tensors of a backend's own kinds, as a host lays them out.

#include "harness/tensor_place.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace backplane::check_backend {

/// Tensors of a run, one behind the other in one block.
class TensorsInOneBlock {
 public:
  TensorsInOneBlock(Plugin& plugin, const TensorPlace& place, const Sample& sample);

  Status Run(const Running& running) const;
  std::vector<conformance::StoredTensor> ReadOutputs() const;
  /// The first input that does not hold what was written; "" when all do.
  std::string FindChangedInput(const Sample& sample) const;
  std::string DescribeDamage() const;

 private:
  std::unique_ptr<KindBlock> block_;
  std::vector<std::uint64_t> offsets_;
  std::vector<std::unique_ptr<KindTensor>> tensors_;
  std::size_t num_inputs_ = 0;
};

/// Whether a workload that has not run before gives what it should; when not, BC0423 says so.
bool IsRightAfresh(Session& session, const TensorPlace& place, const Sample& sample);

}  // namespace backplane::check_backend
