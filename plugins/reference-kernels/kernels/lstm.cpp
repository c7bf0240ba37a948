#include "elements/converting_kernel.hpp"
#include "kernels/recurrent_gate.hpp"
#include "kernels/recurrent_kernel.hpp"

#include <backplane/api/descriptors/lstm.hpp>

#include <vector>

namespace backplane {
namespace reference {
namespace {

constexpr std::uint32_t kNumLstmGates = 4;

/// The gates lie one behind the other: input, output, forget, cell.
template <typename Number>
class LstmCell {
 public:
  static constexpr bool kHasCellState = true;

  explicit LstmCell(const LstmDescriptor& descriptor)
      : has_input_forget_(descriptor.input_forget == 1) {
    for (const auto& gates : descriptor.gates) {
      functions_.push_back(
          {{gates[0], descriptor.clip}, {gates[1], descriptor.clip}, {gates[2], descriptor.clip}});
    }
  }

  std::int64_t GetNumGateElements(const RecurrentShape& shape) const {
    return shape.batch * kNumLstmGates * shape.hidden;
  }

  void Advance(const RecurrentShape& shape, const RecurrentStep<Number>& step) const {
    const std::int64_t size = shape.hidden;
    MultiplyHidden(shape, step, step.hidden, 0, kNumLstmGates, step.gates);
    for (std::int64_t n = 0; n < shape.batch; ++n) {
      if (step.rows[n] == nullptr) continue;
      Number* gates = step.gates + n * kNumLstmGates * size;
      for (std::int64_t i = 0; i < kNumLstmGates * size; ++i) gates[i] += step.rows[n][i];
      AdvanceRow(size, step.peepholes, functions_[step.direction], gates, step.cell + n * size,
                 step.hidden + n * size);
    }
  }

 private:
  struct Functions {
    GateFunction<Number> gate;
    GateFunction<Number> cell;
    GateFunction<Number> output;
  };

  void AdvanceRow(std::int64_t size, const Number* peepholes, const Functions& functions,
                  Number* gates, Number* cell, Number* hidden) const {
    Number* input_gate = gates;
    Number* output_gate = gates + size;
    Number* forget_gate = gates + 2 * size;
    Number* candidate = gates + 3 * size;
    if (peepholes != nullptr) {
      AddProducts(size, peepholes, cell, input_gate);
      AddProducts(size, peepholes + 2 * size, cell, forget_gate);
    }
    functions.gate.Apply(input_gate, size, input_gate);
    if (has_input_forget_) {
      for (std::int64_t i = 0; i < size; ++i) forget_gate[i] = 1 - input_gate[i];
    } else {
      functions.gate.Apply(forget_gate, size, forget_gate);
    }
    functions.cell.Apply(candidate, size, candidate);
    for (std::int64_t i = 0; i < size; ++i) {
      cell[i] = forget_gate[i] * cell[i] + input_gate[i] * candidate[i];
    }
    // The output gate sees the new state of the cell.
    if (peepholes != nullptr) AddProducts(size, peepholes + size, cell, output_gate);
    functions.gate.Apply(output_gate, size, output_gate);
    functions.output.Apply(cell, size, hidden);
    for (std::int64_t i = 0; i < size; ++i) hidden[i] *= output_gate[i];
  }

  static void AddProducts(std::int64_t size, const Number* a, const Number* b, Number* sums) {
    for (std::int64_t i = 0; i < size; ++i) sums[i] += a[i] * b[i];
  }

  bool has_input_forget_;
  std::vector<Functions> functions_;  // of each direction
};

template <typename Number>
class LstmKernel : public RecurrentKernel<Number, LstmCell<Number>> {
 public:
  explicit LstmKernel(const Layer& layer)
      : LstmKernel(layer, layer.GetDescriptor<LstmDescriptor>()) {}

 private:
  LstmKernel(const Layer& layer, const LstmDescriptor& descriptor)
      : RecurrentKernel<Number, LstmCell<Number>>(
            RecurrentShape(layer, MakeRecurrentOptions(descriptor)), LstmCell<Number>(descriptor)) {
  }
};

}  // namespace

std::string FindRefusalOfLstm(const Layer& layer) {
  return FindRecurrentRefusal<LstmDescriptor>(layer, &CheckRecurrent);
}

std::unique_ptr<Kernel> MakeLstm(const Layer& layer) {
  return MakeFloatKernel<LstmKernel>(layer);
}

}  // namespace reference
}  // namespace backplane
