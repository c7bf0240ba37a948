/// NaN and infinity that layers make.

#include "execution/checks_fixture.hpp"
#include "placement/answers.hpp"

#include <algorithm>

namespace backplane {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class CheckedNumbers : public ChecksFixture {
 protected:
  CheckedNumbers() : ChecksFixture(ToFlags(RunCheck::kNumbers)) {}

  /// A chain of layers that run in turn on A and B.
  NetworkId LoadInTurn(const std::vector<std::string>& names) const {
    auto network = INetwork::Create("chain");
    OutputSlot tensor = network->AddInputLayer(Float({4}), "x");
    for (std::size_t i = 0; i < names.size(); ++i) {
      tensor = {AddRelu(*network, tensor, names[i]), 0};
      network->SetBackendHint(tensor.layer, i % 2 == 0 ? "A" : "B");
    }
    network->AddOutputLayer(tensor, "y");
    return Load(*network, {"A", "B"});
  }
};

TEST_F(CheckedNumbers, ThatAreAllFiniteAreNotTold) {
  const NetworkId id = LoadInTurn({"one", "two", "three"});
  EXPECT_EQ(RunChain(id), (std::vector<float>{3, 4, 5, 6}));
  const CheckReport report = GetReport(id);
  EXPECT_EQ(report.checks, ToFlags(RunCheck::kNumbers));
  EXPECT_EQ(report.num_runs, 1U);
  EXPECT_THAT(report.findings, IsEmpty());
  EXPECT_THAT(report.unchecked, IsEmpty());
}

TEST_F(CheckedNumbers, AreToldOfTheLayerThatMakesThemAndOfNoneBehindIt) {
  SetElement(2, NAN);
  const NetworkId id = LoadInTurn({"one", "two"});
  const std::vector<float> output = RunChain(id);
  EXPECT_TRUE(std::isnan(output[2]));
  const CheckReport report = GetReport(id);
  ASSERT_THAT(report.findings, SizeIs(1));
  const CheckFinding& finding = report.findings[0];
  EXPECT_EQ(finding.check, RunCheck::kNumbers);
  EXPECT_EQ(finding.layer, "one");
  EXPECT_EQ(finding.type, LayerType::kActivation);
  EXPECT_EQ(finding.backend_id, "A");
  EXPECT_EQ(finding.diagnostic.severity, Severity::kWarning);
  ExpectDiagnostic(finding.diagnostic, DiagnosticCode::kNonFiniteOutput, "one",
                   "found 1 NaN of 4 elements, first NaN at [2] in output 0 (float32 [4])",
                   "expected finite numbers");
  EXPECT_THAT(finding.diagnostic.why, HasSubstr("its inputs are finite: input 0 from 0 to 3"));
  EXPECT_THAT(finding.diagnostic.what,
              AllOf(HasSubstr("layer \"one\" (Activation) on backend \"A\""),
                    HasSubstr("network \"chain\"")));
}

TEST_F(CheckedNumbers, AreToldOncePerLayerAndCounted) {
  SetElement(0, INFINITY);
  const NetworkId id = LoadInTurn({"one", "two", "three"});
  for (int i = 0; i < 5; ++i) RunChain(id);
  CheckReport report = GetReport(id);
  EXPECT_EQ(report.num_runs, 5U);
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].num_runs, 5U);
  // B adds 1 to what A makes: the third layer reads infinity.
  EXPECT_EQ(report.findings[0].layer, "one");

  SetElement(0, -5);
  RunChain(id);
  report = GetReport(id);
  EXPECT_EQ(report.num_runs, 6U);
  EXPECT_EQ(report.findings[0].num_runs, 5U);
}

TEST_F(CheckedNumbers, OfInputsThatHaveThemAreNotTold) {
  const NetworkId id = LoadInTurn({"one", "two"});
  const std::vector<float> input = {0, 1, NAN, 3};
  std::vector<float> output(4);
  EXPECT_EQ(runtime_->EnqueueWorkload(id, {MakeInput(0, input)}, {MakeOutput(0, output)}),
            Status::kSuccess);
  EXPECT_THAT(GetReport(id).findings, IsEmpty());
}

TEST_F(CheckedNumbers, OfConstantsThatHaveThemAreNotTold) {
  for (const float value : {1.0F, -INFINITY}) {
    const std::vector<float> mask = {0, value, 0, 0};
    auto network = INetwork::Create("masked");
    const OutputSlot x = network->AddInputLayer(Float({4}), "x");
    const OutputSlot constant = network->AddConstantLayer(
        Float({4}), CopyConstantData(mask.data(), mask.size() * sizeof(float)), "mask");
    const LayerId sum = AddSum(*network, x, constant, "sum");
    network->AddOutputLayer({sum, 0}, "y");
    a_->execute = [](const ExecuteArgs& args) {
      args.GetOutput(0).Get<float>()[0] = -INFINITY;
      std::fill(args.GetOutput(0).Get<float>() + 1, args.GetOutput(0).Get<float>() + 4, 0.0F);
      return Status::kSuccess;
    };
    const NetworkId id = Load(*network, {"A"});
    RunChain(id);
    const CheckReport report = GetReport(id);
    ASSERT_THAT(report.findings, SizeIs(value == 1.0F ? 1 : 0));
    if (value != 1.0F) continue;
    EXPECT_THAT(report.findings[0].diagnostic.why, HasSubstr("input 1 (constant) from 0 to 1"));
  }
}

