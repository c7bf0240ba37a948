/// Backends in C and in Rust, which know of Backplane no more than the headers in backplane/c. To
/// applications they are like all others, in this process and in one of their own.

#include "languages.hpp"
#include "support/scoped_variable.hpp"

#include <backplane/c/backend.h>
#include <backplane/api/custom_layer.hpp>
#include <backplane/runtime/i_runtime.hpp>

#include <gmock/gmock.h>

#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

namespace backplane::test {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr Language kC{"C", "CRelu", "activation function 4 is not supported, only Relu (1)",
                      "refuse_nan", "element 2 of input 0 is not a number"};
constexpr Language kExampleC{"ExampleC", "ExampleC",
                             "activation function 4 is not supported, only Relu (1)", nullptr,
                             nullptr};
constexpr Language kTccC{"TccC", "ExampleC", kExampleC.refusal_of_sigmoid, nullptr, nullptr, "Tcc"};
constexpr Language kCKinds{"CKinds", "CKinds", "only ReLU and the sum of two tensors are supported",
                           nullptr, nullptr};
constexpr Language kRust{
    "Rust", "RustRelu", "activation function 4 is not supported, only Relu (1)", "panic_on_nan",
    "the backend panicked: an input of 6 elements has one that is not a number"};

constexpr Language kExampleRust{"ExampleRust", "ExampleRust",
                                "activation function 4 is not supported, only Relu (1)", nullptr,
                                nullptr};

constexpr Language kCpp{"Cpp", "CppLeaky", "only example/Leaky of one float32 tensor is supported",
                        nullptr, nullptr};

/// A backend that an earlier build made; test/golden has the files.
constexpr Language MakeGolden(const char* name, const char* id,
                              const char* refusal_of_sigmoid = kExampleC.refusal_of_sigmoid) {
  return {name, id, refusal_of_sigmoid, nullptr, nullptr, "Golden"};
}
constexpr Language kGoldenC = MakeGolden("GoldenC", "ExampleC");
constexpr Language kGoldenCpp = MakeGolden("GoldenCpp", "Minimal");
constexpr Language kGoldenClang =
    MakeGolden("GoldenClang", "Fusing",
               "only ReLU, and Add of two tensors of one shape, are supported, in float32");
constexpr Language kGoldenRust = MakeGolden("GoldenRust", "ExampleRust");

TEST_P(Languages, AreLoadedWithoutARemark) {
  const auto runtime = row_.Create();
  const Candidate* const candidate = FindCandidate(runtime->GetLoadReport(), row_.GetPath());
  ASSERT_NE(candidate, nullptr);
  EXPECT_EQ(candidate->status, CandidateStatus::kLoaded);
  for (const Diagnostic& diagnostic : candidate->diagnostics) {
    EXPECT_EQ(diagnostic.code, DiagnosticCode::kIsolated) << ToText(diagnostic);
  }
  const BackendRegistration registration =
      runtime->GetDeviceSpec().GetRegistry().GetRegistration(id_);
  EXPECT_EQ(IsMapped(row_.GetPath()), !row_.IsIsolated());
  ASSERT_EQ(registration.origin->isolation != nullptr, row_.IsIsolated());
  if (row_.IsIsolated()) {
    EXPECT_NE(registration.origin->isolation->GetProcessId(), getpid());
  }
}

TEST_P(Languages, ExportTheEntryPointsAloneAndNeedNoCxx) {
  ScanOptions options;
  options.files = {row_.GetPath()};
  options.probe = ProbeMode::kInspect;
  options.facts = FactDetail::kAll;
  const LoadReport report = Scan(options);
  ASSERT_EQ(report.candidates.size(), 1U);
  ASSERT_TRUE(report.candidates[0].facts.has_value());
  const FileFacts& facts = *report.candidates[0].facts;
  EXPECT_THAT(facts.exports, ElementsAre("BackendFactory", "GetBackendId", "GetVersion"));
  EXPECT_EQ(facts.num_exports, 3U);
  if (id_ != "Minimal") {
    EXPECT_THAT(facts.needs, Each(Not(HasSubstr("stdc++"))));
  }
  EXPECT_THAT(facts.needs, Each(Not(HasSubstr("backplane"))));
}

TEST_P(Languages, ComputeAsCpuRef) {
  const auto runtime = row_.Create();
  for (const TensorShape& shape : {TensorShape{4, 16}, TensorShape{3, 5}, TensorShape{2, 3, 1, 7},
                                   TensorShape{1}, TensorShape{}}) {
    Network network(shape);
    ExpectAsCpuRef(*runtime, network.Activate().Double().Activate());
  }
}

TEST_P(Languages, TakeConstants) {
  const auto runtime = row_.Create();
  for (const bool is_first : {false, true}) {
    Network network({3, 5});
    ExpectAsCpuRef(*runtime, network.AddConstant({3, 5}, is_first).Activate());
  }
}

TEST_P(Languages, TakeTensorsWithoutElements) {
  const auto runtime = row_.Create();
  Network network({2, 0, 3});
  ExpectAsCpuRef(*runtime, network.Activate().AddConstant({2, 0, 3}).Activate());
}

TEST_P(Languages, ShareTensorsWithAnotherBackend) {
  const auto runtime = row_.Create();
  for (const TensorShape& shape : {TensorShape{4, 16}, TensorShape{3, 5}}) {
    Network network(shape);
    network.Activate().Double().On("CpuRef").AddConstant(shape).Activate().On("CpuRef").Activate();
    ExpectAsCpuRef(*runtime, network);
  }
}

/// A chain beside a tensor that is kept until its end: in place, it takes the room of one tensor.
TEST_P(Languages, RunInPlace) {
  const auto runtime = row_.Create();
  if (IsFusing()) GTEST_SKIP() << "its chain is one layer";
  Network network({4, 16});
  network.Activate().Keep();
  for (int i = 0; i < 5; ++i) network.Activate().AddConstant({4, 16});
  const INetwork& finished = network.AddKept().Finish();
  const NetworkId id = LoadHere(*runtime, finished);
  std::uint64_t arena_bytes = 0;
  for (const ArenaReport& arena : runtime->GetMemoryReport(id).arenas)
    arena_bytes += arena.arena_bytes;
  EXPECT_EQ(arena_bytes, 2 * 4 * 16 * sizeof(float));
  const std::vector<float> input = MakeInput({4, 16});
  ExpectSameBytes(RunOnce(*runtime, id, {4, 16}, input),
                  RunOnce(*runtime, LoadReference(*runtime, finished), {4, 16}, input));
}

TEST_P(Languages, SayWhyTheyRefuse) {
  const auto runtime = row_.Create();
  Network network({4});
  const INetwork& finished = network.Activate().Activate(ActivationFunction::kSigmoid).Finish();
  try {
    Optimize(finished, {id_}, runtime->GetDeviceSpec());
    FAIL() << "it was optimised";
  } catch (const DiagnosticException& exception) {
    EXPECT_EQ(exception.GetDiagnostic().code, DiagnosticCode::kLayerNotSupported);
    EXPECT_THAT(ToText(exception.GetDiagnostic()), HasSubstr(language_.refusal_of_sigmoid));
  }
  const auto optimized = OptimizeHere(*runtime, finished);
  const LayerPlacement& refused = optimized->GetPlacement().layers[1];
  EXPECT_EQ(refused.backend_id, "CpuRef");
  ASSERT_EQ(refused.refusals.size(), 1U);
  EXPECT_EQ(refused.refusals[0].backend_id, id_);
  EXPECT_EQ(refused.refusals[0].reason, language_.refusal_of_sigmoid);
}

TEST_P(Languages, RunNetworksInThreadsAtOnce) {
  const auto runtime = row_.Create();
  Network first({4, 16});
  Network second({3, 5});
  first.Activate().AddConstant({4, 16}).Activate();
  second.Double().Activate().AddConstant({3, 5});
  Network* const networks[] = {&first, &second};
  std::vector<NetworkId> ids;
  std::vector<NetworkId> references;
  for (Network* const network : networks) {
    const INetwork& finished = network->Finish();
    ids.push_back(LoadHere(*runtime, finished));
    references.push_back(LoadReference(*runtime, finished));
  }
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      const auto which = static_cast<std::size_t>(thread % 2);
      const TensorShape& shape = networks[which]->GetShape();
      for (int turn = 0; turn < 50; ++turn) {
        const std::vector<float> input = MakeInput(shape, thread + turn);
        ExpectSameBytes(RunOnce(*runtime, ids[which], shape, input),
                        RunOnce(*runtime, references[which], shape, input));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_P(Languages, AreUnloadedAndLoadedAgain) {
  for (int round = 0; round < 3; ++round) {
    {
      const auto runtime = row_.Create();
      Network network({3, 5});
      ExpectAsCpuRef(*runtime, network.Activate().AddConstant({3, 5}));
      EXPECT_EQ(IsMapped(row_.GetPath()), !row_.IsIsolated());
    }
    EXPECT_FALSE(IsMapped(row_.GetPath()));
  }
}

INSTANTIATE_TEST_SUITE_P(All, Languages,
                         ::testing::Combine(::testing::Values(kC, kCKinds, kExampleC, kTccC, kRust,
                                                              kExampleRust, kGoldenC, kGoldenCpp,
                                                              kGoldenClang, kGoldenRust),
                                            kWays),
                         NameRow);

using LanguagesThatFail = Languages;

TEST_P(LanguagesThatFail, SayWhyARunFailed) {
  const ScopedVariable no_backtrace("RUST_BACKTRACE", "0");
  auto runtime = row_.Create();
  OptimizerOptions options;
  options.model_options = {{id_, {{language_.nan_option, true}}}};
  Network network({6});
  const NetworkId id = LoadHere(*runtime, network.Activate().Finish(), options);
  for (int turn = 0; turn < 3; ++turn) {
    std::vector<float> input = {-1, 2, -3, 4, -5, 6};
    input[2] = std::nanf("");
    const RunOutcome failed = RunOnce(*runtime, id, {6}, input);
    EXPECT_NE(failed.status, Status::kSuccess);
    EXPECT_THAT(failed.failure, HasSubstr(language_.failure_by_nan));
    input[2] = -3;
    const RunOutcome run = RunOnce(*runtime, id, {6}, input);
    EXPECT_EQ(run.status, Status::kSuccess) << run.failure;
    EXPECT_EQ(run.output, (std::vector<float>{0, 2, 0, 4, 0, 6}));
  }
  runtime.reset();
  EXPECT_FALSE(IsMapped(row_.GetPath()));
}

using LanguagesWithOperators = Languages;

/// A network of one layer of the operator that each of them declares.
struct LeakyNetwork {
  LeakyNetwork(const std::string& type, std::uint32_t version,
               std::vector<OperatorAttribute> attributes, const TensorShape& output) {
    const OutputSlot x = network->AddInputLayer(Float({2, 3}), "x");
    const CustomLayer leaky("example", type, version, std::move(attributes), {Float(output)});
    layer = AddLayer<LayerType::kCustom>(*network, leaky.Get(), {x}, "leaky");
    network->AddOutputLayer({layer, 0}, "y");
  }
  std::unique_ptr<INetwork> network = INetwork::Create("net");
  LayerId layer = 0;
};

TEST_P(LanguagesWithOperators, AreReportedWithThem) {
  if (row_.IsIsolated()) return;
  ScanOptions options;
  options.files = {row_.GetPath()};
  const LoadReport report = Scan(options);
  ASSERT_EQ(report.candidates.size(), 1U);
  const Candidate& candidate = report.candidates[0];
  EXPECT_TRUE(candidate.diagnostics.empty()) << ToText(candidate.diagnostics.front());
  ASSERT_TRUE(candidate.identity);
  EXPECT_THAT(candidate.identity->GetOperators(), ElementsAre("example/Leaky/1-2"));
  options.probe = ProbeMode::kInspect;
  const LoadReport of_file = Scan(options);
  const auto& identity = of_file.candidates.at(0).identity;
  if (std::string(language_.name) == "Cpp") {
    ASSERT_TRUE(identity);
    EXPECT_THAT(identity->GetOperators(), ElementsAre("example/Leaky/1-2"));
  }
}

TEST_P(LanguagesWithOperators, RunALayerOfTheirOwn) {
  const auto runtime = row_.Create();
  const std::vector<float> input{-4, 3, -2, 0, 1, -0.5F};
  struct Case {
    std::vector<OperatorAttribute> attributes;
    std::vector<float> expected;
  };
  for (const Case& row : {Case{{{"slope", 0.5}}, {-2, 3, -1, 0, 1, -0.25F}},
                          Case{{}, {-0.04F, 3, -0.02F, 0, 1, -0.005F}}}) {
    const LeakyNetwork leaky("Leaky", 2, row.attributes, {2, 3});
    const NetworkId id = LoadHere(*runtime, *leaky.network);
    const RunOutcome run = RunOnce(*runtime, id, {2, 3}, input);
    EXPECT_EQ(run.status, Status::kSuccess) << run.failure;
    EXPECT_EQ(run.output, row.expected);
  }
}

TEST_P(LanguagesWithOperators, RefuseWhatTheyDoNotDeclareOrInferOtherwise) {
  const auto runtime = row_.Create();
  const auto get_refusal = [&](const LeakyNetwork& leaky) {
    try {
      Optimize(*leaky.network, {id_, "CpuRef"}, runtime->GetDeviceSpec());
      return std::string("it was placed");
    } catch (const DiagnosticException& exception) {
      return ToText(exception.GetDiagnostic());
    }
  };
  EXPECT_THAT(get_refusal({"Leaky", 3, {}, {2, 3}}),
              HasSubstr("it does not declare the operator example/Leaky of version 3, but "
                        "example/Leaky of version 1 to 2"));
  EXPECT_THAT(get_refusal({"Lucky", 1, {}, {2, 3}}),
              HasSubstr("it does not declare the operator example/Lucky of version 1"));
  EXPECT_THAT(get_refusal({"Leaky", 1, {{"slope", std::vector<OptionValue>{}}}, {2, 3}}),
              HasSubstr("attribute \"slope\" is a list; expected one value"));
  EXPECT_THAT(get_refusal({"Leaky", 1, {{"slop", 0.5}}, {2, 3}}),
              HasSubstr("no attribute \"slop\"; did you mean \"slope\"?"));
  EXPECT_THAT(get_refusal({"Leaky", 1, {}, {3, 2}}),
              HasSubstr("it infers output 0 as float32 [2, 3], and the network states float32 "
                        "[3, 2]"));
}

INSTANTIATE_TEST_SUITE_P(All, LanguagesWithOperators,
                         ::testing::Combine(::testing::Values(kC, kExampleC, kTccC, kRust,
                                                              kExampleRust, kCpp, kGoldenC,
                                                              kGoldenRust),
                                            kWays),
                         NameRow);

using LanguageRust = Languages;

TEST_P(LanguageRust, HasItsTextsCheckedByTheHost) {
  const auto runtime = row_.Create();
  Network network({6});
  const INetwork& finished = network.Activate().Finish();
  OptimizerOptions options;
  options.model_options = {{id_, {{"tone", "loud"}}}};
  LoadHere(*runtime, finished, options);
  options.model_options = {{id_, {{"tone", "shrill"}}}};
  try {
    OptimizeHere(*runtime, finished, options);
    FAIL() << "it was optimised";
  } catch (const DiagnosticException& exception) {
    EXPECT_THAT(ToText(exception.GetDiagnostic()), HasSubstr("\"quiet\""));
  }
}

/// It takes the content of a constant, lets go of it, and adds a layer with a copy.
TEST_P(LanguageRust, PutsLayersInThePlaceOfOthers) {
  const auto runtime = row_.Create();
  OptimizerOptions options;
  options.model_options = {{id_, {{"rewrite", true}}}};
  Network network({3, 5});
  const INetwork& finished = network.AddConstant({3, 5}).Finish();
  const auto optimized = OptimizeHere(*runtime, finished, options);
  const std::vector<PlacedSubgraph>& subgraphs = optimized->GetPlacement().subgraphs;
  ASSERT_EQ(subgraphs.size(), 1U);
  EXPECT_THAT(subgraphs[0].replacements, ElementsAre("sum"));
  const NetworkId id = runtime->LoadNetwork(optimized);
  const std::vector<float> input = MakeInput({3, 5});
  ExpectSameBytes(RunOnce(*runtime, id, {3, 5}, input),
                  RunOnce(*runtime, LoadReference(*runtime, finished), {3, 5}, input));
}

TEST_P(LanguageRust, TellsOfPanicsWhereLayersAreAskedAboutAndMade) {
  const ScopedVariable no_backtrace("RUST_BACKTRACE", "0");
  const auto runtime = row_.Create();
  const auto get_failure = [&](double slope) {
    const LeakyNetwork leaky("Leaky", 1, {{"slope", slope}}, {2, 3});
    try {
      runtime->LoadNetwork(Optimize(*leaky.network, {id_}, runtime->GetDeviceSpec()));
      return std::string("it was loaded");
    } catch (const DiagnosticException& exception) {
      return ToText(exception.GetDiagnostic());
    }
  };
  EXPECT_THAT(get_failure(13), HasSubstr("the backend panicked: thirteen is not asked about"));
  EXPECT_THAT(get_failure(14), HasSubstr("the backend panicked: fourteen is not made"));
  EXPECT_EQ(get_failure(12), "it was loaded");
}

INSTANTIATE_TEST_SUITE_P(All, LanguageRust, ::testing::Combine(::testing::Values(kRust), kWays),
                         NameRow);

using LanguagesThatStop = Languages;

/// A layer that runs until it is told to end; its process, where it has one, lives on.
TEST_P(LanguagesThatStop, EndARunThatIsCancelledOrLate) {
  const auto runtime = row_.Create();
  OptimizerOptions options;
  options.model_options = {{id_, {{"run_to_end", true}}}};
  Network network({6});
  const NetworkId id = LoadHere(*runtime, network.Activate().Finish(), options);
  const auto& isolation =
      runtime->GetDeviceSpec().GetRegistry().GetRegistration(id_).origin->isolation;
  const std::vector<float> input(6);
  std::vector<float> output(6);
  const auto run = [&](const RunOptions& bounds) {
    return runtime->EnqueueWorkload(id, {{0, {Float({6}), input.data()}}},
                                    {{0, output.data(), output.size() * sizeof(float)}}, bounds);
  };
  const auto get_process = [&] { return isolation ? isolation->GetProcessId() : 0; };
  RunOptions late;
  late.timeout = std::chrono::milliseconds(20);
  // A machine that is busy may take longer than the process is given.
  bool is_kept = false;
  for (int round = 0; round < 5 && !is_kept; ++round) {
    const std::int64_t process = get_process();
    EXPECT_EQ(run(late), Status::kTimeout);
    is_kept = get_process() == process;
  }
  EXPECT_TRUE(is_kept);
  const CancellationSource source;
  RunOptions cancelled;
  cancelled.cancellation = source.GetToken();
  std::thread canceller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    source.Cancel();
  });
  EXPECT_EQ(run(cancelled), Status::kCancelled);
  canceller.join();
  EXPECT_EQ(run(late), Status::kTimeout);
}

INSTANTIATE_TEST_SUITE_P(All, LanguagesThatStop, ::testing::Combine(::testing::Values(kC), kWays),
                         NameRow);

INSTANTIATE_TEST_SUITE_P(All, LanguagesThatFail,
                         ::testing::Combine(::testing::Values(kC, kRust), kWays), NameRow);

using LanguageC = Languages;

TEST_P(LanguageC, ReadsOptionsOfTheContext) {
  CreationOptions creation;
  creation.backend_options = {{id_, {{"max_elements", 5}}}};
  const auto runtime = row_.Create(creation);
  Network small({5});
  const NetworkId id = LoadHere(*runtime, small.Activate().Finish());
  EXPECT_EQ(RunOnce(*runtime, id, {5}, {-1, 2, -3, 4, -5}).output,
            (std::vector<float>{0, 2, 0, 4, 0}));
  Network large({2, 3});
  const auto optimized = OptimizeHere(*runtime, large.Activate().Finish());
  const LayerPlacement& layer = optimized->GetPlacement().layers[0];
  EXPECT_EQ(layer.backend_id, "CpuRef");
  ASSERT_EQ(layer.refusals.size(), 1U);
  EXPECT_EQ(layer.refusals[0].reason, "input 0 has 6 elements; the option max_elements allows 5");
}

TEST_P(LanguageC, HasItsOptionsCheckedByTheHost) {
  CreationOptions creation;
  creation.backend_options = {{id_, {{"max_elements", -1}}}};
  try {
    row_.Create(creation);
    FAIL() << "it was created";
  } catch (const DiagnosticException& exception) {
    EXPECT_THAT(ToText(exception.GetDiagnostic()), HasSubstr("expected an int from 0 to"));
  }
}

/// Constants when the network is loaded, others at each run, in the memory of its state.
TEST_P(LanguageC, SpreadsTensorsOfOtherExtents) {
  const auto runtime = row_.Create();
  for (const TensorShape& shape : {TensorShape{5}, TensorShape{3, 1}, TensorShape{1, 1, 1}}) {
    const std::uint32_t rank = shape.rank > 2 ? 3 : 2;
    Network network(rank == 3 ? TensorShape{1, 3, 5} : TensorShape{3, 5});
    ExpectAsCpuRef(*runtime, network.AddConstant(shape).AddConstant(shape, true));
  }
}

INSTANTIATE_TEST_SUITE_P(All, LanguageC, ::testing::Combine(::testing::Values(kC), kWays), NameRow);

using LanguagesWithKinds = Languages;

TEST_P(LanguagesWithKinds, HaveTensorsInMemoryOfTheirOwn) {
  const auto runtime = row_.Create();
  Network network({3, 5});
  OptimizerOptions options;
  if (IsFusing()) options.model_options = {{id_, {{"fuse", false}}}};
  const INetwork& finished = network.Activate().Double().Activate().On("CpuRef").Finish();
  const auto optimized = OptimizeHere(*runtime, finished, options);
  const std::string rows = "Example/" + id_ + "/Rows";
  const Placement& placement = optimized->GetPlacement();
  bool is_seen = false;
  for (const PlacedTransfer& transfer : placement.transfers) {
    for (const TransferStep& step : transfer.steps) {
      is_seen = is_seen || step.from_factory == rows || step.to_factory == rows;
    }
  }
  EXPECT_TRUE(is_seen) << TransfersToText(placement);
  const NetworkId id = runtime->LoadNetwork(optimized);
  bool has_arena = false;
  for (const ArenaReport& arena : runtime->GetMemoryReport(id).arenas) {
    has_arena = has_arena || (arena.backend_id == id_ && arena.arena_bytes > 0);
  }
  EXPECT_TRUE(has_arena);
  const std::vector<float> input = MakeInput({3, 5});
  ExpectSameBytes(RunOnce(*runtime, id, {3, 5}, input),
                  RunOnce(*runtime, LoadReference(*runtime, finished), {3, 5}, input));
}

using LanguageRustExample = Languages;

TEST_P(LanguageRustExample, ReadsOptionsOfTheContext) {
  for (const std::int64_t block : {1, 7, 4096}) {
    CreationOptions creation;
    creation.backend_options = {{id_, {{"block", block}}}};
    const auto runtime = row_.Create(creation);
    Network network({3, 50});
    ExpectAsCpuRef(*runtime, network.Activate().Double().Activate());
  }
}

TEST_P(LanguageRustExample, ResizesWhatItCompiled) {
  const auto runtime = row_.Create();
  Network network({kOpenExtent, 16});
  const NetworkId id = LoadHere(*runtime, network.Activate().Double().Activate().Finish());
  for (const std::int64_t rows : {3, 4, 5, 6}) {
    const std::vector<float> input = MakeInput({rows, 16});
    Network fixed({rows, 16});
    const NetworkId reference =
        LoadReference(*runtime, fixed.Activate().Double().Activate().Finish());
    ExpectSameBytes(RunOnce(*runtime, id, {rows, 16}, input),
                    RunOnce(*runtime, reference, {rows, 16}, input));
  }
  std::size_t num_resized = 0;
  for (const PlanReport& plan : runtime->GetPlanReports(id)) {
    for (const StageReport& stage : plan.stages) num_resized += stage.is_resized ? 1U : 0U;
  }
  EXPECT_GT(num_resized, 0U);
}

INSTANTIATE_TEST_SUITE_P(All, LanguageRustExample,
                         ::testing::Combine(::testing::Values(kExampleRust), kWays), NameRow);

INSTANTIATE_TEST_SUITE_P(All, LanguagesWithKinds,
                         ::testing::Combine(::testing::Values(kCKinds, kExampleRust), kWays),
                         NameRow);

}  // namespace
}  // namespace backplane::test
