#include "runtime/runtime_fixture.hpp"

#include <backplane/host/system_refusal.hpp>

#include <new>
#include <set>
#include <utility>

namespace backplane {
namespace {

using Floats = std::vector<float>;

class ExecutionTest : public RuntimeFixture {
 protected:
  // A run that fails; gives its status and its diagnostic.
  std::pair<Status, Diagnostic> RunWrong(NetworkId id, const InputTensors& inputs,
                                         const OutputTensors& outputs) const {
    std::optional<Diagnostic> failure;
    const Status status = runtime_->EnqueueWorkload(id, inputs, outputs, &failure);
    EXPECT_EQ(runtime_->EnqueueWorkload(id, inputs, outputs, nullptr), status);
    return {status, failure.value_or(Diagnostic{DiagnosticCode{}})};
  }

  void ExpectWrongBinding(const InputTensors& inputs, const OutputTensors& outputs,
                          const std::string& found, const std::string& expected) const {
    const auto [status, diagnostic] = RunWrong(id_, inputs, outputs);
    EXPECT_EQ(status, Status::kInvalidArgument);
    ExpectDiagnostic(diagnostic, DiagnosticCode::kWrongTensorBinding, "chain", found, expected);
  }

  Floats output_ = Floats(4);
  const NetworkId id_ = Load(*MakeChain({"one"}), {"A"});
  const InputTensors inputs_{MakeInput(0, input_)};
  const OutputTensors outputs_{MakeOutput(0, output_)};
};

TEST_F(ExecutionTest, RejectsMissingAndDuplicateTensors) {
  ExpectWrongBinding({}, outputs_, "input 0 (\"x\") is given 0 times", "expected once");
  ExpectWrongBinding({inputs_[0], inputs_[0]}, outputs_, "input 0 (\"x\") is given 2 times",
                     "expected once");
  ExpectWrongBinding(inputs_, {}, "output 0 (\"y\") is given 0 times", "expected once");
  ExpectWrongBinding({MakeInput(3, input_)}, outputs_, "there is no input 3", "less than 1");
  ExpectWrongBinding(inputs_, {{9, output_.data(), 16}}, "there is no output 9", "less than 1");
}

TEST_F(ExecutionTest, RejectsTensorsThatDoNotFit) {
  ExpectWrongBinding({MakeInput(0, {1, 2})}, outputs_, "input 0 (\"x\") is float32 [2]",
                     "expected float32 [4]");
  ExpectWrongBinding({{0, {{{4}, DataType::kInt32}, input_.data()}}}, outputs_, "is int32 [4]",
                     "expected float32 [4]");
  TensorInfo quantized = Float({4});
  quantized.quantization.scales = {2.0F};
  ExpectWrongBinding({{0, {quantized, input_.data()}}}, outputs_, "is quantized float32 [4]",
                     "expected float32 [4]");
  ExpectWrongBinding({{0, {Float({4}), nullptr}}}, outputs_, "has no data", "expected 16 bytes");
  ExpectWrongBinding(inputs_, {{0, output_.data(), 12}}, "has room for 12 bytes",
                     "expected 16 bytes for float32 [4]");
  ExpectWrongBinding(inputs_, {{0, output_.data(), 20}}, "has room for 20 bytes", "16 bytes");
  ExpectWrongBinding(inputs_, {{0, nullptr, 16}}, "has no room", "expected 16 bytes");
}

TEST_F(ExecutionTest, ReportsAllThatIsWrongTogether) {
  const auto result = RunWrong(id_, {MakeInput(0, {1, 2})}, {{0, nullptr, 3}});
  ExpectContains(result.second.why, "float32 [2]");
  ExpectContains(result.second.why, "room for 3 bytes");
}

TEST_F(ExecutionTest, NamesLayerAndBackendThatFail) {
  const NetworkId id = Load(*MakeChain({"first", "second"}), {"A"});
  a_->failures = {{CallPoint::kExecute, FailureKind::kRefuse}};
  const auto [status, refused] = RunWrong(id, inputs_, outputs_);
  EXPECT_EQ(status, Status::kTimeout);
  ExpectDiagnostic(refused, DiagnosticCode::kExecutionFailed, "first", "\"timed out\"",
                   "\"success\"");
  ExpectContains(refused.what, "layer \"first\" (Activation) failed on backend \"A\"");

  a_->failures = {{CallPoint::kExecute, FailureKind::kThrow}};
  const auto [thrown_status, thrown] = RunWrong(id, inputs_, outputs_);
  EXPECT_EQ(thrown_status, Status::kFailure);
  ExpectDiagnostic(thrown, DiagnosticCode::kBackendThrew, "first", "boom", "");
  ASSERT_EQ(thrown.causes.size(), 1U);

  a_->failures = {{CallPoint::kExecute, FailureKind::kThrowInt}};
  EXPECT_EQ(RunWrong(id, inputs_, outputs_).first, Status::kFailure);

  a_->failures.clear();
  EXPECT_EQ(RunChain(id), (Floats{2, 3, 4, 5}));
}

TEST_F(ExecutionTest, TellsMemoryThatALayerIsRefused) {
  const NetworkId id = Load(*MakeChain({"first"}), {"A"});
  a_->on_execute = [](const ExecuteArgs&) { throw std::bad_alloc(); };
  const Diagnostic thrown = RunWrong(id, inputs_, outputs_).second;
  ExpectDiagnostic(thrown, DiagnosticCode::kOutOfMemory, "first", "std::bad_alloc; found: ", "");
  EXPECT_EQ(thrown.fix, DescribeOutOfMemory("").fix);

  a_->on_execute = nullptr;
  a_->execute = [](const ExecuteArgs&) { return Status::kOutOfMemory; };
  const auto [status, told] = RunWrong(id, inputs_, outputs_);
  EXPECT_EQ(status, Status::kOutOfMemory);
  ExpectContains(told.why, DescribeOutOfMemory("").why.substr(0, 20));
  ExpectContains(told.fix, DescribeOutOfMemory("").fix);
}

TEST_F(ExecutionTest, StopsAtTheLayerThatFails) {
  const NetworkId id = Load(*MakeChain({"first", "second", "third"}), {"A"});
  int num_runs = 0;
  a_->on_execute = [&](const ExecuteArgs& /*args*/) {
    if (++num_runs == 2) throw std::runtime_error("second fails");
  };
  std::optional<Diagnostic> failure;
  EXPECT_EQ(runtime_->EnqueueWorkload(id, inputs_, outputs_, &failure), Status::kFailure);
  EXPECT_EQ(failure->subject.name, "second");
  EXPECT_EQ(num_runs, 2);
}

TEST_F(ExecutionTest, NamesLayerAndBackendThatGiveAWrongFence) {
  a_->capabilities = {{kCapabilityFences, kAllFenceKinds}};
  runtime_ = MakeRuntime({a_, b_});
  const NetworkId id = Load(*MakeChain({"first", "second"}), {"A"});
  a_->on_execute = [](const ExecuteArgs& args) {
    args.GetCompletion()->kind = static_cast<FenceKind>(77);
  };
  const auto [status, unknown] = RunWrong(id, inputs_, outputs_);
  EXPECT_EQ(status, Status::kFailure);
  ExpectDiagnostic(unknown, DiagnosticCode::kExecutionFailed, "first", "of the kind 77",
                   "expected kNone, kSyncFile, kEventFd or kOpaque");
  ExpectContains(unknown.what, "layer \"first\" (Activation) failed on backend \"A\"");

  a_->on_execute = [](const ExecuteArgs& args) { args.GetCompletion()->kind = FenceKind::kOpaque; };
  const Diagnostic refused = RunWrong(id, inputs_, outputs_).second;
  ExpectDiagnostic(refused, DiagnosticCode::kExecutionFailed, "second",
                   "\"not supported\" of WaitForFence", "\"success\"");

  a_->on_execute = nullptr;
  EXPECT_EQ(RunChain(id), (Floats{2, 3, 4, 5}));
}

TEST_F(ExecutionTest, FailsTheRunWhenNoWorkingMemoryCanBeMade) {
  // The first working memory, made when loading, is held by a run from within the run.
  a_->failures = {};
  bool is_nested = false;
  std::optional<Diagnostic> failure;
  a_->on_execute = [&](const ExecuteArgs& /*args*/) {
    if (is_nested) return;
    is_nested = true;
    a_->failures = {{CallPoint::kCreateExecutionState, FailureKind::kThrow}};
    EXPECT_EQ(runtime_->EnqueueWorkload(id_, inputs_, outputs_, &failure), Status::kFailure);
    a_->failures.clear();
  };
  EXPECT_EQ(RunChain(id_), (Floats{1, 2, 3, 4}));
  ASSERT_TRUE(failure.has_value());
  ExpectDiagnostic(*failure, DiagnosticCode::kBackendThrew, "A", "boom", "");
}

TEST_F(ExecutionTest, GivesInputsConstantsAndSharedTensorsAsOutputs) {
  auto network = INetwork::Create("net");
  const OutputSlot x = network->AddInputLayer(Float({4}), "x");
  const Floats values{7, 8, 9, 10};
  const OutputSlot c =
      network->AddConstantLayer(Float({4}), CopyConstantData(values.data(), 16), "c");
  const LayerId one = AddRelu(*network, x, "one");
  const LayerId two = AddSum(*network, {one, 0}, c, "two");
  AddRelu(*network, {two, 0}, "unused");
  const std::vector<OutputSlot> tensors{x, c, {one, 0}, {two, 0}, {two, 0}};
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    network->AddOutputLayer(tensors[i], "y" + std::to_string(i));
  }
  std::vector<Floats> results(tensors.size(), Floats(4));
  OutputTensors outputs;
  for (std::uint32_t i = 0; i < results.size(); ++i) outputs.push_back(MakeOutput(i, results[i]));
  const NetworkId id = Load(*network, {"A"});
  EXPECT_EQ(runtime_->EnqueueWorkload(id, inputs_, outputs, nullptr), Status::kSuccess);
  EXPECT_EQ(results[0], input_);
  EXPECT_EQ(results[1], values);
  EXPECT_EQ(results[2], (Floats{1, 2, 3, 4}));
  EXPECT_EQ(results[3], (Floats{8, 10, 12, 14}));
  EXPECT_EQ(results[4], results[3]);
}

TEST_F(ExecutionTest, RunsNetworksWithoutOperators) {
  auto network = INetwork::Create("net");
  network->AddOutputLayer(network->AddInputLayer(Float({4}), "x"), "y");
  EXPECT_EQ(RunChain(Load(*network, {"A"})), input_);
}

TEST_F(ExecutionTest, RunsTensorsWithoutElementsAndScalars) {
  auto network = INetwork::Create("net");
  const OutputSlot empty = network->AddInputLayer(Float({3, 0}), "empty");
  const OutputSlot none = network->AddConstantLayer(Float({3, 0}), nullptr, "none");
  const OutputSlot scalar = network->AddInputLayer(Float({}), "scalar");
  network->AddOutputLayer({AddSum(*network, empty, none, "sum"), 0}, "y0");
  network->AddOutputLayer({AddRelu(*network, scalar, "relu"), 0}, "y1");
  a_->on_execute = [](const ExecuteArgs& args) {
    for (std::uint32_t i = 0; i < args.GetNumInputs(); ++i) {
      EXPECT_NE(args.GetInput(i).GetData(), nullptr);
    }
    EXPECT_NE(args.GetOutput(0).GetData(), nullptr);
  };
  const float in = 41;
  float out = 0;
  const NetworkId id = Load(*network, {"A"});
  EXPECT_EQ(runtime_->EnqueueWorkload(id, {{1, {Float({}), &in}}, {0, {Float({3, 0}), nullptr}}},
                                      {{0, nullptr, 0}, {1, &out, 4}}, nullptr),
            Status::kSuccess);
  EXPECT_EQ(out, 42.0F);
}

TEST_F(ExecutionTest, FailsToLoadWhatDoesNotFitMemory) {
  constexpr std::int64_t kHuge = std::int64_t{1} << 59;
  auto network = INetwork::Create("net");
  const OutputSlot x = network->AddInputLayer(Float({kHuge}), "x");
  network->AddOutputLayer({AddRelu(*network, x, "relu"), 0}, "y");
  const auto optimized = OptimizeFor(*network, {"A"});
  EXPECT_EQ(CatchDiagnostic([&] { runtime_->LoadNetwork(optimized); }).code,
            DiagnosticCode::kOutOfMemory);
}

TEST_F(ExecutionTest, DescribesTensorsToWorkloads) {
  std::set<const void*> addresses;
  a_->on_execute = [&](const ExecuteArgs& args) {
    EXPECT_EQ(args.Get().size_bytes, sizeof(bp_run_args));
    EXPECT_NE(args.GetState(), nullptr);
    EXPECT_EQ(args.GetNumWaitFences(), 0U);
    EXPECT_EQ(args.GetCompletion(), nullptr);
    const bp_view& input = *args.GetInput(0).GetView();
    EXPECT_EQ(input.size_bytes, sizeof(bp_view));
    EXPECT_EQ(input.rank, 1U);
    EXPECT_EQ(input.dims[0], 4);
    EXPECT_EQ(input.strides, nullptr) << "it is dense";
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(input.data) % 64, 0U);
    addresses.insert(input.data);
    addresses.insert(args.GetOutput(0).GetData());
  };
  RunChain(Load(*MakeChain({"one", "two", "three", "four"}), {"A"}));
  // A chain needs two tensors at a time.
  EXPECT_EQ(addresses.size(), 2U);
}

}  // namespace
}  // namespace backplane
