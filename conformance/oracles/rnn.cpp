#include "conformance/limits.hpp"
#include "conformance/recurrent_oracle.hpp"

#include <backplane/api/descriptors/rnn.hpp>

namespace backplane {
namespace conformance {
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
  return {MakeRecurrentCase(LayerType::kRnn, descriptor, RecurrentSizes(), random)};
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

/// It adds the inputs to what it has: one input, one hidden unit, all weights 1.
RnnDescriptor DescribeSum(RecurrentDirection direction = RecurrentDirection::kForward) {
  RnnDescriptor descriptor;
  descriptor.direction = direction;
  for (RecurrentGate& gate : descriptor.gates) gate = {RecurrentActivation::kAffine, 1, 0};
  return descriptor;
}

/// Of sequences with as many steps as there are elements for each; behind the weights are
/// `optional` inputs.
EdgeCase AddUp(const RnnDescriptor& descriptor, std::int64_t batch, const Elements& sequences,
               const std::vector<Elements>& outputs, const std::vector<Elements>& optional = {}) {
  RecurrentSizes sizes;
  sizes.batch = batch;
  sizes.steps = static_cast<std::int64_t>(sequences.size()) / batch;
  const Elements ones(descriptor.direction == RecurrentDirection::kBidirectional ? 2 : 1, 1);
  EdgeCase edge = {
      MakeRecurrent(LayerType::kRnn, descriptor, sizes), {sequences, ones, ones}, outputs};
  edge.inputs.insert(edge.inputs.end(), optional.begin(), optional.end());
  return edge;
}

std::vector<EdgeCase> MakeEdges() {
  using Direction = RecurrentDirection;
  RnnDescriptor ending = DescribeSum();
  ending.has_sequence_lengths = 1;
  ending.has_initial_hidden = 1;
  RnnDescriptor ending_reverse = ending;
  ending_reverse.direction = Direction::kReverse;
  RnnDescriptor batch_first = DescribeSum();
  batch_first.layout = RecurrentLayout::kBatchFirst;
  RnnDescriptor clipped = DescribeSum();
  clipped.clip = 2.5F;
  RnnDescriptor started = DescribeSum();
  started.has_initial_hidden = 1;
  const Elements four = {1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4};
  const std::vector<Elements> optional = {{2, 0, -5, 9}, {100, 200, 300, 400}};
  RecurrentSizes no_batch;
  no_batch.steps = 2;
  no_batch.batch = 0;
  return {
      AddUp(DescribeSum(), 1, {1, 2, 4}, {{1, 3, 7}, {7}}),
      AddUp(DescribeSum(Direction::kReverse), 1, {1, 2, 4}, {{7, 6, 4}, {7}}),
      AddUp(DescribeSum(Direction::kBidirectional), 1, {1, 2, 4}, {{1, 7, 3, 6, 7, 4}, {7, 7}}),
      // Each sequence ends at its length.
      AddUp(ending, 4, four, {{101, 0, 0, 401, 103, 0, 0, 403, 0, 0, 0, 407}, {103, 200, 300, 407}},
            optional),
      AddUp(ending_reverse, 4, four,
            {{103, 0, 0, 407, 102, 0, 0, 406, 0, 0, 0, 404}, {103, 200, 300, 407}}, optional),
      AddUp(batch_first, 2, {1, 2, 4, 8, 16, 32}, {{1, 3, 7, 8, 24, 56}, {7, 56}}),
      AddUp(clipped, 1, {1, 2, -9}, {{1, 2.5L, -2.5L}, {-2.5L}}),
      // NaN spoils its sequence only.
      AddUp(DescribeSum(), 2, {kNaN, 1, 1, 1}, {{kNaN, 1, kNaN, 2}, {kNaN, 2}}),
      // After no steps there is the initial state.
      AddUp(DescribeSum(), 2, {}, {{}, {0, 0}}),
      AddUp(started, 2, {}, {{}, {3, 4}}, {{3, 4}}),
      {MakeRecurrent(LayerType::kRnn, DescribeSum(), no_batch), {{}, {1}, {1}}, {{}, {}}},
  };
}

/// Gru has those of all recurrent layers.
std::vector<RefusedCase> MakeRefused() {
  RnnDescriptor unknown = DescribeSum();
  unknown.gates[0].function = RecurrentActivation{11};
  return {
      {MakeRecurrent(LayerType::kRnn, unknown, {}), "invalid-descriptor", "number 11",
       "Softsign or Softplus",
       "activation 11 is not supported, only Affine (1), Relu (2), LeakyRelu (3), ThresholdedRelu "
       "(4), TanH (5), Sigmoid (6), HardSigmoid (7), Elu (8), Softsign (9) and Softplus (10)"}};
}

}  // namespace rnn

BACKPLANE_ORACLE(Rnn, rnn, GetRecurrentTraits());

}  // namespace conformance
}  // namespace backplane
