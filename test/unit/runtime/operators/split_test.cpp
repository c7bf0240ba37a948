#include "operators/infer.hpp"

#include <limits>

namespace backplane {
namespace {

SplitDescriptor Into(std::uint32_t axis, const std::vector<std::int64_t>& extents) {
  SplitDescriptor descriptor;
  descriptor.axis = axis;
  descriptor.num_parts = static_cast<std::uint32_t>(extents.size());
  for (std::size_t part = 0; part < extents.size(); ++part) {
    descriptor.extents[part] = extents[part];
  }
  return descriptor;
}

/// All outputs of a layer.
std::vector<TensorInfo> InferParts(const SplitDescriptor& descriptor, const TensorInfo& info) {
  auto network = INetwork::Create("net");
  const OutputSlot input = network->AddInputLayer(info, "in");
  const LayerId layer = AddLayer<LayerType::kSplit>(*network, descriptor, {input}, "layer");
  std::vector<TensorInfo> parts;
  for (std::uint32_t part = 0; part < descriptor.num_parts; ++part) {
    parts.push_back(network->GetTensorInfo({layer, part}));
  }
  EXPECT_ANY_THROW(network->GetTensorInfo({layer, descriptor.num_parts}));
  return parts;
}

using Infos = std::vector<TensorInfo>;

TEST(Split, GivesEachPartItsExtentAlongTheAxis) {
  EXPECT_EQ(InferParts(Into(1, {3, 0, 4}), Float({2, 7, 5})),
            (Infos{Float({2, 3, 5}), Float({2, 0, 5}), Float({2, 4, 5})}));
  EXPECT_EQ(InferParts(Into(0, {3}), Typed(DataType::kBool, {3})),
            (Infos{Typed(DataType::kBool, {3})}));
}

TEST(Split, TakesEmptyTensorsApart) {
  EXPECT_EQ(InferParts(Into(0, {0, 0}), Float({0, 4})), (Infos{Float({0, 4}), Float({0, 4})}));
  EXPECT_EQ(InferParts(Into(1, {1, 3}), Float({0, 4})), (Infos{Float({0, 1}), Float({0, 3})}));
}

TEST(Split, TakesAsManyPartsAsADescriptorHolds) {
  const Infos parts =
      InferParts(Into(0, std::vector<std::int64_t>(kMaxSplitParts, 2)), Float({128}));
  EXPECT_EQ(parts, Infos(kMaxSplitParts, Float({2})));
}

TEST(Split, RejectsScalar) {
  ExpectRefused<LayerType::kSplit>(Into(0, {1}), {Float({})}, DiagnosticCode::kWrongRank,
                                   "float32 []", "rank 1 or more");
}

TEST(Split, RejectsAxisBehindRank) {
  ExpectRefused<LayerType::kSplit>(Into(2, {3}), {Float({2, 3})},
                                   DiagnosticCode::kInvalidDescriptor, "axis 2", "less than 2");
}

TEST(Split, RejectsNumbersOfPartsThatADescriptorCannotHold) {
  for (const std::uint32_t count :
       {0U, kMaxSplitParts + 1, std::numeric_limits<std::uint32_t>::max()}) {
    SplitDescriptor descriptor;
    descriptor.num_parts = count;
    ExpectRefused<LayerType::kSplit>(descriptor, {Float({2})}, DiagnosticCode::kInvalidDescriptor,
                                     "found " + std::to_string(count) + ";", "1 to 64");
  }
}

TEST(Split, RejectsPartsThatAreNotTheWhole) {
  const auto expect_refused = [](const std::vector<std::int64_t>& extents,
                                 const std::string& found) {
    ExpectRefused<LayerType::kSplit>(Into(1, extents), {Float({2, 7})},
                                     DiagnosticCode::kInvalidDescriptor,
                                     "parts of " + found + " along axis 1", "with the sum 7");
  };
  expect_refused({3, 3}, "3, 3");
  expect_refused({3, 5}, "3, 5");
  expect_refused({8, -1}, "8, -1");
  expect_refused({-1, 8}, "-1, 8");
  const std::string most = std::to_string(kMost);
  expect_refused({kMost, kMost, 9}, most + ", " + most + ", 9");
}

TEST(Split, KeepsQuantization) {
  EXPECT_EQ(InferParts(Into(0, {1, 2}), Quantized({3})), (Infos{Quantized({1}), Quantized({2})}));
}

TEST(Split, RejectsQuantizationAlongItsAxis) {
  TensorInfo info({2, 3}, DataType::kInt8);
  info.quantization.scales = {0.5F, 0.25F};
  ExpectRefused<LayerType::kSplit>(Into(0, {1, 1}), {info}, DiagnosticCode::kWrongDataType,
                                   "quantized along axis 0", "scales along another axis");
  for (const TensorInfo& part : InferParts(Into(1, {1, 2}), info)) {
    EXPECT_EQ(part.quantization, info.quantization);
  }
}

TEST(Split, OutputsMayBeReadByLayersOfTheirOwn) {
  auto network = INetwork::Create("net");
  const OutputSlot input = network->AddInputLayer(Float({2, 3}), "in");
  const LayerId split = AddLayer<LayerType::kSplit>(*network, Into(1, {1, 2}), {input}, "split");
  ConcatDescriptor swapped;
  swapped.axis = 1;
  const LayerId concat =
      AddLayer<LayerType::kConcat>(*network, swapped, {{split, 1}, {split, 0}}, "concat");
  EXPECT_EQ(network->GetTensorInfo({concat, 0}), Float({2, 3}));
}

}  // namespace
}  // namespace backplane
