/// Tensors of runs that lie in larger memory, as a cache does that grows there.

#include "application_tensor.hpp"
#include "support/build_tree.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

namespace backplane::test {
namespace {

using ::testing::HasSubstr;

constexpr std::int64_t kHeads = 2;
constexpr std::int64_t kWidth = 3;
constexpr float kUnused = 7;

TensorShape MakeShape(std::int64_t rows) {
  return {1, kHeads, rows, kWidth};
}

/// Rows of a cache in memory for more of them, of which the first is there.
class Cache {
 public:
  explicit Cache(std::int64_t most_rows)
      : memory_(static_cast<std::size_t>(kHeads * most_rows * kWidth)),
        shape_(MakeShape(most_rows)) {
    Floats all(memory_.GetSizeBytes() / sizeof(float), kUnused);
    for (std::int64_t head = 0; head < kHeads; ++head) {
      std::fill_n(all.begin() + head * most_rows * kWidth, kWidth, static_cast<float>(100 * head));
    }
    memory_.Write(all);
  }

  InputTensor AsPast(std::int64_t rows) {
    InputTensor input;
    input.tensor = {Float(MakeShape(rows)), memory_.GetData()};
    input.memory_shape = shape_;
    return input;
  }
  OutputTensor AsPresent(ResultTensor& result) {
    OutputTensor output;
    output.data = memory_.GetData();
    output.size_bytes = memory_.GetSizeBytes();
    output.result = &result;
    output.memory_shape = shape_;
    return output;
  }

  /// The rows of all heads, and that those behind them are as they were.
  Floats Read(std::int64_t rows) const {
    const Floats all = memory_.Read();
    Floats found;
    for (std::int64_t head = 0; head < kHeads; ++head) {
      const auto begin = all.begin() + head * shape_[2] * kWidth;
      found.insert(found.end(), begin, begin + rows * kWidth);
      const auto is_unused = [](float value) { return value == kUnused; };
      EXPECT_TRUE(std::all_of(begin + rows * kWidth, begin + shape_[2] * kWidth, is_unused));
    }
    return found;
  }

 private:
  Buffer memory_;
  TensorShape shape_;
};

/// The rows of a cache: in each head, each row has one number.
Floats MakeRows(std::int64_t rows) {
  Floats values;
  for (std::int64_t head = 0; head < kHeads; ++head) {
    for (std::int64_t i = 0; i < rows * kWidth; ++i) {
      values.push_back(static_cast<float>(100 * head + i / kWidth));
    }
  }
  return values;
}

/// One row for each head.
Floats MakeRow(std::int64_t row) {
  Floats values;
  for (std::int64_t i = 0; i < kHeads * kWidth; ++i) {
    values.push_back(static_cast<float>(100 * (i / kWidth) + row));
  }
  return values;
}

/// The cache "x0" and new rows "x1" give the longer cache "y0", which is read besides: "y1".
class GrowingTensors : public ::testing::TestWithParam<const char*> {
 protected:
  GrowingTensors() { Create(kNoChecks); }

  void Create(CheckFlags checks) {
    CreationOptions options;
    options.dynamic_backends_path = InBuildTree(BACKPLANE_BACKENDS_FOLDER);
    options.checks = checks;
    runtime_ = IRuntime::Create(options);
  }

  void Load(std::int64_t past = kOpenExtent) {
    MemoryNetwork network;
    const OutputSlot cache = network.Input(MakeShape(past));
    const OutputSlot added = network.Relu(network.Input(MakeShape(1)), GetParam());
    const OutputSlot present = network.ConcatAlong(2, {cache, added}, GetParam());
    network.Output(present);
    network.Output(network.Relu(present, GetParam()));
    id_ =
        runtime_->LoadNetwork(Optimize(network.Get(), {GetParam()}, runtime_->GetDeviceSpec(), {}));
  }

  /// The second output of a step.
  Floats Step(InputTensor past, OutputTensor present) {
    Buffer row(MakeRow(past.tensor.info.shape[2]));
    ResultTensor read;
    OutputTensor all;
    all.id = 1;
    all.result = &read;
    ExpectRun(*runtime_, id_, {std::move(past), AsInput(1, row, MakeShape(1))}, {present, all});
    const auto* const begin = static_cast<const float*>(read.data.get());
    return Floats(begin, begin + read.info.shape.GetNumElements());
  }
  /// A step in one memory.
  void Grow(Cache& cache, std::int64_t past) {
    ResultTensor present;
    EXPECT_EQ(Step(cache.AsPast(past), cache.AsPresent(present)), MakeRows(past + 1));
    EXPECT_EQ(present.info, Float(MakeShape(past + 1)));
    EXPECT_EQ(present.data, nullptr);
    EXPECT_EQ(cache.Read(past + 1), MakeRows(past + 1)) << past;
  }
  Diagnostic ExpectRefused(const InputTensor& past, const OutputTensor& present) {
    Buffer row(MakeRow(0));
    ResultTensor read;
    OutputTensor all;
    all.id = 1;
    all.result = &read;
    return ExpectFailure(*runtime_, id_, {past, AsInput(1, row, MakeShape(1))}, {present, all},
                         Status::kInvalidArgument);
  }

