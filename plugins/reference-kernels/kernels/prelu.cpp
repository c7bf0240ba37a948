#include "cpu_layers/arithmetic.hpp"
#include "cpu_layers/refusal.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"
#include "kernels/combine.hpp"

namespace backplane {
namespace reference {
namespace {

/// NaN stays NaN.
template <typename Number>
class PreluKernel : public Kernel {
 public:
  explicit PreluKernel(const Layer& layer) : broadcast_(MakeBroadcast(layer)) {}

  void Run(const RunTensors& tensors) const override {
    Combine<Number, Number>(broadcast_, tensors,
                            [](Number x, Number slope) { return x < 0 ? Multiply(slope, x) : x; });
  }

 private:
  const Broadcast broadcast_;
};

}  // namespace

std::string FindRefusalOfPrelu(const Layer& layer) {
  Refusal refusal;
  RequireNumbers(layer, refusal);
  RequirePrelu(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakePrelu(const Layer& layer) {
  return MakeNumberKernel<PreluKernel>(layer);
}

}  // namespace reference
}  // namespace backplane
