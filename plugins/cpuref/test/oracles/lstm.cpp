#include "test/recurrent_oracle.hpp"

#include <backplane/api/descriptors/lstm.hpp>

namespace backplane {
namespace cpuref_test {
namespace lstm {

/// The gates of a unit are in the order input, output, forget, cell.
RecurrentRun RunOne(const LstmDescriptor& descriptor, const Operands<long double>& inputs,
                    std::int64_t direction, std::int64_t sequence, bool is_reverse) {
  const RecurrentReader reader(descriptor, inputs, direction, sequence);
  const auto& gates = descriptor.gates[direction];
  const auto activate = [&](int gate, long double x) {
    return Activate(gates[gate], descriptor.clip, x);
  };
  const auto peephole = [&](std::int64_t gate, std::int64_t unit, long double cell) {
    return descriptor.has_peepholes == 1
               ? reader.GetPeephole(descriptor.has_initial_cell, gate, unit) * cell
               : 0.0L;
  };
  RecurrentRun start;
  start.last = {reader.GetInitial(descriptor.has_initial_hidden == 1),
                reader.GetInitial(descriptor.has_initial_cell == 1, 0)};
  return RunSequence(
      reader.GetLength(), is_reverse, start, [&](std::int64_t step, RecurrentRun& run) {
        const RecurrentRun before = run;
        for (std::int64_t unit = 0; unit < reader.GetNumHidden(); ++unit) {
          const auto sum = [&](std::int64_t gate) {
            return reader.OfInput(step, gate, unit) + reader.OfHidden(before.last[0], gate, unit);
          };
          const auto at = static_cast<std::size_t>(unit);
          const long double old_cell = before.last[1][at];
          const long double input = activate(0, sum(0) + peephole(0, unit, old_cell));
          const long double forget = descriptor.input_forget == 1
                                         ? 1 - input
                                         : activate(0, sum(2) + peephole(2, unit, old_cell));
          const long double cell = forget * old_cell + input * activate(1, sum(3));
          const long double output = activate(0, sum(1) + peephole(1, unit, cell));
          run.last[1][at] = cell;
          run.last[0][at] = output * activate(2, cell);
        }
      });
}

std::vector<LayerCase> MakeCases(Random& random) {
  LstmDescriptor descriptor;
  for (auto& gates : descriptor.gates) {
    for (RecurrentGate& gate : gates) gate = MakeRandomGate(random);
  }
  descriptor.has_initial_cell = random.Word(0, 1);
  descriptor.has_peepholes = random.Word(0, 1);
  descriptor.input_forget = random.Word(0, 1);
  return {MakeRecurrentCase(LayerType::kLstm, descriptor, 4, 3, descriptor.has_initial_cell == 1,
                            descriptor.has_peepholes == 1, random)};
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t output) {
  if constexpr (kIsReal<Number>) {
    return EvaluateRecurrent<LstmDescriptor>(
        layer, output, [&](std::int64_t direction, std::int64_t sequence, bool is_reverse) {
          return RunOne(layer.Get<LstmDescriptor>(), inputs, direction, sequence, is_reverse);
        });
  }
  return {};
}

}  // namespace lstm

CPUREF_ORACLE(Lstm, lstm, GetRecurrentTraits());

}  // namespace cpuref_test
}  // namespace backplane
