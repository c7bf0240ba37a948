#include "conformance/layer_case.hpp"
#include "conformance/limits.hpp"

#include <backplane/api/descriptors/max_unpooling.hpp>

namespace backplane {
namespace conformance {
namespace max_unpooling {

std::vector<LayerCase> MakeCases(Random& random) {
  MaxUnpoolingDescriptor descriptor;
  descriptor.spatial_rank = random.Word(1, kMaxSpatialRank);
  TensorShape input = {random.Integer(1, 2), random.Integer(1, 3)};
  TensorShape counted = input;
  TensorShape output = input;
  const bool is_same = random.Integer(0, 1) == 1;
  for (std::uint32_t i = 0; i < descriptor.spatial_rank; ++i) {
    descriptor.index_extents[i] = random.Integer(2, 4);
    descriptor.extents[i] = is_same ? descriptor.index_extents[i] : random.Integer(1, 5);
    input.Append(random.Integer(1, 3));
    counted.Append(descriptor.index_extents[i]);
    output.Append(descriptor.extents[i]);
  }
  LayerCase layer = MakeCase(LayerType::kMaxUnpooling, descriptor, {input, input}, output);
  const DataType type = random.Integer(0, 1) == 1 ? DataType::kInt64 : DataType::kInt32;
  layer.own_inputs = {{1, type, -2, counted.GetNumElements() + 1}};
  return {layer};
}

/// The last element whose index names this position.
template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  const auto descriptor = layer.Get<MaxUnpoolingDescriptor>();
  std::int64_t number = at[0] * inputs[0].shape[1] + at[1];
  for (std::uint32_t i = 0; i < descriptor.spatial_rank; ++i) {
    if (at[i + 2] >= descriptor.index_extents[i]) return Number{};
    number = number * descriptor.index_extents[i] + at[i + 2];
  }
  Number element{};
  for (std::size_t i = 0; i < inputs[0].data.size(); ++i) {
    if (inputs[1].data[i] == static_cast<Number>(number)) element = inputs[0].data[i];
  }
  return element;
}

LayerCase Describe(const std::vector<std::int64_t>& index_extents,
                   const std::vector<std::int64_t>& extents, const TensorShape& input,
                   const TensorShape& output) {
  MaxUnpoolingDescriptor descriptor;
  descriptor.spatial_rank = static_cast<std::uint32_t>(extents.size());
  std::copy_n(index_extents.begin(), std::min<std::size_t>(extents.size(), kMaxSpatialRank),
              descriptor.index_extents);
  std::copy_n(extents.begin(), std::min<std::size_t>(extents.size(), kMaxSpatialRank),
              descriptor.extents);
  return With(MakeCase(LayerType::kMaxUnpooling, descriptor, {input, input}, output),
              {MakeOwn(1, DataType::kInt64)});
}

std::vector<EdgeCase> MakeEdges() {
  return {
      {Describe({4}, {4}, {1, 2, 2}, {1, 2, 4}),
       {{1, 2, 3, 4}, {1, 3, 4, 6}},
       {{0, 1, 0, 2, 3, 0, 4, 0}}},
      // The position stays in a larger or smaller output.
      {Describe({2, 2}, {3, 3}, {1, 1, 1, 2}, {1, 1, 3, 3}),
       {{1, 2}, {1, 2}},
       {{0, 1, 0, 2, 0, 0, 0, 0, 0}}},
      {Describe({2, 2}, {2, 1}, {1, 1, 1, 2}, {1, 1, 2, 1}), {{1, 2}, {1, 2}}, {{0, 2}}},
      // Indices of nothing are passed over, and the last of several elements stays.
      {Describe({3}, {3}, {1, 1, 5}, {1, 1, 3}),
       {{1, 2, 3, 4, 5}, {-1, 3, kLeast, kMost, 2}},
       {{0, 0, 5}}},
      {Describe({2}, {2}, {1, 1, 3}, {1, 1, 2}), {{1, 2, 3}, {1, 0, 1}}, {{2, 3}}},
      {Describe({2}, {2}, {1, 1, 0}, {1, 1, 2}), {{}, {}}, {{0, 0}}},
      {Describe({2}, {0}, {1, 1, 1}, {1, 1, 0}), {{1}, {0}}, {{}}},
  };
}

std::vector<RefusedCase> MakeRefused() {
  constexpr std::int64_t kHuge = std::int64_t{1} << 40U;
  const char* const counted = " must be 0 or more, with a product that fits 63 bits";
  LayerCase indices = Describe({4}, {4}, {1, 1, 2}, {1, 1, 4});
  indices.inputs[1] = {1, 1, 3};
  return {
      {indices, "wrong-shape", "extent 3 at axis 2", "expected 2",
       "input 1 (indices) has shape [1, 1, 3], but must have [1, 1, 2] as input 0"},
      {Describe({kHuge, kHuge}, {1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}), "tensor-too-large",
       "index_extents", "63 bits",
       std::string("index extent 1099511627776 of spatial axis 1") + counted},
      {Describe({-7}, {1}, {1, 1, 1}, {1, 1, 1}), "invalid-descriptor",
       "found -7 at spatial axis 0", "0 or more",
       std::string("index extent -7 of spatial axis 0") + counted},
      {Describe({4}, {-1}, {1, 1, 1}, {1, 1, 0}), "invalid-descriptor",
       "found -1 at spatial axis 0", "0 or more",
       "the output has shape [1, 1, 0], but the inputs give [1, 1, -1]"},
      {With(Describe({4}, {4}, {1, 1, 2}, {1, 1, 4}), {}), "wrong-data-type", "float32", "int64",
       "data type float32 of input 1 is not supported, only int32 or int64"},
      {Describe({4, 4}, {4, 4}, {1, 2, 2}, {1, 2, 4}), "wrong-rank", "float32 [1, 2, 2]", "rank 4",
       "input 0 has rank 3, but must have rank 4 for spatial rank 2"},
      {Describe({4, 4, 4, 4}, {4, 4, 4, 4}, {1, 1, 2}, {1, 1, 4}), "invalid-descriptor", "found 4",
       "1 to 3", "spatial rank 4 is not supported, only 1 to 3"},
  };
}

}  // namespace max_unpooling

BACKPLANE_ELEMENT_ORACLE(MaxUnpooling, max_unpooling, PlainTypes::kNumbers,
                         QuantisedTypes::kInRange);

}  // namespace conformance
}  // namespace backplane
