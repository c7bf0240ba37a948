#include "test/recurrent_oracle.hpp"

#include <backplane/api/descriptors/gru.hpp>

namespace backplane {
namespace cpuref_test {
namespace gru {

/// The gates of a unit are in the order update, reset, hidden.
RecurrentRun RunOne(const GruDescriptor& descriptor, const Operands<long double>& inputs,
                    std::int64_t direction, std::int64_t sequence, bool is_reverse) {
  const RecurrentReader reader(descriptor, inputs, direction, sequence);
  const auto& gates = descriptor.gates[direction];
  const auto activate = [&](int gate, long double x) {
    return Activate(gates[gate], descriptor.clip, x);
  };
  RecurrentRun start;
  start.last = {reader.GetInitial(descriptor.has_initial_hidden == 1)};
  return RunSequence(
      reader.GetLength(), is_reverse, start, [&](std::int64_t step, RecurrentRun& run) {
        const std::vector<long double> before = run.last[0];
        const auto get_gate = [&](std::int64_t gate, std::int64_t unit) {
          return activate(0,
                          reader.OfInput(step, gate, unit) + reader.OfHidden(before, gate, unit));
        };
        std::vector<long double> reset = before;
        for (std::int64_t unit = 0; unit < reader.GetNumHidden(); ++unit) {
          reset[static_cast<std::size_t>(unit)] *= get_gate(1, unit);
        }
        for (std::int64_t unit = 0; unit < reader.GetNumHidden(); ++unit) {
          const long double recurrent = descriptor.linear_before_reset == 1
                                            ? get_gate(1, unit) * reader.OfHidden(before, 2, unit)
                                            : reader.OfHidden(reset, 2, unit);
          const long double candidate = activate(1, reader.OfInput(step, 2, unit) + recurrent);
          const long double update = get_gate(0, unit);
          const auto at = static_cast<std::size_t>(unit);
          run.last[0][at] = (1 - update) * candidate + update * before[at];
        }
      });
}

std::vector<LayerCase> MakeCases(Random& random) {
  GruDescriptor descriptor;
  for (auto& gates : descriptor.gates) {
    for (RecurrentGate& gate : gates) gate = MakeRandomGate(random);
  }
  descriptor.linear_before_reset = random.Word(0, 1);
  return {MakeRecurrentCase(LayerType::kGru, descriptor, 3, 2, false, false, random)};
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t output) {
  if constexpr (kIsReal<Number>) {
    return EvaluateRecurrent<GruDescriptor>(
        layer, output, [&](std::int64_t direction, std::int64_t sequence, bool is_reverse) {
          return RunOne(layer.Get<GruDescriptor>(), inputs, direction, sequence, is_reverse);
        });
  }
  return {};
}

}  // namespace gru

CPUREF_ORACLE(Gru, gru, GetRecurrentTraits());

}  // namespace cpuref_test
}  // namespace backplane