TEST_F(CheckedNumbers, ThatTheOperatorGivesByDefinitionAreNotes) {
  auto network = INetwork::Create("logarithm");
  const OutputSlot x = network->AddInputLayer(Float({4}), "x");
  ElementwiseUnaryDescriptor descriptor;
  descriptor.operation = UnaryOperation::kLog;
  const LayerId log =
      AddLayer<LayerType::kElementwiseUnary>(*network, descriptor, {x}, "logarithm");
  network->AddOutputLayer({log, 0}, "y");
  SetElement(0, -INFINITY);
  const NetworkId id = Load(*network, {"A"});
  RunChain(id);
  const CheckReport report = GetReport(id);
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].diagnostic.severity, Severity::kNote);
  EXPECT_THAT(report.findings[0].diagnostic.why,
              HasSubstr("this may be right: Log gives -infinity for 0"));
}

TEST_F(CheckedNumbers, ThatAreOverwrittenInPlaceWereLookedAtBefore) {
  a_->capabilities.emplace_back(kCapabilityInPlace, true);
  Start(ToFlags(RunCheck::kNumbers));
  SetElement(3, NAN);
  const NetworkId id = Load(*MakeChain({"one", "two", "three"}), {"A"});
  RunChain(id);
  const CheckReport report = GetReport(id);
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].layer, "one");
}

TEST_F(CheckedNumbers, AreFoundInRunsOfEveryKind) {
  SetElement(1, NAN);
  options_.profiling.state = ProfilingState::kOn;
  Start(ToFlags(RunCheck::kNumbers));
  const NetworkId id = Load(*MakeChain({"one", "two"}), {"A"});
  RunChain(id);
  EXPECT_EQ(Run(id, Within(std::chrono::hours(1))).status, Status::kSuccess);
  std::vector<float> output(4);
  EXPECT_EQ(runtime_->EnqueueWorkloadAsync(id, {MakeInput(0, input_)}, {MakeOutput(0, output)})
                .get()
                .status,
            Status::kSuccess);
  const CheckReport report = GetReport(id);
  EXPECT_EQ(report.num_runs, 3U);
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].num_runs, 3U);
  // A run that is measured has a time for each of its layers.
  const Profile profile = runtime_->GetProfile();
  EXPECT_EQ(std::count_if(profile.events.begin(), profile.events.end(),
                          [](const ProfileEvent& event) {
                            return event.kind == ProfileEventKind::kLayer &&
                                   event.end_ns >= event.begin_ns;
                          }),
            6);
}

TEST_F(CheckedNumbers, OfWorkThatGoesOnAreFoundAtItsFence) {
  const int event = eventfd(0, EFD_CLOEXEC);
  std::thread device;
  a_->capabilities.emplace_back(kCapabilityFences, kAllFenceKinds);
  a_->execute = [&](const ExecuteArgs& args) {
    float* const output = args.GetOutput(0).Get<float>();
    std::fill(output, output + 4, 0.0F);
    *args.GetCompletion() = {FenceKind::kEventFd, event, 0, 0, {}};
    device = std::thread([event, output] {
      std::this_thread::sleep_for(milliseconds(20));
      output[3] = NAN;
      eventfd_write(event, 1);
    });
    return Status::kSuccess;
  };
  Start(ToFlags(RunCheck::kNumbers));
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  EXPECT_TRUE(std::isnan(RunChain(id)[3]));
  device.join();
  EXPECT_THAT(GetReport(id).findings, SizeIs(1));
  runtime_.reset();
  close(event);
}

TEST_F(CheckedNumbers, OfARunThatIsLeftAreNotLookedAt) {
  const int event = eventfd(0, EFD_CLOEXEC);
  a_->capabilities.emplace_back(kCapabilityFences, kAllFenceKinds);
  a_->execute = [&](const ExecuteArgs& args) {
    std::fill(args.GetOutput(0).Get<float>(), args.GetOutput(0).Get<float>() + 4, NAN);
    *args.GetCompletion() = {FenceKind::kEventFd, event, 0, 0, {}};
    return Status::kSuccess;
  };
  Start(kAllChecks);
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  const Outcome outcome = Run(id, Within(kUntilItHasBegun));
  EXPECT_EQ(outcome.status, Status::kTimeout);
  ExpectCode(outcome.failure, DiagnosticCode::kRunLeft);
  EXPECT_THAT(GetReport(id).findings, IsEmpty());
  eventfd_write(event, 1);
  runtime_->UnloadNetwork(id);
  runtime_.reset();
  close(event);
}

