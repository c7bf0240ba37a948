#include "cpu_layers/refusal.hpp"
#include "kernel.hpp"
#include "kernels/byte_copy.hpp"

namespace backplane {
namespace cpuref {

std::string FindRefusalOfReshape(const Layer& layer) {
  Refusal refusal;
  RequireOneRepresentation(layer, refusal);
  const TensorShape& input = layer.Input(0).shape;
  const TensorShape& output = layer.Output().shape;
  if (input.GetNumElements() != output.GetNumElements()) {
    refusal.Add("input 0 with shape ", DescribeShape(input), " has ", input.GetNumElements(),
                " elements, but the output with shape ", DescribeShape(output), " has ",
                output.GetNumElements(), "; both must be equal");
  }
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeReshape(const Layer& layer) {
  return std::make_unique<ByteCopyKernel>(layer.Output());
}

}  // namespace cpuref
}  // namespace backplane
