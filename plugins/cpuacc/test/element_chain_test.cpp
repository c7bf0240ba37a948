#include "compile/compile.hpp"
#include "graph/scalar_function.hpp"
#include "layout/channel_blocks.hpp"
#include "memory/aligned_memory.hpp"
#include "test/network_case.hpp"

#include <gtest/gtest.h>
#include <backplane/api/descriptors/activation.hpp>
#include <backplane/api/descriptors/convolution.hpp>
#include <backplane/api/descriptors/elementwise_binary.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace backplane {
namespace cpuacc_test {
namespace {

using namespace cpuacc;

/// The element of an operand that meets an element of the output.
double GetBroadcast(const FloatTensor& operand, const TensorShape& shape, std::int64_t element) {
  std::int64_t offset = 0;
  std::int64_t stride = 1;
  for (std::uint32_t back = 1; back <= operand.shape.rank; ++back) {
    const std::int64_t extent = operand.shape[operand.shape.rank - back];
    const std::int64_t index = element % shape[shape.rank - back];
    element /= shape[shape.rank - back];
    offset += extent == 1 ? 0 : index * stride;
    stride *= extent;
  }
  return static_cast<double>(operand.data[static_cast<std::size_t>(offset)]);
}

/// One node that is a chain, with its tensors in any layouts.
class ChainCase {
 public:
  ChainCase(const TensorShape& shape, std::uint32_t seed) : shape_(shape), random_(seed) {
    node_.kind = NodeKind::kElements;
  }

  Random& GetRandom() { return random_; }

  /// Input 0, or an operand. `block`: of channels, 0 for plain.
  std::uint32_t AddTensor(const TensorShape& shape, bool is_constant, std::int64_t block) {
    const TensorInfo info = Float(shape);
    contents_.push_back(random_.Tensor(shape));
    for (float& element : contents_.back().data) element += element < 0.0F ? -0.25F : 0.25F;
    const std::optional<Layout> blocked = MakeChannelBlocks(info, block);
    const Layout layout = blocked && !is_constant ? *blocked : Layout();
    GraphTensor tensor;
    tensor.info = info;
    const auto id = static_cast<TensorId>(graph_.tensors.size());
    if (is_constant) {
      tensor.content = Pack(info, contents_.back(), layout);
    } else {
      graph_.inputs.push_back(id);
      borders_.inputs.push_back(layout);
      addresses_.push_back(Pack(info, contents_.back(), layout));
    }
    graph_.tensors.push_back(tensor);
    node_.inputs.push_back(id);
    return static_cast<std::uint32_t>(node_.inputs.size() - 1);
  }

  void Add(const ElementOp& op) { node_.chain.push_back(op); }

  /// `block`: the output's.
  void ExpectComputes(std::int64_t block) {
    GraphTensor output;
    output.info = Float(shape_);
    node_.outputs = {static_cast<TensorId>(graph_.tensors.size())};
    graph_.outputs = node_.outputs;
    graph_.tensors.push_back(output);
    graph_.nodes.push_back(node_);
    const std::optional<Layout> blocked = MakeChannelBlocks(output.info, block);
    borders_.outputs = {blocked ? *blocked : Layout()};
    for (const int num_threads : {1, 2}) ExpectComputesWith(num_threads);
  }

 private:
  static std::shared_ptr<const void> Pack(const TensorInfo& info, const FloatTensor& content,
                                          const Layout& layout) {
    const std::shared_ptr<void> plain = AllocateAligned(info.GetSizeBytes());
    if (!content.data.empty()) {
      std::memcpy(plain.get(), content.data.data(), info.GetSizeBytes());
    }
    if (layout.IsPlain()) return plain;
    GraphTensor tensor;
    tensor.info = info;
    tensor.content = plain;
    PackedConstants constants;
    return constants.Pack(tensor, DescribePlain(info), layout.GetBlocked());
  }

  FloatTensor Compute() const {
    FloatTensor result(shape_);
    for (std::size_t i = 0; i < result.data.size(); ++i) {
      const auto element = static_cast<std::int64_t>(i);
      double x = GetBroadcast(contents_[0], shape_, element);
      for (const ElementOp& op : node_.chain) {
        const double operand =
            HasOperand(op) ? GetBroadcast(contents_[op.operand], shape_, element) : 0.0;
        x = Evaluate(op, x, operand);
      }
      result.data[i] = static_cast<float>(x);
    }
    return result;
  }

  void ExpectComputesWith(int num_threads) const {
    const TensorInfo info = Float(shape_);
    const Layout& layout = borders_.outputs[0];
    PackedConstants constants;
    ThreadPool pool;
    const Threads threads(pool, num_threads);
    const auto program = Compile(graph_, borders_, constants, Options(), threads);
    const std::shared_ptr<void> arena = AllocateAligned(program->GetMemoryBytes());
    ProgramState state(*program, static_cast<unsigned char*>(arena.get()));
    std::vector<void*> inputs;
    for (const auto& address : addresses_) inputs.push_back(const_cast<void*>(address.get()));
    const std::uint64_t size_bytes = layout.GetSizeBytes(info);
    const std::shared_ptr<void> output = AllocateAligned(size_bytes);
    std::memset(output.get(), 77, size_bytes);
    void* outputs[] = {output.get()};
    program->Run(inputs.data(), outputs, state, StepReporter(nullptr, "chain"), threads);
    const std::shared_ptr<const void> expected = Pack(info, Compute(), layout);
    ExpectSameMemory(static_cast<const float*>(outputs[0]),
                     static_cast<const float*>(expected.get()), size_bytes / sizeof(float));
  }