  /// An isolated backend copies what it is given.
  bool WritesInPlace() const {
    return std::string(GetParam()) == "CpuAcc" &&
           std::getenv("BACKPLANE_ISOLATE_BACKENDS") == nullptr;
  }
  std::uint64_t CountCopiedRuns() const {
    const TransferReport report = runtime_->GetTransferReport(id_);
    return report.inputs[0].copied_runs + report.outputs[0].copied_runs;
  }

  std::unique_ptr<IRuntime> runtime_;
  NetworkId id_ = 0;
};

TEST_P(GrowingTensors, GrowWhereTheyLie) {
  Load();
  Cache cache(40);
  for (std::int64_t past = 1; past < 39; ++past) Grow(cache, past);
  if (WritesInPlace()) {
    EXPECT_EQ(CountCopiedRuns(), 0U);
  } else {
    EXPECT_GT(CountCopiedRuns(), 30U);
  }
}

TEST_P(GrowingTensors, FillTheirMemoryAndNoMore) {
  Load();
  Cache cache(5);
  for (std::int64_t past = 1; past < 5; ++past) Grow(cache, past);
  ResultTensor present;
  const Diagnostic full = ExpectRefused(cache.AsPast(5), cache.AsPresent(present));
  EXPECT_EQ(full.code, DiagnosticCode::kWrongTensorBinding);
  EXPECT_THAT(full.why, HasSubstr("has memory of shape [1, 2, 5, 3], expected memory for float32 "
                                  "[1, 2, 6, 3]"));
  EXPECT_EQ(cache.Read(5), MakeRows(5));
}

// Rows may be written over: the application says which are there.
TEST_P(GrowingTensors, BeginAgainAndChangeTheirMemory) {
  Load();
  Cache small(6);
  Cache large(12);
  for (const std::int64_t past : {1, 2, 3}) Grow(small, past);
  ResultTensor present;
  EXPECT_EQ(Step(small.AsPast(4), large.AsPresent(present)), MakeRows(5));
  EXPECT_EQ(large.Read(5), MakeRows(5));
  EXPECT_EQ(small.Read(4), MakeRows(4)) << "nothing is written to it";
  for (const std::int64_t past : {5, 6, 7}) Grow(large, past);
  Cache again(6);
  for (const std::int64_t past : {1, 2, 3}) Grow(again, past);
}

TEST_P(GrowingTensors, ComeFromDenseMemoryAndGoThere) {
  Load();
  Cache cache(6);
  Buffer dense(MakeRows(2));
  ResultTensor present;
  EXPECT_EQ(Step(AsInput(0, dense, MakeShape(2)), cache.AsPresent(present)), MakeRows(3));
  EXPECT_EQ(cache.Read(3), MakeRows(3));
  OutputTensor into;
  into.result = &present;
  EXPECT_EQ(Step(cache.AsPast(3), into), MakeRows(4));
  const auto* const begin = static_cast<const float*>(present.data.get());
  EXPECT_EQ(Floats(begin, begin + present.info.shape.GetNumElements()), MakeRows(4));
}

TEST_P(GrowingTensors, MayLieInTheMemoryOfNetworksWithFixedShapes) {
  Load(3);
  Cache cache(6);
  Cache other(6);
  Buffer dense(MakeRows(3));
  ResultTensor present;
  Step(AsInput(0, dense, MakeShape(3)), cache.AsPresent(present));
  EXPECT_EQ(cache.Read(4), MakeRows(4));
  EXPECT_EQ(Step(cache.AsPast(3), other.AsPresent(present)), MakeRows(4));
  EXPECT_EQ(other.Read(4), MakeRows(4));
  EXPECT_EQ(Step(cache.AsPast(3), cache.AsPresent(present)), MakeRows(4));
  EXPECT_EQ(cache.Read(4), MakeRows(4));
}

// Whoever asks for copies gets them.
TEST_P(GrowingTensors, AreCopiedWhenTheApplicationAsksForIt) {
  Load();
  Cache cache(6);
  Grow(cache, 1);
  ResultTensor present;
  InputTensor past = cache.AsPast(2);
  past.use = MemoryUse::kCopy;
  const std::uint64_t before = CountCopiedRuns();
  EXPECT_EQ(Step(past, cache.AsPresent(present)), MakeRows(3));
  EXPECT_EQ(cache.Read(3), MakeRows(3));
  EXPECT_GT(CountCopiedRuns(), before);
}

TEST_P(GrowingTensors, GrowOnSeveralThreads) {
  Load();
  std::vector<std::thread> threads;
  for (std::int64_t most_rows = 18; most_rows < 22; ++most_rows) {
    threads.emplace_back([this, most_rows] {
      Cache cache(most_rows / 2 * 2);  // two of them have memory of one shape
      for (std::int64_t past = 1; past < 17; ++past) Grow(cache, past);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// Checks look at inputs once more after they were read.
TEST_P(GrowingTensors, AreCopiedWhenRunsAreChecked) {
  Create(kAllChecks);
  Load();
  Cache cache(8);
  for (std::int64_t past = 1; past < 7; ++past) Grow(cache, past);
  EXPECT_GT(CountCopiedRuns(), 0U);
  for (const CheckFinding& finding : runtime_->GetCheckReport(id_).findings) {
    ADD_FAILURE() << ToText(finding.diagnostic);
  }
}

TEST_P(GrowingTensors, AreHeldAgainstTheirMemory) {
  Load();
  Cache cache(6);
  ResultTensor present;
  const OutputTensor output = cache.AsPresent(present);
  InputTensor past = cache.AsPast(2);
  past.memory_shape = MakeShape(1);
  EXPECT_THAT(ExpectRefused(past, output).why,
              HasSubstr("lies in memory of shape [1, 2, 1, 3], expected memory for float32 "
                        "[1, 2, 2, 3]"));
  past.memory_shape = {6, 6};
  EXPECT_THAT(ExpectRefused(past, output).why, HasSubstr("lies in memory of shape [6, 6]"));
  OutputTensor wrong = output;
  wrong.size_bytes -= 4;
  EXPECT_THAT(ExpectRefused(cache.AsPast(2), wrong).why,
              HasSubstr("has 140 bytes, expected those of memory of shape [1, 2, 6, 3]"));
  wrong = output;
  wrong.result = nullptr;
  EXPECT_THAT(ExpectRefused(cache.AsPast(2), wrong).why, HasSubstr("has a memory_shape"));
  const StageValue value = MakeStageTensor(Float(MakeShape(2)), std::make_shared<float>());
  past = cache.AsPast(2);
  past.value = &value;
  EXPECT_THAT(ExpectRefused(past, output).why, HasSubstr("has a memory_shape"));
}

/// The network replaces rows of its input.
TEST_P(GrowingTensors, OfTheSameShapeAreWrittenOverTheirInput) {
  const TensorInfo info = Float(MakeShape(8));
  const auto network = INetwork::Create("net");
  const OutputSlot cache = network->AddInputLayer(info, "cache");
  const OutputSlot row = network->AddInputLayer(Float(MakeShape(1)), "row");
  const auto take = [&](std::int64_t begin, std::int64_t count) {
    SliceDescriptor slice;
    slice.starts[2] = begin;
    const TensorShape shape = MakeShape(count);
    std::copy_n(shape.dims, shape.rank, slice.extents);
    return OutputSlot{
        AddLayer<LayerType::kSlice>(*network, slice, {cache}, "taken " + std::to_string(begin)), 0};
  };
  ConcatDescriptor concat;
  concat.axis = 2;
  const OutputSlot present{
      AddLayer<LayerType::kConcat>(*network, concat, {take(0, 3), row, take(4, 4)}, "joined"), 0};
  network->AddOutputLayer(present, "present");
  id_ = runtime_->LoadNetwork(Optimize(*network, {GetParam()}, runtime_->GetDeviceSpec(), {}));
  Buffer memory(MakeRows(8));
  Buffer added(Floats(kHeads * kWidth, -1));
  OutputTensor output;
  output.data = memory.GetData();
  output.size_bytes = memory.GetSizeBytes();
  const InputTensors inputs = {AsInput(0, memory, info.shape), AsInput(1, added, MakeShape(1))};
  ExpectRun(*runtime_, id_, inputs, {output});
  Floats expected = MakeRows(8);
  for (std::int64_t head = 0; head < kHeads; ++head) {
    std::fill_n(expected.begin() + (head * 8 + 3) * kWidth, kWidth, -1.0F);
  }
  EXPECT_EQ(memory.Read(), expected);
  EXPECT_EQ(CountCopiedRuns(), WritesInPlace() ? 0U : 1U);
  // Beside another output in that memory, nothing is computed there.
  Buffer elsewhere(memory.Read());
  output.data = elsewhere.GetData();
  ExpectRun(*runtime_, id_, inputs, {output});
  EXPECT_EQ(elsewhere.Read(), expected);
}

#ifdef BACKPLANE_HAS_CPUACC
INSTANTIATE_TEST_SUITE_P(Backends, GrowingTensors, ::testing::Values("CpuRef", "CpuAcc"),
                         [](const auto& test) { return std::string(test.param); });
#else
INSTANTIATE_TEST_SUITE_P(Backends, GrowingTensors, ::testing::Values("CpuRef"),
                         [](const auto& test) { return std::string(test.param); });
#endif

}  // namespace
}  // namespace backplane::test
