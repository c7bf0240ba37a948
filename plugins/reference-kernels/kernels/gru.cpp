#include "elements/converting_kernel.hpp"
#include "kernels/recurrent_gate.hpp"
#include "kernels/recurrent_kernel.hpp"

#include <backplane/api/descriptors/gru.hpp>

#include <vector>

namespace backplane {
namespace reference {
namespace {

constexpr std::uint32_t kNumGruGates = 3;

/// The gates lie one behind the other: update, reset, hidden.
template <typename Number>
class GruCell {
 public:
  static constexpr bool kHasCellState = false;

  explicit GruCell(const GruDescriptor& descriptor)
      : resets_product_(descriptor.linear_before_reset == 1) {
    for (const auto& gates : descriptor.gates) {
      functions_.push_back({{gates[0], descriptor.clip}, {gates[1], descriptor.clip}});
    }
  }

  /// Update and reset gates of all sequences; their hidden gates; their hidden states after the
  /// reset, unless the product is reset.
  std::int64_t GetNumGateElements(const RecurrentShape& shape) const {
    return shape.batch * (kNumGruGates + 1) * shape.hidden;
  }

  void Advance(const RecurrentShape& shape, const RecurrentStep<Number>& step) const {
    const std::int64_t size = shape.hidden;
    Number* gates = step.gates;
    Number* candidates = gates + shape.batch * 2 * size;
    Number* reset_states = candidates + shape.batch * size;
    MultiplyHidden(shape, step, step.hidden, 0, 2, gates);
    for (std::int64_t n = 0; n < shape.batch; ++n) {
      Number* of_sequence = gates + n * 2 * size;
      if (step.rows[n] != nullptr) Add(2 * size, step.rows[n], of_sequence);
      functions_[step.direction].gate.Apply(of_sequence, 2 * size, of_sequence);
    }
    if (resets_product_) {
      MultiplyHidden(shape, step, step.hidden, 2, 3, candidates);
      Reset(shape, gates, candidates, candidates);
    } else {
      Reset(shape, gates, step.hidden, reset_states);
      MultiplyHidden(shape, step, reset_states, 2, 3, candidates);
    }
    for (std::int64_t n = 0; n < shape.batch; ++n) {
      if (step.rows[n] == nullptr) continue;
      Number* candidate = candidates + n * size;
      Add(size, step.rows[n] + 2 * size, candidate);
      functions_[step.direction].hidden.Apply(candidate, size, candidate);
      Mix(size, gates + n * 2 * size, candidate, step.hidden + n * size);
    }
  }

 private:
  struct Functions {
    GateFunction<Number> gate;
    GateFunction<Number> hidden;
  };

  static void Add(std::int64_t size, const Number* addends, Number* sums) {
    for (std::int64_t i = 0; i < size; ++i) sums[i] += addends[i];
  }

  /// Multiplies rows of all sequences with their reset gates.
  static void Reset(const RecurrentShape& shape, const Number* gates, const Number* rows,
                    Number* results) {
    for (std::int64_t n = 0; n < shape.batch; ++n) {
      const Number* reset = gates + (n * 2 + 1) * shape.hidden;
      const Number* row = rows + n * shape.hidden;
      Number* result = results + n * shape.hidden;
      for (std::int64_t i = 0; i < shape.hidden; ++i) result[i] = reset[i] * row[i];
    }
  }

  static void Mix(std::int64_t size, const Number* update, const Number* candidate,
                  Number* hidden) {
    for (std::int64_t i = 0; i < size; ++i) {
      hidden[i] = (1 - update[i]) * candidate[i] + update[i] * hidden[i];
    }
  }

  bool resets_product_;
  std::vector<Functions> functions_;  // of each direction
};

template <typename Number>
class GruKernel : public RecurrentKernel<Number, GruCell<Number>> {
 public:
  explicit GruKernel(const Layer& layer) : GruKernel(layer, layer.GetDescriptor<GruDescriptor>()) {}

 private:
  GruKernel(const Layer& layer, const GruDescriptor& descriptor)
      : RecurrentKernel<Number, GruCell<Number>>(
            RecurrentShape(layer, MakeRecurrentOptions(descriptor)), GruCell<Number>(descriptor)) {}
};

}  // namespace

std::string FindRefusalOfGru(const Layer& layer) {
  return FindRecurrentRefusal<GruDescriptor>(layer, &CheckRecurrent);
}

std::unique_ptr<Kernel> MakeGru(const Layer& layer) {
  return MakeFloatKernel<GruKernel>(layer);
}

}  // namespace reference
}  // namespace backplane