  /// The padding too.
  static void ExpectSameMemory(const float* found, const float* expected, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count && !testing::Test::HasFailure(); ++i) {
      if (std::isnan(found[i]) && std::isnan(expected[i])) continue;
      EXPECT_NEAR(found[i], expected[i], 1e-5F + 1e-5F * std::fabs(expected[i]))
          << "element " << i << " of " << count << " in memory";
    }
  }

  TensorShape shape_;
  Random random_;
  Node node_;
  Graph graph_;
  Borders borders_;
  std::vector<FloatTensor> contents_;
  std::vector<std::shared_ptr<const void>> addresses_;
};

/// A shape that broadcasts to another.
TensorShape MakeOperandShape(const TensorShape& shape, Random& random) {
  const std::uint32_t rank = random.Word(0, 3) == 0 ? random.Word(0, shape.rank) : shape.rank;
  TensorShape operand;
  const bool is_whole = random.Word(0, 2) == 0;
  for (std::uint32_t axis = shape.rank - rank; axis < shape.rank; ++axis) {
    operand.Append(is_whole || random.Word(0, 1) == 0 ? shape[axis] : 1);
  }
  return operand;
}

ElementOp MakeRandomOp(ChainCase& chain, const TensorShape& shape) {
  Random& random = chain.GetRandom();
  const std::int64_t blocks[] = {0, 8, 16};
  const auto add_operand = [&] {
    return chain.AddTensor(MakeOperandShape(shape, random), random.Word(0, 1) == 0,
                           blocks[random.Word(0, 2)]);
  };
  switch (random.Word(0, 5)) {
    case 0:
      return MakeActivation(ActivationFunction::kSigmoid, 0.0F, 0.0F);
    case 1:
      return MakeActivation(ActivationFunction::kLinear, -0.75F, 0.5F);
    case 2:
      return MakePrelu(add_operand());
    case 3:
      return MakeBinary(BinaryOperation::kMul, add_operand(), random.Word(0, 1) == 0);
    case 4:
      return MakeBinary(BinaryOperation::kDiv, add_operand(), false);
    default:
      return MakeBinary(BinaryOperation::kSub, add_operand(), random.Word(0, 1) == 0);
  }
}

/// Small, with one axis that may be longer.
TensorShape MakeElementChainShape(Random& random) {
  TensorShape shape = random.Shape(random.Word(0, 5), random.Word(0, 30) == 0 ? 0 : 1, 5);
  if (shape.rank > 0) shape.dims[random.Word(0, shape.rank - 1)] = random.Integer(1, 40);
  return shape;
}

TEST(ElementChain, ComputesAnyChainInAnyLayouts) {
  for (std::uint32_t seed = 0; seed < 1000 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const TensorShape shape = MakeElementChainShape(random);
    ChainCase chain(shape, seed + 1);
    const std::int64_t blocks[] = {0, 8, 16};
    const TensorShape first = random.Word(0, 3) == 0 ? MakeOperandShape(shape, random) : shape;
    chain.AddTensor(first, random.Word(0, 7) == 0, blocks[random.Word(0, 2)]);
    const std::uint32_t length = random.Word(0, 9) == 0 ? 15 : random.Word(1, 4);
    for (std::uint32_t op = 0; op < length; ++op) chain.Add(MakeRandomOp(chain, shape));
    chain.ExpectComputes(blocks[random.Word(0, 2)]);
  }
}

TEST(ElementChain, PassesOverLargeTensorsWithSeveralThreads) {
  for (const TensorShape& operand :
       {TensorShape{1, 20, 1, 1}, TensorShape{2, 20, 1, 1}, TensorShape{1, 1, 90, 70},
        TensorShape{90, 1}, TensorShape{70}, TensorShape{2, 20, 90, 70}}) {
    for (const std::int64_t block : {0, 16}) {
      ChainCase chain({2, 20, 90, 70}, 3);
      chain.AddTensor({2, 20, 90, 70}, false, block);
      chain.Add(MakeBinary(BinaryOperation::kAdd, chain.AddTensor(operand, false, block), false));
      chain.Add(MakeActivation(ActivationFunction::kSwish, 1.0F, 0.0F));
      chain.ExpectComputes(block);
    }
  }
}

TEST(ElementChain, RunsBehindAConvolution) {
  NetworkCase network;
  const TensorShape shape = {2, 20, 9, 7};
  ConvolutionDescriptor descriptor;
  descriptor.spatial_rank = 2;
  const auto convolve = [&](TensorId input) {
    const TensorId weights = network.AddConstant({20, network.GetShape(input)[1], 1, 1});
    const TensorId bias = network.AddConstant({20});
    return network.Add(LayerType::kConvolution, descriptor, {input, weights, bias}, shape);
  };
  const auto combine = [&](BinaryOperation operation, TensorId a, TensorId b) {
    ElementwiseBinaryDescriptor binary;
    binary.operation = operation;
    return network.Add(LayerType::kElementwiseBinary, binary, {a, b}, shape);
  };
  ActivationDescriptor sigmoid;
  sigmoid.function = ActivationFunction::kSigmoid;
  TensorId x = convolve(network.AddInput({2, 3, 9, 7}));
  x = network.Add(LayerType::kActivation, sigmoid, {x}, shape);
  x = combine(BinaryOperation::kAdd, x, network.AddInput({20, 1, 1}));
  x = combine(BinaryOperation::kMul, x, network.AddInput({2, 20, 1, 1}));
  x = combine(BinaryOperation::kSub, network.AddConstant({9, 7}), x);
  x = combine(BinaryOperation::kMaximum, x, network.AddInput(shape));
  network.AddOutput(x);
  network.AddOutput(convolve(x));
  ExpectAsCpuRef(network);
}

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
