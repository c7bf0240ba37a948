#include "cpu_layers/refusal.hpp"
#include "elements/compute_type.hpp"
#include "kernel.hpp"
#include "kernels/byte_copy.hpp"

namespace backplane {
namespace reference {

std::string FindRefusalOfReinterpret(const Layer& layer) {
  Refusal refusal;
  RequireQuantisable(layer.Input(0), "input 0", refusal);
  RequireQuantisable(layer.Output(), "the output", refusal);
  if (layer.Input(0).data_type != layer.Output().data_type) {
    refusal.Add("data type ", GetDataTypeName(layer.Input(0).data_type),
                " of input 0 differs from ", GetDataTypeName(layer.Output().data_type),
                " of the output; conversions are not supported");
  }
  RequireOutputShape(layer, layer.Input(0).shape, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeReinterpret(const Layer& layer) {
  return std::make_unique<ByteCopyKernel>(layer.Output());
}

}  // namespace reference
}  // namespace backplane
