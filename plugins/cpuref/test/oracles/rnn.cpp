#include "test/recurrent_oracle.hpp"

#include <backplane/api/descriptors/rnn.hpp>

namespace backplane {
namespace cpuref_test {
namespace rnn {

RecurrentRun RunOne(const RnnDescriptor& descriptor, const Operands<long double>& inputs,
                    std::int64_t direction, std::int64_t sequence, bool is_reverse) {
  const RecurrentReader reader(descriptor, inputs, direction, sequence);
  RecurrentRun start;
  start.last = {reader.GetInitial(descriptor.has_initial_hidden == 1)};
  return RunSequence(
      reader.GetLength(), is_reverse, start, [&](std::int64_t step, RecurrentRun& run) {
        const std::vector<long double> before = run.last[0];
        for (std::int64_t unit = 0; unit < reader.GetNumHidden(); ++unit) {
          run.last[0][static_cast<std::size_t>(unit)] =
              Activate(descriptor.gates[direction], descriptor.clip,
                       reader.OfInput(step, 0, unit) + reader.OfHidden(before, 0, unit));
        }
      });
}

std::vector<LayerCase> MakeCases(Random& random) {
  RnnDescriptor descriptor;
  for (RecurrentGate& gate : descriptor.gates) gate = MakeRandomGate(random);
  return {MakeRecurrentCase(LayerType::kRnn, descriptor, 1, 2, false, false, random)};
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t output) {
  if constexpr (kIsReal<Number>) {
    return EvaluateRecurrent<RnnDescriptor>(
        layer, output, [&](std::int64_t direction, std::int64_t sequence, bool is_reverse) {
          return RunOne(layer.Get<RnnDescriptor>(), inputs, direction, sequence, is_reverse);
        });
  }
  return {};
}

}  // namespace rnn

CPUREF_ORACLE(Rnn, rnn, GetRecurrentTraits());

}  // namespace cpuref_test
}  // namespace backplane
