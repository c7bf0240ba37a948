#pragma once

#include <backplane/api/i_workload.hpp>
#include <backplane/api/i_workload_factory.hpp>
#include <backplane/api/tensor_info.hpp>

namespace backplane {
namespace opencl {

/// Copies between a tensor of the device and memory of others, which has an address. It has
/// finished on return: the other memory is reached for no longer.
class TransferWorkload : public IWorkload {
 public:
  enum class Direction { kToDevice, kFromDevice };

  TransferWorkload(const WorkloadArgs& args, Direction direction);

  /// Errors: kInvalidArgument when tensors, state or fences are not those of the layer;
  /// OpenClError.
  Status Execute(const ExecuteArgs& args) const override;

 private:
  Direction direction_;
  TensorInfo info_;
};

}  // namespace opencl
}  // namespace backplane
