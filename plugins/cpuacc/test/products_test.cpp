#include "compile/worthwhile_threads.hpp"
#include "simd/simd.hpp"
#include "subgraphs/compile_graph.hpp"
#include "test/network_case.hpp"

#include <gtest/gtest.h>
#include <backplane/api/descriptors/activation.hpp>
#include <backplane/api/descriptors/batch_mat_mul.hpp>
#include <backplane/api/descriptors/convolution.hpp>
#include <backplane/api/descriptors/elementwise_binary.hpp>
#include <backplane/api/descriptors/fully_connected.hpp>
#include <backplane/api/descriptors/transposed_convolution.hpp>

#include <array>
#include <vector>

namespace backplane {
namespace cpuacc_test {
namespace {

ConvolutionDescriptor MakeWindow(std::uint32_t pad, std::uint32_t groups = 1) {
  ConvolutionDescriptor descriptor;
  descriptor.spatial_rank = 2;
  for (std::uint32_t axis = 0; axis < 2; ++axis) {
    descriptor.pads_begin[axis] = descriptor.pads_end[axis] = pad;
  }
  descriptor.groups = groups;
  return descriptor;
}

/// A convolution of 3x3 that keeps height and width.
TensorId ConvolveProducts(NetworkCase& network, TensorId input, std::int64_t filters,
                          std::uint32_t groups = 1) {
  TensorShape shape = network.GetShape(input);
  const TensorId weights = network.AddConstant({filters, shape[1] / groups, 3, 3});
  const TensorId bias = network.AddConstant({filters});
  shape[1] = filters;
  return network.Add(LayerType::kConvolution, MakeWindow(1, groups), {input, weights, bias}, shape);
}

TensorId Activate(NetworkCase& network, TensorId input, ActivationFunction function) {
  ActivationDescriptor descriptor;
  descriptor.function = function;
  return network.Add(LayerType::kActivation, descriptor, {input}, network.GetShape(input));
}

TensorId CombineProducts(NetworkCase& network, BinaryOperation operation, TensorId a, TensorId b) {
  ElementwiseBinaryDescriptor descriptor;
  descriptor.operation = operation;
  return network.Add(LayerType::kElementwiseBinary, descriptor, {a, b}, network.GetShape(a));
}

TEST(Products, ConvolveChannelsThatDoNotFillBlocks) {
  for (const std::int64_t channels : {1, 3, 8, 17, 31}) {
    NetworkCase network;
    const TensorId input = network.AddInput({2, channels, 11, 9});
    const TensorId first = ConvolveProducts(network, input, 2 * channels);
    const TensorId second =
        ConvolveProducts(network, first, 2 * channels, static_cast<std::uint32_t>(2 * channels));
    network.AddOutput(ConvolveProducts(network, second, channels + 3));
    ExpectAsCpuRef(network);
  }
}

TEST(Products, ConvolveLargePlanesByWinogradsAlgorithm) {
  NetworkCase network;
  const TensorId input = network.AddInput({1, 64, 30, 29});
  const TensorId first =
      Activate(network, ConvolveProducts(network, input, 64), ActivationFunction::kRelu);
  network.AddOutput(ConvolveProducts(network, first, 40));
  ExpectAsCpuRef(network);
}

TEST(Products, ConvolveAlongTheHeight) {
  NetworkCase network;
  const TensorId input = network.AddInput({1, 20, 70, 1});
  const TensorId weights = network.AddConstant({36, 20, 5, 1});
  const TensorId convolved =
      network.Add(LayerType::kConvolution, MakeWindow(0), {input, weights}, {1, 36, 66, 1});
  const TensorId other = network.AddInput({1, 36, 66, 1});
  network.AddOutput(CombineProducts(network, BinaryOperation::kAdd, convolved, other));
  ExpectAsCpuRef(network);
}

TEST(Products, ConvolveLinesByWinogradsAlgorithm) {
  for (const std::uint32_t window : {3U, 4U, 5U, 6U}) {
    for (const std::uint32_t axis : {0U, 1U}) {
      NetworkCase network;
      constexpr std::int64_t kPlaces = 83;
      TensorShape input = {2, 66, 3, 3};
      TensorShape weights = {70, 66, 1, 1};
      ConvolutionDescriptor descriptor = MakeWindow(0);
      descriptor.pads_begin[axis] = 2;
      descriptor.pads_end[axis] = 1;
      input[axis + 2] = kPlaces;
      weights[axis + 2] = window;
      TensorShape output = input;
      output[1] = 70;
      output[axis + 2] = kPlaces + 4 - window;
      const TensorId convolved = network.Add(LayerType::kConvolution, descriptor,
                                             {network.AddInput(input), network.AddConstant(weights),
                                              network.AddConstant(TensorShape{70})},
                                             output);
      network.AddOutput(Activate(network, convolved, ActivationFunction::kRelu));
      EXPECT_EQ(ListSteps(network).size(), 3U) << "two reorders and the convolution";
      ExpectAsCpuRef(network);
    }
  }
}

TEST(Products, ConvolvePlainImagesByFewFilters) {
  for (const std::uint32_t stride : {1U, 2U}) {
    for (const std::uint32_t dilation : {1U, 3U}) {
      for (const std::int64_t filters : {1, 4, 7, 12}) {
        NetworkCase network;
        ConvolutionDescriptor descriptor = MakeWindow(2);
        descriptor.pads_end[1] = 3;
        descriptor.strides[0] = 2;
        descriptor.strides[1] = stride;
        descriptor.dilations[0] = descriptor.dilations[1] = dilation;
        // The window is 2 high and 3 wide.
        const std::int64_t height = (13 + 4 - dilation - 1) / 2 + 1;
        const std::int64_t width = (95 + 5 - 2 * dilation - 1) / stride + 1;
        const TensorId convolved =
            network.Add(LayerType::kConvolution, descriptor,
                        {network.AddInput({2, 5, 13, 95}), network.AddConstant({filters, 5, 2, 3}),
                         network.AddConstant(TensorShape{filters})},
                        {2, filters, height, width});
        network.AddOutput(Activate(network, convolved, ActivationFunction::kHardSwish));
        EXPECT_EQ(ListSteps(network).size(), 1U) << "plain images stay plain";
        ExpectAsCpuRef(network);
      }
    }
  }
}

TEST(Products, ConvolveLinesInGroupsByFewFilters) {
  for (const std::uint32_t stride : {1U, 2U}) {
    for (const std::uint32_t dilation : {1U, 3U}) {
      for (const std::int64_t filters : {1, 2, 7}) {
        constexpr std::int64_t kGroups = 6;
        constexpr std::int64_t kChannels = 3;  // of a group
        constexpr std::int64_t kWindow = 11;
        NetworkCase network;
        ConvolutionDescriptor descriptor;
        descriptor.spatial_rank = 1;
        descriptor.groups = kGroups;
        descriptor.strides[0] = stride;
        descriptor.dilations[0] = dilation;
        descriptor.pads_begin[0] = 4;
        descriptor.pads_end[0] = 5;
        const std::int64_t width = (130 + 9 - dilation * (kWindow - 1) - 1) / stride + 1;
        const std::int64_t all = kGroups * filters;
        const TensorId convolved = network.Add(
            LayerType::kConvolution, descriptor,
            {network.AddInput({2, kGroups * kChannels, 130}),
             network.AddConstant({all, kChannels, kWindow}), network.AddConstant(TensorShape{all})},
            {2, all, width});
        network.AddOutput(Activate(network, convolved, ActivationFunction::kRelu));
        EXPECT_EQ(ListSteps(network).size(), 1U) << "plain lines stay plain";
        ExpectAsCpuRef(network);
      }
    }
  }
}

TEST(Products, ConvolveImagesInGroupsByFewFilters) {
  for (const std::uint32_t stride : {1U, 2U}) {
    for (const std::int64_t size : {1, 2, 3, 8, 10}) {  // channels of a group
      constexpr std::int64_t kGroups = 5;
      constexpr std::int64_t kPlaces = 61;
      NetworkCase network;
      ConvolutionDescriptor descriptor = MakeWindow(1);
      descriptor.groups = kGroups;
      descriptor.strides[0] = descriptor.strides[1] = stride;
      const std::int64_t all = kGroups * size;
      const std::int64_t places = (kPlaces - 1) / stride + 1;
      const TensorId between =
          ConvolveProducts(network, network.AddInput({2, 7, kPlaces, kPlaces}), all);
      const TensorId convolved = network.Add(
          LayerType::kConvolution, descriptor,
          {between, network.AddConstant({all, size, 3, 3}), network.AddConstant(TensorShape{all})},
          {2, all, places, places});
      network.AddOutput(
          ConvolveProducts(network, Activate(network, convolved, ActivationFunction::kRelu), 9));
      ExpectAsCpuRef(network);
    }
  }
}

TEST(Products, ConvolveASequenceByWinogradsAlgorithm) {
  NetworkCase network;
  ConvolutionDescriptor descriptor;
  descriptor.spatial_rank = 1;
  network.AddOutput(network.Add(LayerType::kConvolution, descriptor,
                                {network.AddInput({1, 64, 1205}), network.AddConstant({64, 64, 5})},
                                {1, 64, 1201}));
  ExpectAsCpuRef(network);
}

TEST(Products, ApplyActivationsBehindConvolutions) {
  for (std::uint32_t function = 1; function <= 19; ++function) {
    NetworkCase network;
    const TensorId input = network.AddInput({1, 6, 7, 5});
    const TensorId convolved = ConvolveProducts(network, input, 18);
    const TensorId activated =
        Activate(network, convolved, static_cast<ActivationFunction>(function));
    // Padding that is not zero would show here.
    network.AddOutput(ConvolveProducts(network, activated, 4));
    ExpectAsCpuRef(network);
  }
}

TEST(Products, ApplyOperationsWithEveryKindOfOperand) {
  for (const auto operation : {BinaryOperation::kAdd, BinaryOperation::kSub, BinaryOperation::kMul,
                               BinaryOperation::kMaximum}) {
    NetworkCase network;
    const TensorId input = network.AddInput({1, 5, 8, 6});
    TensorId chain = ConvolveProducts(network, input, 20);
    chain = CombineProducts(network, operation, chain, network.AddConstant({20, 1, 1}));
    chain = CombineProducts(network, operation, chain, network.AddConstant({1}));
    chain = CombineProducts(network, operation, chain, network.AddInput({1, 20, 8, 6}));
    chain = CombineProducts(network, operation, chain, network.AddInput({20, 1, 1}));
    chain = CombineProducts(network, operation, chain, network.AddConstant({6}));
    network.AddOutput(CombineProducts(network, operation, network.AddInput({1, 20, 8, 6}), chain));
    ExpectAsCpuRef(network);
  }
}

TEST(Products, ConvolveWithWeightsThatAreComputed) {
  NetworkCase network;
  const TensorId input = network.AddInput({1, 6, 9, 8});
  const TensorId weights = network.AddInput({10, 3, 3, 3});
  const TensorId bias = network.AddInput({10});
  network.AddOutput(network.Add(LayerType::kConvolution, MakeWindow(1, 2), {input, weights, bias},
                                {1, 10, 9, 8}));
  ExpectAsCpuRef(network);
}

TEST(Products, TurnTransposedConvolutionsWithoutStrides) {
  for (const std::uint32_t stride : {1U, 2U}) {
    NetworkCase network;
    TransposedConvolutionDescriptor descriptor;
    descriptor.spatial_rank = 2;
    descriptor.groups = 2;
    descriptor.strides[1] = stride;
    descriptor.dilations[0] = 2;
    descriptor.pads_begin[0] = descriptor.pads_end[0] = 3;
    const TensorId input = network.AddInput({1, 8, 6, 7});
    const TensorId weights = network.AddConstant({8, 5, 3, 4});
    const TensorId bias = network.AddConstant({10});
    const TensorShape shape = {1, 10, 4, 6 * stride + 4};
    network.AddOutput(
        network.Add(LayerType::kTransposedConvolution, descriptor, {input, weights, bias}, shape));
    ExpectAsCpuRef(network);
  }
}

/// Smaller and larger than what runs by the loop of our own, with and without full panels.
TEST(Products, MultiplyMatricesOfAnySize) {
  const std::int64_t sizes[][3] = {{1, 5, 3},     {1, 700, 150},  {7, 16, 16},
                                   {13, 30, 70},  {64, 80, 100},  {5, 1, 33},
                                   {40, 300, 90}, {63, 250, 275}, {130, 250, 275}};
  for (const auto& [rows, inner, columns] : sizes) {
    for (const std::uint32_t is_transposed : {0U, 1U}) {
      NetworkCase network;
      FullyConnectedDescriptor descriptor;
      descriptor.transpose_weights = is_transposed;
      const TensorId input = network.AddInput({rows, inner});
      const TensorId weights = network.AddConstant(
          is_transposed == 1 ? TensorShape{columns, inner} : TensorShape{inner, columns});
      const TensorId bias = network.AddConstant({columns});
      const TensorId product = network.Add(LayerType::kFullyConnected, descriptor,
                                           {input, weights, bias}, {rows, columns});
      network.AddOutput(Activate(network, product, ActivationFunction::kSigmoid));
      ExpectAsCpuRef(network);
    }
  }
}

TEST(Products, MultiplyStacksOfMatrices) {
  for (const std::int64_t extent : {3, 20, 90}) {
    for (const std::uint32_t flags : {0U, 1U, 2U, 3U}) {
      NetworkCase network;
      BatchMatMulDescriptor descriptor;
      descriptor.transpose_a = flags & 1U;
      descriptor.transpose_b = flags >> 1U;
      const TensorShape a =
          descriptor.transpose_a == 1 ? TensorShape{4, 1, 6, extent} : TensorShape{4, 1, extent, 6};
      const TensorShape b = descriptor.transpose_b == 1 ? TensorShape{3, extent + 1, 6}
                                                        : TensorShape{3, 6, extent + 1};
      const TensorId inputs[] = {network.AddInput(a), network.AddInput(b)};
      network.AddOutput(network.Add(LayerType::kBatchMatMul, descriptor, {inputs[0], inputs[1]},
                                    {4, 3, extent, extent + 1}));
      ExpectAsCpuRef(network);
    }
  }
}

std::vector<float> MultiplyWith(const cpuacc::SimdFunctions& all, std::int64_t rows,
                                std::int64_t inner, std::int64_t columns,
                                DataType type = DataType::kFloat32) {
  const cpuacc::ProductFunctions& functions = all.products;
  const std::vector<float> a(static_cast<std::size_t>(rows * inner), 0.5F);
  std::vector<float> b(static_cast<std::size_t>(inner * columns));
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i % 7);
  const std::int64_t panels = (columns + cpuacc::kPanelColumns - 1) / cpuacc::kPanelColumns;
  std::vector<float> packed(static_cast<std::size_t>(panels * inner * cpuacc::kPanelColumns));
  functions.pack({b.data(), columns, 1, inner, columns}, packed.data());
  std::vector<float> result(static_cast<std::size_t>(rows * columns));
  cpuacc::Product product;
  product.rows = rows;
  product.inner = inner;
  product.columns = columns;
  product.a = a.data();
  product.a_row_step = inner;
  product.a_inner_step = 1;
  std::vector<std::uint16_t> narrow(packed.size());
  if (type != DataType::kFloat32) {
    all.halves.GetNarrow(type)(packed.data(), narrow.data(),
                               static_cast<std::int64_t>(packed.size()));
  }
  const auto find = [&](std::int64_t element) {
    const auto at = static_cast<std::size_t>(element);
    return type == DataType::kFloat32 ? static_cast<const void*>(&packed[at]) : &narrow[at];
  };
  product.b_type = type;
  product.b_inner_step = cpuacc::kPanelColumns;
  product.b_panel_step = inner * cpuacc::kPanelColumns;
  product.b = find(0);
  if (columns % cpuacc::kPanelColumns != 0) {
    product.b_last = find(columns / cpuacc::kPanelColumns * product.b_panel_step);
  }
  product.result = result.data();
  product.result_row_step = columns;
  functions.multiply(product);
  return result;
}

/// All that are finite, as columns of a matrix with one row.
TEST(Products, WidenEveryHalf) {
  for (const auto set : {cpuacc::InstructionSet::kBaseline, cpuacc::InstructionSet::kAvx2,
                         cpuacc::InstructionSet::kAvx512}) {
    const auto* functions = cpuacc::FindSimdFunctions(set);
    if (functions == nullptr) continue;
    for (const DataType type : {DataType::kFloat16, DataType::kBFloat16}) {
      const std::uint32_t infinity = type == DataType::kFloat16 ? 0x7c00 : 0x7f80;
      std::vector<std::uint16_t> halves;
      for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
        if ((bits & 0x7fffU) < infinity) halves.push_back(static_cast<std::uint16_t>(bits));
      }
      const auto count = static_cast<std::int64_t>(halves.size());
      ASSERT_EQ(count % cpuacc::kPanelColumns, 0);
      std::vector<float> expected(halves.size());
      functions->halves.GetWiden(type)(halves.data(), expected.data(), count);
      const float one = 1;
      std::vector<float> result(halves.size());
      cpuacc::Product product;
      product.rows = 1;
      product.inner = 1;
      product.columns = count;
      product.a = &one;
      product.b_type = type;
      product.b = halves.data();
      product.b_inner_step = cpuacc::kPanelColumns;
      product.b_panel_step = cpuacc::kPanelColumns;
      product.result = result.data();
      functions->products.multiply(product);
      EXPECT_EQ(result, expected);
    }
  }
}

/// Of one row, what takes long is to read the matrix.
TEST(Products, TakeSeveralThreadsForLargeMatrices) {
  for (const auto& [inner, columns, expected] : {std::array{384, 384, 2}, std::array{64, 64, 1}}) {
    NetworkCase network;
    network.AddOutput(network.Add(
        LayerType::kFullyConnected, FullyConnectedDescriptor(),
        {network.AddInput({1, inner}), network.AddConstant({inner, columns})}, {1, columns}));
    const cpuacc::Graph& graph = network.GetGraph();
    EXPECT_EQ(cpuacc::ChooseThreads(graph, graph.nodes.back(), 2), expected) << inner;
  }
}

/// What is compiled for all threads and what is compiled for one read the same weights.
TEST(Products, PackWeightsOnceForSeveralThreads) {
  for (const std::int64_t rows : {1, 64, 500}) {
    NetworkCase network;
    network.AddOutput(network.Add(LayerType::kFullyConnected, FullyConnectedDescriptor(),
                                  {network.AddInput({rows, 256}), network.AddConstant({256, 512})},
                                  {rows, 512}));
    cpuacc::ThreadPool pool;
    cpuacc::Options options;
    options.num_threads = 2;
    const auto compiled = cpuacc::CompileGraph(network.GetGraph(), options, pool);
    EXPECT_EQ(compiled->GetConstantBytes(), 256U * 512U * sizeof(float)) << rows << " rows";
  }
}

/// Few rows and a matrix whose elements are floats of 16 bits, or are not.
TEST(Products, OfFewRowsReadWeightsOf16BitsWhereTheseAreExact) {
  for (const DataType type : {DataType::kFloat32, DataType::kFloat16, DataType::kBFloat16}) {
    for (const std::int64_t rows : {1, 2, 6, 7}) {
      for (const std::uint32_t transposed : {0U, 1U}) {
        NetworkCase network;
        const std::int64_t inner = 250;
        const std::int64_t columns = 270;
        const TensorShape shape =
            transposed == 1 ? TensorShape{columns, inner} : TensorShape{inner, columns};
        std::vector<float> weights(static_cast<std::size_t>(inner * columns));
        for (std::size_t i = 0; i < weights.size(); ++i) {
          weights[i] = static_cast<float>(i * 37 % 255) / 128 - 1;  // 8 bits are exact in all
        }
        if (type == DataType::kFloat32) weights[weights.size() - 1] = 0.1F;
        if (type == DataType::kBFloat16) weights[weights.size() - 1] = 1e20F;
        BatchMatMulDescriptor descriptor;
        descriptor.transpose_b = transposed;
        network.AddOutput(network.Add(LayerType::kBatchMatMul, descriptor,
                                      {network.AddInput({rows, inner}),
                                       network.AddConstant(MakeStored(Float(shape), weights))},
                                      {rows, columns}));
        ExpectAsCpuRef(network);
      }
    }
  }
}

TEST(Products, AreTheSameForEveryInstructionSet) {
  const auto* baseline = cpuacc::FindSimdFunctions(cpuacc::InstructionSet::kBaseline);
  for (const auto set : {cpuacc::InstructionSet::kAvx2, cpuacc::InstructionSet::kAvx512}) {
    const auto* functions = cpuacc::FindSimdFunctions(set);
    if (functions == nullptr) continue;
    for (std::int64_t rows = 1; rows < 14; ++rows) {
      for (const std::int64_t columns : {1, 15, 16, 31, 64, 81, 112}) {
        // Sums of a few halves are exact.
        const auto expected = MultiplyWith(*baseline, rows, 9, columns);
        for (const DataType type : {DataType::kFloat32, DataType::kFloat16, DataType::kBFloat16}) {
          EXPECT_EQ(MultiplyWith(*functions, rows, 9, columns, type), expected);
          EXPECT_EQ(MultiplyWith(*baseline, rows, 9, columns, type), expected);
        }
      }
    }
  }
}

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