TEST_F(CheckedNumbers, OfLayersThatFailAreNotLookedAt) {
  SetElement(0, NAN);
  a_->failures = {{CallPoint::kExecute, FailureKind::kThrow}};
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  const Outcome outcome = Run(id, RunOptions());
  ExpectCode(outcome.failure, DiagnosticCode::kBackendThrew);
  EXPECT_THAT(GetReport(id).findings, IsEmpty());
  EXPECT_EQ(GetReport(id).num_runs, 1U);
}

TEST_F(CheckedNumbers, AreToldOnceByManyThreads) {
  SetElement(1, NAN);
  const NetworkId id = Load(*MakeChain({"one", "two"}), {"A"});
  constexpr std::uint64_t kRuns = 50;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (std::uint64_t run = 0; run < kRuns; ++run) RunChain(id);
    });
  }
  for (std::thread& thread : threads) thread.join();
  const CheckReport report = GetReport(id);
  EXPECT_EQ(report.num_runs, 8 * kRuns);
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].num_runs, 8 * kRuns);
}

TEST_F(CheckedNumbers, OfEveryOutputAreLookedAt) {
  auto network = INetwork::Create("parts");
  const OutputSlot x = network->AddInputLayer(Float({4}), "x");
  SplitDescriptor split;
  split.num_parts = 2;
  split.extents[0] = 1;
  split.extents[1] = 3;
  const LayerId parts = AddLayer<LayerType::kSplit>(*network, split, {x}, "split");
  const LayerId first = AddRelu(*network, {parts, 0}, "first");
  const LayerId second = AddRelu(*network, {parts, 1}, "second");
  network->AddOutputLayer({first, 0}, "y0");
  network->AddOutputLayer({second, 0}, "y1");
  a_->execute = [](const ExecuteArgs& args) {
    for (std::uint32_t i = 0; i < args.GetNumOutputs(); ++i) {
      const bp_view& view = *args.GetOutput(i).GetView();
      std::fill_n(static_cast<float*>(view.data), view.num_bytes / sizeof(float), INFINITY);
    }
    return Status::kSuccess;
  };
  const NetworkId id = Load(*network, {"A"});
  std::vector<float> y0(1);
  std::vector<float> y1(3);
  EXPECT_EQ(
      runtime_->EnqueueWorkload(id, {MakeInput(0, input_)}, {MakeOutput(0, y0), MakeOutput(1, y1)}),
      Status::kSuccess);
  std::size_t num_elements = 0;
  for (const CheckFinding& finding : GetReport(id).findings) {
    num_elements += finding.diagnostic.why.find(" of 3 elements") != std::string::npos ? 3 : 1;
  }
  EXPECT_EQ(num_elements, 4U);
}

TEST_F(CheckedNumbers, OfWhatIsCompiledNameItsLayers) {
  CompileByName(a_);
  SetElement(1, NAN);
  const NetworkId id = Load(*MakeChain({"one", "two", "unoptimizable"}), {"A"});
  RunChain(id);
  const CheckReport report = GetReport(id);
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].type, LayerType::kPreCompiled);
  EXPECT_THAT(report.findings[0].diagnostic.what,
              HasSubstr("(PreCompiled), compiled of one, two, on backend \"A\" made numbers"));
}

TEST_F(CheckedNumbers, AreNotLookedAtWithoutTheCheck) {
  SetElement(1, NAN);
  for (const CheckFlags checks : {kNoChecks, ToFlags(RunCheck::kState)}) {
    Start(checks);
    const NetworkId id = Load(*MakeChain({"one"}), {"A"});
    RunChain(id);
    const CheckReport report = GetReport(id);
    EXPECT_EQ(report.checks, checks);
    EXPECT_EQ(report.num_runs, checks == kNoChecks ? 0U : 1U);
    EXPECT_THAT(report.findings, IsEmpty());
  }
}

TEST_F(CheckedNumbers, AreLoggedOnce) {
  EnableLogging("checking=warning,*=off", {});
  SetElement(1, NAN);
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  testing::internal::CaptureStderr();
  RunChain(id);
  RunChain(id);
  const std::string text = testing::internal::GetCapturedStderr();
  DisableLogging();
  const std::size_t first = text.find(GetDiagnosticId(DiagnosticCode::kNonFiniteOutput));
  ASSERT_NE(first, std::string::npos) << text;
  EXPECT_EQ(text.find(GetDiagnosticId(DiagnosticCode::kNonFiniteOutput), first + 1),
            std::string::npos);
}

TEST_F(CheckedNumbers, OfAnUnknownNetworkAreAnError) {
  EXPECT_THROW(GetReport(77), DiagnosticException);
}

}  // namespace
}  // namespace backplane
