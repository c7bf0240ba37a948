#include <backplane/host/scan.hpp>

#include "runtime/runtime_fixture.hpp"

#include <algorithm>

namespace backplane {
namespace {

using Ids = std::vector<std::string>;
using CreateRuntimeShared = std::shared_ptr<TestBackend>;

Candidate MakeLoadedCandidate(const std::string& id) {
  Candidate candidate;
  candidate.path = "/opt/" + id + "_backend.so";
  candidate.status = CandidateStatus::kLoaded;
  candidate.stage = Stage::kCreate;
  candidate.identity = BackendIdentity{id, {1, 0}, {}};
  return candidate;
}

TEST(CreateRuntime, MakesOneContextForEachBackend) {
  const auto a = std::make_shared<TestBackend>("A");
  const auto runtime = MakeRuntime({a});
  EXPECT_EQ(a->GetEvents(), (Ids{"create backend", "create context with 0 options"}));
  EXPECT_EQ(runtime->GetDeviceSpec().GetBackendIdsByRank(), (Ids{"A"}));
  EXPECT_TRUE(runtime->GetLoadReport().candidates.empty());
}

TEST(CreateRuntime, TakesContextsThatWereMade) {
  const auto a = std::make_shared<TestBackend>("A");
  const auto registration = MakeRegistration(a);
  auto registry = std::make_shared<BackendRegistry>();
  registry->Register(registration);
  const BackendOptions none;
  BackendContextArgs args;
  args.options = &none;
  LoadedContext made{
      "A", {registration.factory()->CreateBackendContext(args), registration.origin}, {}};
  const auto runtime = CreateRuntime({registry, {}, {made}}, {});
  made = {};
  EXPECT_EQ(a->CountEvents("create context with 0 options"), 1);
  EXPECT_EQ(a->CountEvents("~context"), 0);
  const NetworkId id =
      runtime->LoadNetwork(Optimize(*MakeChain({"one"}), {"A"}, runtime->GetDeviceSpec()));
  EXPECT_EQ(a->CountEvents("before load " + std::to_string(id)), 1);
}

TEST(CreateRuntime, GivesOptionsToContexts) {
  const auto a = std::make_shared<TestBackend>("A");
  OptionSchema schema;
  schema.name = "Device";
  schema.type = OptionType::kInt;
  a->schemas = {schema};
  a->on_create_context = [](const BackendContextArgs& args) {
    EXPECT_EQ(args.options->backend_id, "A");
    ASSERT_EQ(args.options->options.size(), 1U);
    EXPECT_EQ(args.options->options[0].name, "Device");
    EXPECT_EQ(args.options->options[0].value, OptionValue(1));
    EXPECT_EQ(args.is_protected_mode, 0U);
    EXPECT_EQ(args.allocator, nullptr);
    EXPECT_NE(args.logger, nullptr);
  };
  CreationOptions options;
  options.backend_options = {{"A", {{"Device", 1}}}};
  const auto runtime = MakeRuntime({a}, options);
  EXPECT_EQ(a->CountEvents("create context with 1 options"), 1);
}

TEST(CreateRuntime, ThrowsMistakesInOptionsThatTheScanFound) {
  const auto a = std::make_shared<TestBackend>("A");
  LoadedBackends loaded{MakeRegistry({a}), {}, {}};
  loaded.report.candidates = {MakeLoadedCandidate("B")};
  loaded.report.candidates[0].status = CandidateStatus::kRejected;
  loaded.report.candidates[0].diagnostics = {Diagnostic{DiagnosticCode::kInvalidOption}};
  EXPECT_EQ(CatchDiagnostic([&] { CreateRuntime(std::move(loaded), {}); }).code,
            DiagnosticCode::kInvalidOption);
}

TEST(CreateRuntime, LeavesOutUnavailableBackends) {
  const auto a = std::make_shared<TestBackend>("A");
  const auto b = std::make_shared<TestBackend>("B");
  b->failures = {{CallPoint::kCreateBackendContext, FailureKind::kThrowUnavailable}};
  LoadedBackends loaded{MakeRegistry({a, b}), {}, {}};
  loaded.report.candidates = {MakeLoadedCandidate("A"), MakeLoadedCandidate("B")};
  const auto runtime = CreateRuntime(std::move(loaded), {});

  EXPECT_EQ(runtime->GetDeviceSpec().GetBackendIdsByRank(), (Ids{"A"}));
  const auto& candidates = runtime->GetLoadReport().candidates;
  EXPECT_EQ(candidates[0].status, CandidateStatus::kLoaded);
  EXPECT_EQ(candidates[1].status, CandidateStatus::kUnavailable);
  ASSERT_EQ(candidates[1].diagnostics.size(), 1U);
  EXPECT_EQ(candidates[1].diagnostics[0].code, DiagnosticCode::kBackendUnavailable);
  const Diagnostic asked =
      CatchDiagnostic([&] { Optimize(*MakeChain({"one"}), {"B"}, runtime->GetDeviceSpec()); });
  EXPECT_EQ(asked.code, DiagnosticCode::kBackendRejected);
  ASSERT_EQ(asked.causes.size(), 1U);
  ExpectContains(asked.causes[0].why, "no device");
}

TEST(CreateRuntime, LeavesOutBackendsThatThrow) {
  for (const CallPoint point : {CallPoint::kBackendFactory, CallPoint::kGetOptionSchemas,
                                CallPoint::kCreateBackendContext}) {
    const auto a = std::make_shared<TestBackend>("A");
    const auto b = std::make_shared<TestBackend>("B");
    a->failures = {{point, FailureKind::kThrow}};
    LoadedBackends loaded{MakeRegistry({a, b}), {}, {}};
    loaded.report.candidates = {MakeLoadedCandidate("A")};
    const auto runtime = CreateRuntime(std::move(loaded), {});
    EXPECT_EQ(runtime->GetDeviceSpec().GetBackendIdsByRank(), (Ids{"B"}));
    EXPECT_EQ(runtime->GetLoadReport().candidates[0].status, CandidateStatus::kRejected);
  }
}

TEST(CreateRuntime, ListsStaticBackendsThatAreLeftOut) {
  const auto a = std::make_shared<TestBackend>("A");
  const auto b = std::make_shared<TestBackend>("B");
  b->failures = {{CallPoint::kCreateBackendContext, FailureKind::kThrow}};
  const auto runtime = MakeRuntime({a, b});
  const auto& candidates = runtime->GetLoadReport().candidates;
  ASSERT_EQ(candidates.size(), 1U);
  EXPECT_EQ(candidates[0].path, "static");
  EXPECT_EQ(candidates[0].status, CandidateStatus::kRejected);
  EXPECT_EQ(candidates[0].stage, Stage::kCreate);
  EXPECT_EQ(candidates[0].identity->id, "B");
  ASSERT_EQ(candidates[0].diagnostics.size(), 1U);
  EXPECT_EQ(candidates[0].diagnostics[0].code, DiagnosticCode::kBackendThrew);
}

TEST(CreateRuntime, SaysWhereItLookedWhenThereIsNoBackend) {
  LoadedBackends loaded{std::make_shared<BackendRegistry>(), {}, {}};
  loaded.report.search_paths = {{"/opt/none", PathSource::kOption, false, {}},
                                {"/opt/backends", PathSource::kCompiledIn, true, {}}};
  loaded.report.search_paths[0].diagnostics.push_back(
      Diagnostic{DiagnosticCode::kSearchPathNotFound, Severity::kWarning});
  Candidate rejected;
  rejected.diagnostics = {Diagnostic{DiagnosticCode::kNoAbiNote},
                          Diagnostic{DiagnosticCode::kInvalidFileName, Severity::kNote}};
  loaded.report.candidates = {rejected};
  const Diagnostic diagnostic = CatchDiagnostic([&] { CreateRuntime(std::move(loaded), {}); });
  ExpectDiagnostic(diagnostic, DiagnosticCode::kNoBackends, "",
                   "looked in /opt/none (option, invalid), /opt/backends (compiled-in)",
                   "1 were rejected");
  ASSERT_EQ(diagnostic.causes.size(), 2U);
  EXPECT_EQ(diagnostic.causes[0].code, DiagnosticCode::kSearchPathNotFound);
  EXPECT_EQ(diagnostic.causes[1].code, DiagnosticCode::kNoAbiNote);
}

TEST(CreateRuntime, SaysThatEveryBackendIsDisabled) {
  LoadedBackends loaded{std::make_shared<BackendRegistry>(), {}, {}};
  Candidate of_file;
  of_file.status = CandidateStatus::kSkipped;
  of_file.diagnostics = {Diagnostic{DiagnosticCode::kBackendDisabled, Severity::kNote}};
  loaded.report.candidates = {of_file};
  loaded.disabled = {Diagnostic{DiagnosticCode::kBackendDisabled, Severity::kNote}};
  const Diagnostic diagnostic = CatchDiagnostic([&] { CreateRuntime(std::move(loaded), {}); });
  ExpectDiagnostic(diagnostic, DiagnosticCode::kNoBackends, "", "found 2, all disabled",
                   "at least one that is not");
  EXPECT_EQ(diagnostic.what, "every backend is disabled");
  ExpectContains(diagnostic.fix, "take a backend out");
  EXPECT_EQ(diagnostic.causes.size(), 2U);
}

// What is disabled is not why there is none.
TEST(CreateRuntime, NamesWhatIsDisabledBesideWhatIsRejected) {
  LoadedBackends loaded{std::make_shared<BackendRegistry>(), {}, {}};
  Candidate rejected;
  rejected.diagnostics = {Diagnostic{DiagnosticCode::kNoAbiNote}};
  loaded.report.candidates = {rejected};
  loaded.disabled = {Diagnostic{DiagnosticCode::kBackendDisabled, Severity::kNote}};
  const Diagnostic diagnostic = CatchDiagnostic([&] { CreateRuntime(std::move(loaded), {}); });
  EXPECT_EQ(diagnostic.what, "there is no usable backend");
  ASSERT_EQ(diagnostic.causes.size(), 2U);
  EXPECT_EQ(diagnostic.causes[1].code, DiagnosticCode::kBackendDisabled);
}

TEST(CreateRuntime, SaysWhyTheOnlyBackendIsLeftOut) {
  const auto a = std::make_shared<TestBackend>("A");
  a->failures = {{CallPoint::kCreateBackendContext, FailureKind::kThrowUnavailable}};
  const Diagnostic diagnostic = CatchDiagnostic([&] { MakeRuntime({a}); });
  ExpectDiagnostic(diagnostic, DiagnosticCode::kNoBackends, "", "no directory was searched",
                   "at least one usable backend");
  ASSERT_EQ(diagnostic.causes.size(), 1U);
  ExpectDiagnostic(diagnostic.causes[0], DiagnosticCode::kBackendUnavailable, "A", "no device", "");
}

TEST(CreateRuntime, RejectsOptionsThatNobodyDeclares) {
  const auto a = std::make_shared<TestBackend>("A");
  CreationOptions options;
  options.backend_options = {{"A", {{"Device", 1}}}};
  EXPECT_EQ(CatchDiagnostic([&] { MakeRuntime({a}, options); }).code,
            DiagnosticCode::kUnknownOption);
  options.backend_options = {{"Other", {{"Device", 1}}}};
  EXPECT_EQ(CatchDiagnostic([&] { MakeRuntime({a}, options); }).code,
            DiagnosticCode::kBackendNotRegistered);
}

TEST(CreateRuntime, TakesBackendsOfTheProcessUnlessDisabled) {
  const auto a = std::make_shared<TestBackend>("StaticA");
  const auto b = std::make_shared<TestBackend>("StaticB");
  BackendRegistry& process = BackendRegistry::GetProcessRegistry();
  process.Register(MakeRegistration(a));
  process.Register(MakeRegistration(b));
  CreationOptions options;
  options.dynamic_backends_path = "/no-such-directory-for-backends";
  options.disabled_backends = {"StaticB"};
  const auto runtime = IRuntime::Create(options);
  process.Deregister("StaticA");
  process.Deregister("StaticB");

  EXPECT_EQ(runtime->GetDeviceSpec().GetBackendIdsByRank(), (Ids{"StaticA"}));
  ASSERT_EQ(runtime->GetLoadReport().search_paths.size(), 1U);
  EXPECT_FALSE(runtime->GetLoadReport().search_paths[0].is_scanned);
  const Diagnostic disabled = CatchDiagnostic(
      [&] { Optimize(*MakeChain({"one"}), {"StaticB"}, runtime->GetDeviceSpec()); });
  EXPECT_EQ(disabled.code, DiagnosticCode::kBackendRejected);
  EXPECT_EQ(disabled.causes[0].code, DiagnosticCode::kBackendDisabled);
}

TEST(CreateRuntime, FailsInAnEmptyDirectory) {
  CreationOptions options;
  options.dynamic_backends_path = "/no-such-directory-for-backends";
  const Diagnostic diagnostic = CatchDiagnostic([&] { IRuntime::Create(options); });
  ExpectDiagnostic(diagnostic, DiagnosticCode::kNoBackends, "",
                   "/no-such-directory-for-backends (option, invalid)", "found 0 files");
  ASSERT_FALSE(diagnostic.causes.empty());
  EXPECT_EQ(diagnostic.causes[0].code, DiagnosticCode::kSearchPathNotFound);
}

}  // namespace
}  // namespace backplane
