#include "conformance/layer_case.hpp"
#include "conformance/limits.hpp"

#include <backplane/api/descriptors/split.hpp>

namespace backplane {
namespace conformance {
namespace split {

template <typename Number>
Number TakeApart(const SplitDescriptor& descriptor, const NumberTensor<Number>& input,
                 std::size_t output, Indices position) {
  for (std::size_t part = 0; part < output; ++part) {
    position[descriptor.axis] += descriptor.extents[part];
  }
  return input.At(position);
}

/// One part may be empty.
std::vector<LayerCase> MakeCases(Random& random) {
  SplitDescriptor descriptor;
  descriptor.axis = 1;
  descriptor.num_parts = random.Word(1, 4);
  TensorShape input = random.Shape(3, 2, 4);
  input[1] = 0;
  std::vector<TensorShape> outputs(descriptor.num_parts, input);
  for (std::uint32_t part = 0; part < descriptor.num_parts; ++part) {
    descriptor.extents[part] = outputs[part][1] = random.Integer(part == 1 ? 0 : 1, 3);
    input[1] += descriptor.extents[part];
  }
  LayerCase layer = MakeCase(LayerType::kSplit, descriptor, {input}, {});
  layer.outputs = outputs;
  return {layer};
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t output) {
  return EvaluateEach<Number>(layer, output, [&](const Indices& at) {
    return TakeApart(layer.Get<SplitDescriptor>(), inputs[0], output, at);
  });
}

/// The outputs have the shapes that the parts have.
LayerCase Into(std::uint32_t axis, const std::vector<std::int64_t>& extents,
               const TensorShape& input) {
  SplitDescriptor descriptor;
  descriptor.axis = axis;
  descriptor.num_parts = static_cast<std::uint32_t>(extents.size());
  std::copy_n(extents.begin(), std::min<std::size_t>(extents.size(), kMaxSplitParts),
              descriptor.extents);
  LayerCase layer = MakeCase(LayerType::kSplit, descriptor, {input}, input);
  layer.outputs.assign(extents.size(), input);
  for (std::size_t part = 0; part < extents.size(); ++part) {
    if (axis < input.rank) layer.outputs[part][axis] = std::max<std::int64_t>(extents[part], 0);
  }
  return layer;
}

/// Of every rank, along every axis, some of them with nothing.
EdgeCase MakeRandomParts(Random& random) {
  TensorShape input = random.Shape(random.Word(1, kMaxRank), 1, 3);
  const std::uint32_t axis = random.Word(0, input.rank - 1);
  std::vector<std::int64_t> extents(random.Word(1, 5));
  input[axis] = 0;
  for (std::int64_t& extent : extents) {
    extent = random.Integer(0, 3);
    input[axis] += extent;
  }
  return {Into(axis, extents, input)};
}

std::vector<EdgeCase> MakeEdges() {
  std::vector<EdgeCase> edges = {
      {Into(1, {2, 0, 1}, {2, 3}), {{1, 2, 3, 4, 5, 6}}, {{1, 2, 4, 5}, {}, {3, 6}}},
      {Into(0, {1, 2}, {3, 0}), {{}}, {{}, {}}},
      {Into(1, {0, 0}, {3, 0}), {{}}, {{}, {}}},
      // As many parts as a descriptor holds.
      {Into(1, std::vector<std::int64_t>(kMaxSplitParts, 1), {3, kMaxSplitParts})},
      {With(Into(1, {1, 2}, {2, 3}), {MakeScaled(0, 0, 2)},
            {MakeScaled(0, 0, 2), MakeScaled(1, 0, 2)})},
  };
  Random random(31);
  for (int round = 0; round < 40; ++round) edges.push_back(MakeRandomParts(random));
  return edges;
}

/// Parts of 2 elements that are not the whole; each has 2 elements.
RefusedCase RefuseParts(const std::vector<std::int64_t>& extents, const std::string& found) {
  LayerCase layer = Into(0, extents, {2});
  std::string reason = "the extents of the parts must be 0 or more, with the sum 2 along axis 0";
  for (std::size_t part = 0; part < extents.size(); ++part) {
    layer.outputs[part] = {2};
    if (extents[part] == 2) continue;
    reason += "; output " + std::to_string(part) + " has shape [2], but the inputs give [" +
              std::to_string(extents[part]) + "]";
  }
  return {layer, "invalid-descriptor", "parts of " + found + " along axis 0", "with the sum 2",
          reason};
}

/// One output, whatever number of parts the descriptor says.
RefusedCase RefuseCount(std::uint32_t count, const std::string& reason) {
  SplitDescriptor descriptor;
  descriptor.num_parts = count;
  descriptor.extents[0] = 2;
  return {MakeCase(LayerType::kSplit, descriptor, {{2}}, {2}), "invalid-descriptor",
          "found " + std::to_string(count) + ";", "1 to 64", reason};
}

std::vector<RefusedCase> MakeRefused() {
  const std::string most = std::to_string(kMost);
  LayerCase mixed = Into(0, {1, 1}, {2});
  mixed.own_outputs = {MakeOwn(1, DataType::kInt32)};
  LayerCase scaled = As(DataType::kInt8, Into(0, {1, 1}, {2}));
  scaled.own_outputs = {MakeScaled(1, 0, 1)};
  LayerCase other = Into(1, {1, 2}, {2, 3});
  other.outputs[1] = {2, 1};
  return {
      {Into(0, {1}, {}), "wrong-rank", "float32 []", "rank 1 or more",
       "axis 0 is outside of rank 0 of input 0"},
      {Into(2, {3}, {2, 3}), "invalid-descriptor", "axis 2", "less than 2",
       "axis 2 is outside of rank 2 of input 0"},
      RefuseCount(0, "the descriptor has 0 parts, but the layer has 1 outputs"),
      RefuseCount(kMaxSplitParts + 1, "the descriptor has 65 parts, but the layer has 1 outputs"),
      RefuseCount(0xffffffffU, "the descriptor has 4294967295 parts, but the layer has 1 outputs"),
      {Into(0, std::vector<std::int64_t>(kMaxSplitParts + 1, 1), {65}), "invalid-descriptor",
       "found 65", "1 to 64", "the layer has 65 outputs, but must have 1 to 64"},
      RefuseParts({1, 0}, "1, 0"),
      RefuseParts({3, 0}, "3, 0"),
      RefuseParts({1, 2}, "1, 2"),
      RefuseParts({3, -1}, "3, -1"),
      RefuseParts({-1, 3}, "-1, 3"),
      RefuseParts({kMost, kMost, 4}, most + ", " + most + ", 4"),
      {With(Into(0, {1, 1}, {2, 3}), {MakeScaled(0, 0, 2)},
            {MakeScaled(0, 0, 2), MakeScaled(1, 0, 2)}),
       "wrong-data-type", "quantized along axis 0", "scales along another axis", ""},
      {mixed, "", "", "",
       "data type int32 of output 1 differs from float32 of output 0; conversions are not "
       "supported"},
      {scaled, "", "", "",
       "the quantisation of output 1 differs from that of output 0; conversions are not "
       "supported"},
      {other, "", "", "", "output 1 has shape [2, 1], but the inputs give [2, 2]"},
  };
}

}  // namespace split

BACKPLANE_ORACLE(Split, split, PlainTypes::kStored, QuantisedTypes::kMoved);

}  // namespace conformance
}  // namespace backplane
