#pragma once

#include "execution/execution_state.hpp"
#include "library/library.hpp"

#include <backplane/api/i_workload.hpp>
#include <backplane/api/i_workload_factory.hpp>

#include <cstdint>
#include <vector>

namespace backplane {
namespace opencl {

/// Enqueues a work on the device, with the tensors of the run.
class Workload : public IWorkload {
 public:
  /// `number`: among the workloads of the factory; `position`: among the works of the state.
  Workload(const WorkloadArgs& args, std::uint32_t number, std::size_t position);

  /// Errors: kInvalidArgument when tensors, state or fences are not those of the layer; OpenClError
  /// when the device does not take the work.
  Status Execute(const ExecuteArgs& args) const override;

 private:
  /// A tensor as the workload was made for.
  struct Tensor {
    bool is_constant = false;  // its content is on the device already
    std::uint64_t size_bytes = 0;
  };

  static bool FindPlaces(ITensorHandle* const* handles, const std::vector<Tensor>& tensors,
                         std::vector<BufferPlace>& places);
  bool FindTensors(const ExecuteArgs& args, RunTensors& tensors) const;
  template <typename Visit>
  void VisitHandles(const ExecuteArgs& args, const Visit& visit) const;
  void Enqueue(const ExecuteArgs& args, ExecutionState& state, cl_command_queue queue) const;

  std::uint32_t number_;
  std::size_t position_;
  std::vector<Tensor> inputs_;
  std::vector<Tensor> outputs_;
};

}  // namespace opencl
}  // namespace backplane
