#pragma once

#include "cpu_layers/tensors_of_a_run.hpp"

#include <backplane/api/i_workload.hpp>
#include <backplane/reference/kernel.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace backplane {
namespace cpuref {

/// A kernel with the sizes of its tensors: waits, checks the tensors of the run, and computes.
class Workload : public IWorkload {
 public:
  Workload(const reference::Layer& layer, std::unique_ptr<const reference::Kernel> kernel);

  /// The scratch memory that the state of a run must have.
  std::uint64_t GetScratchBytes() const { return scratch_bytes_; }

  /// Errors: kInvalidArgument when the tensors are not as many as those of the layer, or when one
  /// that has elements is not in memory of the CPU, is too small, not aligned, or not dense, or
  /// when the state is not of this factory; kUnsupported for an opaque fence; kFailure for a fence
  /// that cannot be waited for.
  Status Execute(const ExecuteArgs& args) const override;

 private:
  std::unique_ptr<const reference::Kernel> kernel_;
  std::uint64_t scratch_bytes_;
  std::vector<cpu_layers::TensorSize> inputs_;
  std::vector<cpu_layers::TensorSize> outputs_;
  bool has_elements_;  // one of the outputs; else there is nothing to compute
};

}  // namespace cpuref
}  // namespace backplane
