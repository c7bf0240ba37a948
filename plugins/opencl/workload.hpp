#pragma once

#include "cpu_layers/run_end.hpp"
#include "execution/execution_state.hpp"
#include "execution/host_buffers.hpp"
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
  /// Where a tensor of the run is found.
  enum class Where {
    kOnDevice,  // its content is constant and there already
    kInBuffer,  // in a handle of the backend's own kinds, which may have imported memory
    kOnHost,    // in memory with an address
  };
  struct Tensor {
    Where where = Where::kInBuffer;
    std::uint64_t size_bytes = 0;
    std::uint64_t element_bytes = 1;
  };

  static bool FindPlaces(RunTensorList run, const std::vector<Tensor>& tensors,
                         HostBuffers::Use use, HostBuffers& host_buffers,
                         std::vector<BufferPlace>& places);
  /// False: the run came to its end before all was enqueued.
  bool Enqueue(ExecutionState& state, cl_command_queue queue, const cpu_layers::RunEnd& end) const;
  Status Run(const ExecuteArgs& args, ExecutionState& state, cl_command_queue queue) const;

  std::uint32_t number_;
  std::size_t position_;
  std::vector<Tensor> inputs_;
  std::vector<Tensor> outputs_;
};

}  // namespace opencl
}  // namespace backplane
