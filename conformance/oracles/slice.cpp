#include "conformance/limits.hpp"
#include "conformance/moved_case.hpp"

#include <backplane/api/descriptors/slice.hpp>

namespace backplane {
namespace conformance {
namespace slice {

std::vector<LayerCase> MakeCases(Random& random) {
  SliceDescriptor descriptor;
  const TensorShape input = random.Shape(random.Word(1, 4), 1, 6);
  TensorShape output = input;
  const bool is_first_whole = random.Integer(0, 1) == 1;
  for (std::uint32_t axis = 0; axis < input.rank; ++axis) {
    descriptor.extents[axis] = input[axis];
    if (axis == 0 && is_first_whole) continue;
    std::int64_t step = random.Integer(1, 3);
    const std::int64_t count = random.Integer(1, (input[axis] - 1) / step + 1);
    std::int64_t start = random.Integer(0, input[axis] - 1 - (count - 1) * step);
    if (random.Integer(0, 2) == 0) {
      start += (count - 1) * step;
      step = -step;
    }
    descriptor.starts[axis] = start;
    descriptor.steps[axis] = step;
    descriptor.extents[axis] = output[axis] = count;
  }
  return {MakeCase(LayerType::kSlice, descriptor, {input}, output)};
}

LayerTraits GetTraits(const LayerCase& layer) {
  const auto descriptor = layer.Get<SliceDescriptor>();
  return MoveEverything(descriptor.starts[0] == 0 && descriptor.steps[0] == 1 &&
                        descriptor.extents[0] == layer.inputs[0][0]);
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, Indices at) {
  const auto descriptor = layer.Get<SliceDescriptor>();
  for (std::size_t axis = 0; axis < at.size(); ++axis) {
    at[axis] = descriptor.starts[axis] + at[axis] * descriptor.steps[axis];
  }
  return inputs[0].At(at);
}

LayerCase Take(const std::vector<std::int64_t>& starts, const std::vector<std::int64_t>& steps,
               const std::vector<std::int64_t>& extents, const TensorShape& input,
               const TensorShape& output) {
  SliceDescriptor descriptor;
  std::copy(starts.begin(), starts.end(), descriptor.starts);
  std::copy(steps.begin(), steps.end(), descriptor.steps);
  std::copy(extents.begin(), extents.end(), descriptor.extents);
  return MakeCase(LayerType::kSlice, descriptor, {input}, output);
}

/// Of every rank, in either direction, some of them of nothing.
EdgeCase MakeRandomSlice(Random& random) {
  const TensorShape input = random.Shape(random.Word(0, kMaxRank), 1, 4);
  std::vector<std::int64_t> starts;
  std::vector<std::int64_t> steps;
  std::vector<std::int64_t> extents;
  TensorShape output;
  for (std::uint32_t axis = 0; axis < input.rank; ++axis) {
    const bool is_forward = random.Integer(0, 1) == 1;
    const std::int64_t step = random.Integer(1, 3);
    starts.push_back(random.Integer(0, input[axis] - 1));
    const std::int64_t room = is_forward ? input[axis] - 1 - starts[axis] : starts[axis];
    steps.push_back(is_forward ? step : -step);
    extents.push_back(random.Integer(0, 9) == 0 ? 0 : random.Integer(1, room / step + 1));
    output.Append(extents[axis]);
  }
  return {Take(starts, steps, extents, input, output)};
}

std::vector<EdgeCase> MakeEdges() {
  std::vector<EdgeCase> edges = {
      {Take({4}, {-2}, {3}, {5}, {3}), {{0, 1, 2, 3, 4}}, {{4, 2, 0}}},
      // One element may have any step, and none may start anywhere.
      {Take({1}, {kLeast}, {1}, {2}, {1}), {{5, 6}}, {{6}}},
      {Take({1}, {kMost}, {1}, {2}, {1}), {{5, 6}}, {{6}}},
      {Take({5}, {-3}, {0}, {5}, {0}), {{0, 1, 2, 3, 4}}, {{}}},
      {Take({kMost}, {1}, {0}, {0}, {0}), {{}}, {{}}},
      {Take({}, {}, {}, {}, {}), {{5}}, {{5}}},
      {With(Take({0, 1}, {1, 1}, {2, 2}, {2, 3}, {2, 2}), {MakeScaled(0, 0, 2)},
            {MakeScaled(0, 0, 2)})},
  };
  Random random(59);
  for (int round = 0; round < 60; ++round) edges.push_back(MakeRandomSlice(random));
  return edges;
}

/// Of 3 elements.
RefusedCase RefuseRange(std::int64_t start, std::int64_t step, std::int64_t count,
                        const TensorShape& output, const std::string& reason) {
  return {Take({start}, {step}, {count}, {3}, output), "invalid-descriptor",
          "start " + std::to_string(start), "from 0 to less than 3", reason};
}

std::vector<RefusedCase> MakeRefused() {
  const LayerCase cut = With(Take({0, 1}, {1, 1}, {2, 2}, {2, 3}, {2, 2}), {MakeScaled(0, 1, 3)},
                             {MakeScaled(0, 1, 2)});
  return {
      RefuseRange(-1, 1, 1, {1},
                  "start -1, step 1 and 1 elements along axis 0 do not lie in the extent 3"),
      RefuseRange(3, 1, 1, {1},
                  "start 3, step 1 and 1 elements along axis 0 do not lie in the extent 3"),
      RefuseRange(1, 1, 3, {3},
                  "start 1, step 1 and 3 elements along axis 0 do not lie in the extent 3"),
      RefuseRange(1, -1, 3, {3},
                  "start 1, step -1 and 3 elements along axis 0 do not lie in the extent 3"),
      RefuseRange(0, 1, -1, {1},
                  "start 0, step 1 and -1 elements along axis 0 do not lie in the extent 3; the "
                  "output has shape [1], but the inputs give [-1]"),
      RefuseRange(0, kMost, 3, {3},
                  "start 0, step 9223372036854775807 and 3 elements along axis 0 do not lie in the "
                  "extent 3"),
      RefuseRange(2, -kMost, kMost, {3},
                  "start 2, step -9223372036854775807 and 9223372036854775807 elements along axis "
                  "0 do not lie in the extent 3; the output has shape [3], but the inputs give "
                  "[9223372036854775807]"),
      RefuseRange(0, 1, kMost, {3},
                  "start 0, step 1 and 9223372036854775807 elements along axis 0 do not lie in the "
                  "extent 3; the output has shape [3], but the inputs give [9223372036854775807]"),
      {Take({0}, {0}, {3}, {3}, {3}), "invalid-descriptor", "step 0 at axis 0", "any other number",
       "the step along axis 0 is 0"},
      {cut, "wrong-data-type", "along axis 1", "one scale",
       "input 0 is quantised along axis 1, which does not stay as it is; the quantisation of input "
       "0 differs from that of the output; conversions are not supported"},
  };
}

}  // namespace slice

BACKPLANE_ELEMENT_ORACLE(Slice, slice, slice::GetTraits(layer));

}  // namespace conformance
}  // namespace backplane
