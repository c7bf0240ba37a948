#include "test/count_allocations.hpp"
#include "test/run_stored.hpp"

#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <backplane/api/layer_type.hpp>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <stdexcept>
#include <thread>

namespace backplane {
namespace cpuref_test {
namespace {

/// An addition of two tensors with their memory.
class WorkloadTest : public ::testing::Test {
 protected:
  Status Run() { return Execute(*workload_, {&a_, &b_}, {&output_}); }

  /// Runs with fences to wait for.
  Status RunAfter(const std::vector<FenceView>& fences) {
    RunArguments args({&a_, &b_}, {&output_});
    args.SetWaitFences(fences.data(), static_cast<std::uint32_t>(fences.size()));
    return workload_->Execute(args.Show());
  }

  const TensorInfo info_{{2, 2}, DataType::kFloat32};
  ElementwiseBinaryDescriptor descriptor_;
  const TestLayer layer_{LayerType::kElementwiseBinary, descriptor_, {info_, info_}, info_};
  const std::unique_ptr<IWorkload> workload_ = MakeWorkload(layer_);
  std::vector<float> data_a_ = {1.0F, 2.0F, 3.0F, 4.0F};
  std::vector<float> data_b_ = {10.0F, 20.0F, 30.0F, 40.0F};
  std::vector<float> result_ = std::vector<float>(4);
  const std::vector<float> expected_ = {11.0F, 22.0F, 33.0F, 44.0F};
  MemoryHandle a_{info_, data_a_.data()};
  MemoryHandle b_{info_, data_b_.data()};
  MemoryHandle output_{info_, result_.data()};
};

TEST_F(WorkloadTest, AsksForAddressesAtEveryRun) {
  ASSERT_EQ(Run(), Status::kSuccess);
  EXPECT_EQ(result_, expected_);
  std::vector<float> elsewhere(4);
  output_.view.data = elsewhere.data();
  ASSERT_EQ(Run(), Status::kSuccess);
  EXPECT_EQ(elsewhere, expected_);
}

TEST_F(WorkloadTest, RefusesANullHandle) {
  EXPECT_EQ(Execute(*workload_, {&a_, nullptr}, {&output_}), Status::kInvalidArgument);
}

TEST_F(WorkloadTest, RefusesAHandleThatIsNotBound) {
  b_.is_bound = false;
  EXPECT_EQ(Run(), Status::kInvalidArgument);
}

TEST_F(WorkloadTest, RefusesMemoryThatTheCpuCannotAddress) {
  output_.view.data = nullptr;
  EXPECT_EQ(Run(), Status::kInvalidArgument);
}

TEST_F(WorkloadTest, RefusesMemoryThatIsTooSmall) {
  a_.view.size_bytes = 15;
  EXPECT_EQ(Run(), Status::kInvalidArgument);
}

TEST_F(WorkloadTest, RefusesMemoryThatIsNotAligned) {
  a_.view.data = static_cast<unsigned char*>(a_.view.data) + 2;
  EXPECT_EQ(Run(), Status::kInvalidArgument);
}

TEST_F(WorkloadTest, RefusesMemoryThatIsNotDense) {
  a_.view.strides_bytes[0] = 16;
  a_.view.size_bytes = 24;
  EXPECT_EQ(Run(), Status::kInvalidArgument);
}

TEST_F(WorkloadTest, TakesAnyStrideAlongAnAxisOfOneElement) {
  a_.view.rank = 3;
  a_.view.dims[0] = 1;
  a_.view.dims[1] = a_.view.dims[2] = 2;
  a_.view.strides_bytes[0] = 4096;
  a_.view.strides_bytes[1] = 8;
  a_.view.strides_bytes[2] = 4;
  EXPECT_EQ(Run(), Status::kSuccess);
  EXPECT_EQ(result_, expected_);
}

TEST_F(WorkloadTest, RefusesAnotherNumberOfTensors) {
  EXPECT_EQ(Execute(*workload_, {&a_}, {&output_}), Status::kInvalidArgument);
  EXPECT_EQ(Execute(*workload_, {&a_, &b_}, {}), Status::kInvalidArgument);
}

TEST_F(WorkloadTest, TakesUnboundHandlesOfEmptyTensors) {
  const TensorInfo empty({0, 2}, DataType::kFloat32);
  const BatchMatMulDescriptor descriptor;
  const TestLayer layer(LayerType::kBatchMatMul, descriptor,
                        {TensorInfo({2, 0}, DataType::kFloat32), empty}, info_);
  MemoryHandle unbound(empty, nullptr);
  unbound.is_bound = false;
  result_.assign(4, 5.0F);
  EXPECT_EQ(Execute(*MakeWorkload(layer), {&unbound, &unbound}, {&output_}), Status::kSuccess);
  EXPECT_EQ(result_, std::vector<float>(4, 0.0F));
}

TEST_F(WorkloadTest, WaitsUntilAFenceIsReached) {
  const int descriptor = eventfd(0, 0);
  ASSERT_GE(descriptor, 0);
  FenceView fence;
  fence.kind = FenceKind::kEventFd;
  fence.file_descriptor = descriptor;
  std::atomic<bool> is_reached{false};
  std::thread producer([&is_reached, descriptor] {
    is_reached = true;
    const std::uint64_t one = 1;
    EXPECT_EQ(write(descriptor, &one, sizeof(one)), static_cast<ssize_t>(sizeof(one)));
  });
  EXPECT_EQ(RunAfter({FenceView(), fence}), Status::kSuccess);
  EXPECT_TRUE(is_reached);
  EXPECT_EQ(result_, expected_);
  producer.join();
  close(descriptor);
}

TEST_F(WorkloadTest, RefusesFencesOfOthers) {
  FenceView fence;
  fence.kind = FenceKind::kOpaque;
  EXPECT_EQ(RunAfter({fence}), Status::kUnsupported);
}

TEST_F(WorkloadTest, FailsForAFenceThatIsNoFile) {
  FenceView fence;
  fence.kind = FenceKind::kSyncFile;
  fence.file_descriptor = 1 << 20;
  EXPECT_EQ(RunAfter({fence}), Status::kFailure);
}

TEST_F(WorkloadTest, CreatingARefusedLayerThrowsTheReason) {
  TestLayer layer = layer_;
  layer.inputs[1].data_type = DataType::kFloat16;
  try {
    MakeWorkload(layer);
    FAIL() << "expected std::invalid_argument";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "CpuRef cannot run layer 'layer under test' (ElementwiseBinary): data type "
                 "float16 of input 1 differs from float32 of input 0");
  }
}

void ExpectRunsWithoutAllocating(LayerType type, const BaseDescriptor& descriptor,
                                 std::vector<FloatTensor> inputs, const TensorShape& shape) {
  FloatTensor result(shape);
  TestLayer layer(type, descriptor, {}, result.GetInfo());
  std::vector<std::unique_ptr<MemoryHandle>> handles;
  std::vector<ITensorHandle*> input_handles;
  for (FloatTensor& input : inputs) {
    layer.inputs.push_back(input.GetInfo());
    handles.push_back(std::make_unique<MemoryHandle>(input.GetInfo(), input.data.data()));
    input_handles.push_back(handles.back().get());
  }
  MemoryHandle output(result.GetInfo(), result.data.data());
  const std::vector<ITensorHandle*> output_handles = {&output};
  std::unique_ptr<IWorkloadFactory> factory;
  const std::unique_ptr<IWorkload> workload = MakeWorkload(layer, &factory);
  const std::unique_ptr<IExecutionState> state = factory->CreateExecutionState();
  const RunArguments args(input_handles, output_handles, state.get());
  const std::int64_t before = CountAllocations();
  const Status status = workload->Execute(args.Show());
  const std::int64_t after = CountAllocations();
  EXPECT_EQ(after, before) << GetLayerTypeName(type);
  EXPECT_EQ(status, Status::kSuccess);
}

TEST(Workload, AllocatesNothingWhileItRuns) {
  Random random(18);
  const FloatTensor matrix = random.Tensor({70, 70});
  const FloatTensor image = random.Tensor({1, 2, 9, 9});
  const FloatTensor weights = random.Tensor({3, 2, 1, 1});
  PoolingDescriptor average;
  average.method = PoolingMethod::kAverage;
  ExpectRunsWithoutAllocating(LayerType::kActivation, ActivationDescriptor(), {matrix}, {70, 70});
  ExpectRunsWithoutAllocating(LayerType::kBatchMatMul, BatchMatMulDescriptor(), {matrix, matrix},
                              {70, 70});
  ExpectRunsWithoutAllocating(LayerType::kConcat, ConcatDescriptor(), {matrix, matrix}, {140, 70});
  ExpectRunsWithoutAllocating(LayerType::kConvolution, ConvolutionDescriptor(), {image, weights},
                              {1, 3, 9, 9});
  ExpectRunsWithoutAllocating(LayerType::kCopy, NoDescriptor(), {matrix}, {70, 70});
  ExpectRunsWithoutAllocating(LayerType::kElementwiseBinary, ElementwiseBinaryDescriptor(),
                              {matrix, matrix}, {70, 70});
  ExpectRunsWithoutAllocating(LayerType::kFullyConnected, FullyConnectedDescriptor(),
                              {matrix, matrix}, {70, 70});
  ExpectRunsWithoutAllocating(LayerType::kPooling, average, {image}, {1, 2, 9, 9});
  ExpectRunsWithoutAllocating(LayerType::kReshape, ReshapeDescriptor(), {matrix}, {4900});
  ExpectRunsWithoutAllocating(LayerType::kSoftmax, SoftmaxDescriptor(), {matrix}, {70, 70});
}

TEST(Workload, RunsOnSeveralThreadsAtOnce) {
  Random random(19);
  const std::vector<FloatTensor> inputs = {random.Tensor({40, 40}), random.Tensor({40, 40})};
  const TensorInfo info({40, 40}, DataType::kFloat32);
  const BatchMatMulDescriptor descriptor;
  const TestLayer layer(LayerType::kBatchMatMul, descriptor, {info, info}, info);
  const std::unique_ptr<IWorkload> workload = MakeWorkload(layer);
  std::vector<std::vector<float>> results(4, std::vector<float>(1600));
  std::vector<std::thread> threads;
  for (std::vector<float>& result : results) {
    threads.emplace_back([&inputs, &info, &workload, &result] {
      std::vector<FloatTensor> copies = inputs;
      MemoryHandle a(info, copies[0].data.data());
      MemoryHandle b(info, copies[1].data.data());
      MemoryHandle output(info, result.data());
      EXPECT_EQ(Execute(*workload, {&a, &b}, {&output}), Status::kSuccess);
    });
  }
  for (std::thread& thread : threads) thread.join();
  const std::vector<float> expected =
      RunLayer(LayerType::kBatchMatMul, descriptor, inputs, {40, 40});
  for (const std::vector<float>& result : results) EXPECT_EQ(result, expected);
}

/// Parts of a row of float32, with as many elements as these.
TestLayer MakeParts(const std::vector<std::int64_t>& extents) {
  SplitDescriptor descriptor;
  descriptor.num_parts = static_cast<std::uint32_t>(extents.size());
  std::copy(extents.begin(), extents.end(), descriptor.extents);
  TestLayer layer(LayerType::kSplit, descriptor, {}, {});
  layer.inputs = {TensorInfo({std::accumulate(extents.begin(), extents.end(), std::int64_t{0})},
                             DataType::kFloat32)};
  layer.outputs.clear();
  for (const std::int64_t extent : extents)
    layer.outputs.emplace_back(TensorShape{extent}, DataType::kFloat32);
  return layer;
}

// The first is empty, so that one who looks at it alone computes nothing.
TEST(Workload, ComputesTheOthersWhenAnOutputIsEmptyAndUnbound) {
  const TestLayer layer = MakeParts({0, 2, 0});
  std::vector<float> data = {1.0F, 2.0F};
  std::vector<float> result(2);
  MemoryHandle input(layer.inputs[0], data.data());
  MemoryHandle whole(layer.outputs[1], result.data());
  MemoryHandle unbound(layer.outputs[0], nullptr);
  unbound.is_bound = false;
  EXPECT_EQ(Execute(*MakeWorkload(layer), {&input}, {&unbound, &whole, &unbound}),
            Status::kSuccess);
  EXPECT_EQ(result, data);
}

TEST(Workload, ChecksTheMemoryOfEveryOutput) {
  const TestLayer layer = MakeParts({1, 1});
  std::vector<float> data(4);
  MemoryHandle input(layer.inputs[0], &data[0]);
  MemoryHandle first(layer.outputs[0], &data[2]);
  MemoryHandle second(layer.outputs[1], &data[3]);
  const std::unique_ptr<IWorkload> workload = MakeWorkload(layer);
  EXPECT_EQ(Execute(*workload, {&input}, {&first}), Status::kInvalidArgument);
  second.view.size_bytes = 3;
  EXPECT_EQ(Execute(*workload, {&input}, {&first, &second}), Status::kInvalidArgument);
}

TEST(Backend, StatesItsIdVersionAndCapabilities) {
  const StaticEntryPoints entry_points = BACKPLANE_STATIC_ENTRY_POINTS(Backplane_CpuRef);
  EXPECT_STREQ(entry_points.get_backend_id(), "CpuRef");
  BackendVersion version;
  entry_points.get_version(&version.major, &version.minor);
  EXPECT_EQ(version, kBackendApiVersion);
  const std::unique_ptr<IBackendInternal> backend = MakeBackend();
  EXPECT_STREQ(backend->GetId(), "CpuRef");
  const BackendCapabilities capabilities = backend->GetCapabilities();
  ASSERT_EQ(capabilities.size(), 2U);
  EXPECT_EQ(capabilities[0].name, kCapabilityRank);
  EXPECT_EQ(capabilities[0].value, OptionValue(-1000));
  EXPECT_EQ(capabilities[1].name, kCapabilityInPlace);
  EXPECT_EQ(capabilities[1].value, OptionValue(true));
}

TEST(Backend, NeedsNoExecutionState) {
  const auto factory = MakeBackend()->CreateWorkloadFactory(WorkloadFactoryArgs());
  ASSERT_NE(factory, nullptr);
  EXPECT_EQ(factory->CreateExecutionState(), nullptr);
}

TEST(ScratchMemory, ARunWithoutItFails) {
  const ActivationDescriptor descriptor;
  const TensorInfo info({2}, DataType::kFloat16);
  const TestLayer layer(LayerType::kActivation, descriptor, {info}, info);
  std::uint16_t data[2] = {};
  MemoryHandle handle(info, data);
  EXPECT_EQ(Execute(*MakeWorkload(layer), {&handle}, {&handle}), Status::kInvalidArgument);
}

TEST(ScratchMemory, LayersOnStoredNumbersNeedNone) {
  const ActivationDescriptor descriptor;
  const TensorInfo info({2}, DataType::kFloat32);
  std::unique_ptr<IWorkloadFactory> factory;
  MakeWorkload({LayerType::kActivation, descriptor, {info}, info}, &factory);
  EXPECT_EQ(factory->CreateExecutionState(), nullptr);
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
