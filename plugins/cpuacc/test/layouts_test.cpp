#include "layout/channel_blocks.hpp"
#include "layout/layout_axes.hpp"
#include "memory/aligned_memory.hpp"
#include "moves/reorder.hpp"
#include "test/network_case.hpp"

#include <gtest/gtest.h>
#include <backplane/api/descriptors/concat.hpp>
#include <backplane/api/descriptors/pad.hpp>
#include <backplane/api/descriptors/pooling.hpp>
#include <backplane/api/descriptors/reshape.hpp>
#include <backplane/api/descriptors/resize.hpp>
#include <backplane/api/descriptors/slice.hpp>
#include <backplane/api/descriptors/split.hpp>
#include <backplane/api/descriptors/transpose.hpp>

#include <cstring>
#include <functional>
#include <optional>

namespace backplane {
namespace cpuacc_test {
namespace {

using cpuacc::Layout;

/// Blocks of so many channels; 0 for channels that lie last.
constexpr std::int64_t kBlocks[] = {0, 4, 8, 16};

Layout MakeLayout(const TensorInfo& info, std::int64_t block) {
  if (block != 0) return *cpuacc::MakeChannelBlocks(info, block);
  return Layout(dnnl::memory::desc(cpuacc::ToDims(info.shape), cpuacc::ToDnnlType(info.data_type),
                                   dnnl::memory::format_tag::nhwc),
                info);
}

std::shared_ptr<void> BringInto(const Layout& layout, const StoredTensor& plain) {
  std::shared_ptr<void> memory = cpuacc::AllocateAligned(layout.GetSizeBytes(plain.info));
  const auto kernel = cpuacc::MakeReorder(plain.info, Layout(), layout, 1);
  const auto state = kernel->MakeState();
  const std::shared_ptr<void> scratch = cpuacc::AllocateAligned(kernel->GetScratchBytes());
  void* inputs[] = {const_cast<unsigned char*>(plain.bytes.data())};
  void* outputs[] = {memory.get()};
  cpuacc::KernelRun run;
  run.inputs = inputs;
  run.outputs = outputs;
  run.scratch = scratch.get();
  run.state = state.get();
  kernel->Run(run);
  return memory;
}

/// The outputs of the graph as it is, whose inputs lie in these layouts.
std::vector<StoredTensor> RunWithLayouts(const Graph& graph,
                                         const std::vector<StoredTensor>& inputs,
                                         std::int64_t block, int num_threads) {
  cpuacc::Borders borders;
  std::vector<std::shared_ptr<void>> memories;
  std::vector<void*> from;
  for (const StoredTensor& input : inputs) {
    borders.inputs.push_back(MakeLayout(input.info, block));
    memories.push_back(BringInto(borders.inputs.back(), input));
    from.push_back(memories.back().get());
  }
  cpuacc::PackedConstants constants;
  cpuacc::ThreadPool pool;
  const cpuacc::Threads threads(pool, num_threads);
  const auto program = cpuacc::Compile(graph, borders, constants, cpuacc::Options(), threads);
  const std::shared_ptr<void> arena = cpuacc::AllocateAligned(program->GetMemoryBytes());
  cpuacc::ProgramState state(*program, static_cast<unsigned char*>(arena.get()));
  std::vector<StoredTensor> outputs;
  for (const TensorId output : graph.outputs) outputs.emplace_back(graph.tensors[output].info);
  std::vector<void*> to;
  for (StoredTensor& output : outputs) to.push_back(output.bytes.data());
  program->Run(from.data(), to.data(), state, cpuacc::StepReporter(nullptr, ""), threads);
  return outputs;
}

/// Builds a network on an input of so many channels.
using Build = std::function<void(NetworkCase& network, std::int64_t num_channels)>;

void ExpectAsCpuRefInEveryLayout(const Build& build) {
  for (const std::int64_t num_channels : {16, 20, 32, 48}) {
    NetworkCase network;
    build(network, num_channels);
    const std::vector<StoredTensor> inputs = MakeInputs(network.GetGraph(), network.GetRandom());
    const std::vector<StoredTensor> expected = RunOnCpuRef(network.GetGraph(), inputs);
    for (const std::int64_t block : kBlocks) {
      for (const int num_threads : {1, 2}) {
        SCOPED_TRACE(std::to_string(num_channels) + " channels, block " + std::to_string(block));
        ExpectSame(RunWithLayouts(network.GetGraph(), inputs, block, num_threads), expected,
                   Precision::kFast);
      }
    }
  }
}

TEST(Layouts, OfTransposesInEveryOrder) {
  std::vector<std::uint32_t> permutation = {0, 1, 2, 3};
  do {
    ExpectAsCpuRefInEveryLayout([&](NetworkCase& network, std::int64_t num_channels) {
      const TensorShape input = {2, num_channels, 5, 7};
      TransposeDescriptor descriptor;
      TensorShape output = input;
      for (std::uint32_t axis = 0; axis < 4; ++axis) {
        descriptor.permutation[axis] = permutation[axis];
        output[axis] = input[permutation[axis]];
      }
      network.AddOutput(
          network.Add(LayerType::kTranspose, descriptor, {network.AddInput(input)}, output));
    });
  } while (std::next_permutation(permutation.begin(), permutation.end()));
}

TEST(Layouts, OfSlicesAlongChannelsAndPlaces) {
  for (const std::int64_t start : {0, 4, 8, 3}) {
    ExpectAsCpuRefInEveryLayout([&](NetworkCase& network, std::int64_t num_channels) {
      const TensorShape output = {2, num_channels - start, 2, 3};
      SliceDescriptor descriptor;
      descriptor.starts[1] = start;
      descriptor.starts[2] = 4;
      descriptor.steps[2] = -2;
      descriptor.starts[3] = 1;
      descriptor.steps[3] = 2;
      std::copy_n(output.dims, 4, descriptor.extents);
      const TensorId input = network.AddInput({2, num_channels, 5, 7});
      network.AddOutput(network.Add(LayerType::kSlice, descriptor, {input}, output));
    });
  }
}

TEST(Layouts, OfSplitsAndJoinsAlongEveryAxis) {
  for (std::uint32_t axis = 0; axis < 4; ++axis) {
    ExpectAsCpuRefInEveryLayout([&](NetworkCase& network, std::int64_t num_channels) {
      const TensorShape whole = {3, num_channels, 5, 7};
      SplitDescriptor split;
      split.axis = axis;
      split.num_parts = 2;
      split.extents[0] = axis == 1 ? 8 : 1;
      split.extents[1] = whole[axis] - split.extents[0];
      TensorShape parts[2] = {whole, whole};
      for (int part = 0; part < 2; ++part) parts[part][axis] = split.extents[part];
      const TensorId input = network.AddInput(whole);
      const std::vector<TensorId> outputs =
          network.AddLayer(LayerType::kSplit, split, {input}, {Float(parts[0]), Float(parts[1])});
      ConcatDescriptor join;
      join.axis = axis;
      network.AddOutput(network.Add(LayerType::kConcat, join, {outputs[1], outputs[0]}, whole));
    });
  }
}

TEST(Layouts, OfPaddingOfEveryKind) {
  for (const auto mode : {PaddingMode::kConstant, PaddingMode::kReflect, PaddingMode::kEdge}) {
    for (const std::int64_t num_more_channels : {0, 3}) {
      ExpectAsCpuRefInEveryLayout([&](NetworkCase& network, std::int64_t num_channels) {
        PadDescriptor descriptor;
        descriptor.mode = mode;
        descriptor.pads_begin[1] = num_more_channels;
        descriptor.pads_begin[2] = 2;
        descriptor.pads_end[2] = 1;
        descriptor.pads_begin[3] = -1;
        descriptor.pads_end[3] = 3;
        const TensorId input = network.AddInput({2, num_channels, 5, 7});
        network.AddOutput(network.Add(LayerType::kPad, descriptor, {input},
                                      {2, num_channels + num_more_channels, 8, 9}));
        const TensorId value = network.AddConstant({}, 3.0F);
        network.AddOutput(network.Add(LayerType::kPad, descriptor, {input, value},
                                      {2, num_channels + num_more_channels, 8, 9}));
      });
    }
  }
}

TEST(Layouts, OfResizesOfEveryInterpolation) {
  for (const auto interpolation :
       {Interpolation::kNearest, Interpolation::kLinear, Interpolation::kCubic}) {
    ExpectAsCpuRefInEveryLayout([&](NetworkCase& network, std::int64_t num_channels) {
      const TensorShape output = {2, num_channels, 10, 4};
      ResizeDescriptor descriptor;
      descriptor.interpolation = interpolation;
      descriptor.rank = 4;
      std::copy_n(output.dims, 4, descriptor.extents);
      const TensorId input = network.AddInput({2, num_channels, 5, 7});
      network.AddOutput(network.Add(LayerType::kResize, descriptor, {input}, output));
    });
  }
}

TEST(Layouts, OfPoolingOfEveryMethod) {
  for (const auto method : {PoolingMethod::kMax, PoolingMethod::kAverage, PoolingMethod::kLp}) {
    for (const std::uint32_t dilation : {1U, 2U}) {
      ExpectAsCpuRefInEveryLayout([&](NetworkCase& network, std::int64_t num_channels) {
        PoolingDescriptor descriptor;
        descriptor.method = method;
        for (int axis = 0; axis < 2; ++axis) {
          descriptor.kernel[axis] = 2;
          descriptor.strides[axis] = 2;
          descriptor.dilations[axis] = dilation;
          descriptor.pads_begin[axis] = 1;
        }
        const TensorShape output = {2, num_channels, dilation == 1 ? 3 : 2, dilation == 1 ? 4 : 3};
        const TensorId input = network.AddInput({2, num_channels, 5, 7});
        network.AddOutput(network.Add(LayerType::kPooling, descriptor, {input}, output));
      });
    }
  }
}

TensorId AddShuffle(NetworkCase& network, TensorId input, const TensorShape& whole) {
  const std::int64_t half = whole[1] / 2;
  const TensorId apart = network.Add(LayerType::kReshape, ReshapeDescriptor(), {input},
                                     {whole[0], 2, half, whole[2], whole[3]});
  TransposeDescriptor descriptor;
  const std::uint32_t permutation[] = {0, 2, 1, 3, 4};
  std::copy_n(permutation, 5, descriptor.permutation);
  const TensorId exchanged = network.Add(LayerType::kTranspose, descriptor, {apart},
                                         {whole[0], half, 2, whole[2], whole[3]});
  return network.Add(LayerType::kReshape, ReshapeDescriptor(), {exchanged}, whole);
}

TEST(Layouts, OfShuffledChannelsBetweenLayersWithWindows) {
  ExpectAsCpuRefInEveryLayout([&](NetworkCase& network, std::int64_t num_channels) {
    const TensorShape whole = {2, num_channels, 5, 7};
    const TensorId shuffled = AddShuffle(network, network.AddInput(whole), whole);
    PoolingDescriptor descriptor;
    network.AddOutput(network.Add(LayerType::kPooling, descriptor, {shuffled}, whole));
  });
}

TEST(Layouts, LetShuffledChannelsLieLast) {
  NetworkCase network;
  const TensorShape whole = {1, 32, 5, 7};
  const TensorId shuffled = AddShuffle(network, network.AddInput(whole), whole);
  network.AddOutput(network.Add(LayerType::kPooling, PoolingDescriptor(), {shuffled}, whole));
  cpuacc::Borders borders;
  borders.inputs = borders.outputs = {MakeLayout(Float(whole), 0)};
  cpuacc::PackedConstants constants;
  const auto program =
      cpuacc::Compile(network.GetGraph(), borders, constants, cpuacc::Options(), cpuacc::Threads());
  std::vector<std::string> names;
  for (const cpuacc::Step& step : program->GetSteps()) names.push_back(*step.name);
  EXPECT_EQ(names, (std::vector<std::string>{"Transpose1", "Pooling3"}));
}

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
