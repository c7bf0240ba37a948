#include "elements/converting_kernel.hpp"
#include "kernels/recurrent_gate.hpp"
#include "kernels/recurrent_kernel.hpp"

#include <backplane/api/descriptors/rnn.hpp>

#include <vector>

namespace backplane {
namespace reference {
namespace {

template <typename Number>
class RnnCell {
 public:
  static constexpr bool kHasCellState = false;

  explicit RnnCell(const RnnDescriptor& descriptor) {
    for (const RecurrentGate& gate : descriptor.gates) {
      functions_.emplace_back(gate, descriptor.clip);
    }
  }

  std::int64_t GetNumGateElements(const RecurrentShape& shape) const {
    return shape.batch * shape.hidden;
  }

  void Advance(const RecurrentShape& shape, const RecurrentStep<Number>& step) const {
    MultiplyHidden(shape, step, step.hidden, 0, 1, step.gates);
    for (std::int64_t n = 0; n < shape.batch; ++n) {
      if (step.rows[n] == nullptr) continue;
      Number* gate = step.gates + n * shape.hidden;
      for (std::int64_t i = 0; i < shape.hidden; ++i) gate[i] += step.rows[n][i];
      functions_[step.direction].Apply(gate, shape.hidden, step.hidden + n * shape.hidden);
    }
  }

 private:
  std::vector<GateFunction<Number>> functions_;  // of each direction
};

template <typename Number>
class RnnKernel : public RecurrentKernel<Number, RnnCell<Number>> {
 public:
  explicit RnnKernel(const Layer& layer) : RnnKernel(layer, layer.GetDescriptor<RnnDescriptor>()) {}

 private:
  RnnKernel(const Layer& layer, const RnnDescriptor& descriptor)
      : RecurrentKernel<Number, RnnCell<Number>>(
            RecurrentShape(layer, MakeRecurrentOptions(descriptor)), RnnCell<Number>(descriptor)) {}
};

}  // namespace

std::string FindRefusalOfRnn(const Layer& layer) {
  return FindRecurrentRefusal<RnnDescriptor>(layer, &CheckRecurrent);
}

std::unique_ptr<Kernel> MakeRnn(const Layer& layer) {
  return MakeFloatKernel<RnnKernel>(layer);
}

}  // namespace reference
}  // namespace backplane
