#include "conformance/recurrent_oracle.hpp"

#include <backplane/api/descriptors/lstm.hpp>

namespace backplane {
namespace conformance {
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

RecurrentSizes MakeSizes(const LstmDescriptor& descriptor) {
  RecurrentSizes sizes = {4, 3};
  sizes.has_cell = descriptor.has_initial_cell == 1;
  sizes.has_peepholes = descriptor.has_peepholes == 1;
  return sizes;
}

std::vector<LayerCase> MakeCases(Random& random) {
  LstmDescriptor descriptor;
  for (auto& gates : descriptor.gates) {
    for (RecurrentGate& gate : gates) gate = MakeRandomGate(random);
  }
  descriptor.has_initial_cell = random.Word(0, 1);
  descriptor.has_peepholes = random.Word(0, 1);
  descriptor.input_forget = random.Word(0, 1);
  return {MakeRecurrentCase(LayerType::kLstm, descriptor, MakeSizes(descriptor), random)};
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

/// One gate after another is open or closed for good by its bias: input, output, forget.
EdgeCase Gate(const Elements& biases, std::uint32_t input_forget, const Elements& results) {
  LstmDescriptor descriptor;
  descriptor.has_bias = 1;
  descriptor.has_initial_cell = 1;
  descriptor.input_forget = input_forget;
  Elements bias = biases;
  bias.resize(8);
  return {MakeRecurrent(LayerType::kLstm, descriptor, MakeSizes(descriptor)),
          {{0.5L}, {0, 0, 0, 1}, {0, 0, 0, 0}, bias, {3}},
          {{results[0]}, {results[0]}, {results[1]}},
          1e-6L};
}

std::vector<EdgeCase> MakeEdges() {
  const long double candidate = std::tanh(0.5L);
  const long double kept = std::tanh(3.0L);
  return {
      // Saturated sigmoids are exactly 0 or 1.
      Gate({200, 200, -200}, 0, {std::tanh(candidate), candidate}),
      Gate({-200, 200, 200}, 0, {kept, 3}),
      Gate({-200, -200, 200}, 0, {0, 3}),
      Gate({-200, 200, -200}, 1, {kept, 3}),
  };
}

std::vector<RefusedCase> MakeRefused() {
  LstmDescriptor descriptor;
  descriptor.has_bias = 1;
  descriptor.has_initial_cell = 1;
  descriptor.has_peepholes = 1;
  LayerCase bias = MakeRecurrent(LayerType::kLstm, descriptor, MakeSizes(descriptor));
  bias.inputs[3] = {1, 9};
  LayerCase peepholes = MakeRecurrent(LayerType::kLstm, descriptor, MakeSizes(descriptor));
  peepholes.inputs[5] = {1, 4};
  LayerCase missing = MakeRecurrent(LayerType::kLstm, descriptor, MakeSizes(descriptor));
  missing.inputs.pop_back();
  LstmDescriptor flag;
  flag.input_forget = 2;
  LayerCase huge =
      As(DataType::kFloat16, MakeRecurrent(LayerType::kLstm, LstmDescriptor(), {4, 3}));
  huge.inputs[2] = {0, 1, std::int64_t{1} << 61};
  return {
      {bias, "wrong-shape", "extent 9", "8 times H",
       "input 3 (bias) has shape [1, 9], but must have [1, 8]"},
      {peepholes, "wrong-shape", "extent 4", "3 times H",
       "input 5 (peepholes) has shape [1, 4], but must have [1, 3]"},
      {missing, "invalid-descriptor", "found 5", "expected 6",
       "the layer has 5 inputs, but its flags say 6"},
      {MakeRecurrent(LayerType::kLstm, flag, {4, 3}), "invalid-descriptor", "found 2", "0 or 1",
       "input_forget is 2, but must be 0 or 1"},
      {huge, "tensor-too-large", "2305843009213693952 hidden units", "63 bits",
       "input 2 (recurrent weights) has 2305843009213693952 columns, which are too many"},
  };
}

}  // namespace lstm

BACKPLANE_ORACLE(Lstm, lstm, GetRecurrentTraits());

}  // namespace conformance
}  // namespace backplane
