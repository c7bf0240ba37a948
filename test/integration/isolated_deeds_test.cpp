/// All that a backend in a process of its own does to that process, in every place where its code
/// runs, and what comes of it here.

#include "host_state.hpp"
#include "isolated_runtime.hpp"
#include "row_needs.hpp"
#include "support/sanitized.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <iterator>
#include <ostream>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace backplane::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

enum class Outcome {
  kEnds,      // the process ends, and what was asked fails
  kEndsSoon,  // it ends, while something is asked or behind that
  kThrows,    // what was asked fails, and the process goes on
  kWearsOut,  // what was asked fails, and the process is ended because it can do nothing any more
  kHangs,     // the process is ended when the time is up, and what was asked fails
  kFails,     // the network cannot be loaded
  kGoesOn,    // nothing is seen
  kMayGoOn,   // nothing is seen, but another process may take the place of this one
};

/// What comes of a deed, and what the failure says.
struct Effect {
  Outcome outcome = Outcome::kGoesOn;
  const char* words = "";
};

constexpr Effect kHangs{Outcome::kHangs, ""};
constexpr Effect kHasNoFiles{Outcome::kFails, "Too many open files"};
constexpr Effect kGoesOn{Outcome::kGoesOn, ""};
constexpr Effect Ends(const char* words) {
  return {Outcome::kEnds, words};
}
constexpr Effect EndsSoon(const char* words) {
  return {Outcome::kEndsSoon, words};
}
constexpr Effect WearsOut(const char* words) {
  return {Outcome::kWearsOut, words};
}
constexpr Effect Throws(const char* words) {
  return {Outcome::kThrows, words};
}

/// Where code of a backend runs; as plugins/mock-backends/misbehaving_backend.cpp has them.
constexpr const char* kPlaces[] = {"support", "compile", "load", "map",
                                   "execute", "thread",  "later"};

struct Exception {
  const char* place;
  Effect effect;
};

struct DeedRow {
  const char* deed;
  Effect effect;                     // in every place
  std::vector<Exception> but = {};   // but for these
  const char* needs = "";            // as in a recipe of defects.def
  std::uint64_t max_data_bytes = 0;  // IsolationSettings
  std::uint32_t max_open_files = 0;
};

/// What nobody waits for ends the process a moment later.
Effect GetEffect(const DeedRow& row, const std::string& place) {
  for (const Exception& one : row.but) {
    if (one.place == place) return one.effect;
  }
  if (place != "later") return row.effect;
  if (row.effect.outcome == Outcome::kEnds) return EndsSoon(row.effect.words);
  return row.effect.outcome == Outcome::kHangs ? kGoesOn : row.effect;
}

bool Fails(const Effect& effect) {
  return effect.outcome != Outcome::kGoesOn && effect.outcome != Outcome::kMayGoOn;
}

void PrintTo(const DeedRow& row, std::ostream* stream) {
  *stream << row.deed;
}

/// What an exception ends that nobody catches.
std::vector<Exception> EndInThreads() {
  return {{"thread", Ends("cannot be caught")}, {"later", EndsSoon("cannot be caught")}};
}

/// What is seen when the host looks next.
std::vector<Exception> EndSoonInRuns(const char* words) {
  return {{"execute", EndsSoon(words)}, {"thread", EndsSoon(words)}};
}

const DeedRow kRows[] = {
    {"Nothing", kGoesOn},
    {"Segfault", Ends("SIGSEGV")},
    {"Abort", Ends("SIGABRT")},
    {"IllegalInstruction", Ends("SIGILL")},
    {"BusError", Ends("SIGBUS")},
    {"DivideByZero", Ends("SIGFPE")},
    {"Throw", Throws("the mock device burns"), EndInThreads()},
    {"ThrowLongText", Throws("a dump of the device"), EndInThreads()},
    {"ThrowInNoexcept", Ends("cannot be caught")},
    {"ThrowInThread", Ends("cannot be caught")},
    {"SegfaultInThread", Ends("SIGSEGV")},
    {"SegfaultAtExit", kGoesOn},
    {"OverflowStack", Ends("SIGSEGV")},
    {"Loop", kHangs},
    {"IgnoreSignals", kHangs},
    {"PrintEndlessly", kHangs},
    {"WriteManyErrors", Ends("the last of many lines")},
    {"CloseErrors", Ends("SIGABRT")},
    {"Exit", Ends("called exit or _exit with code 0")},
    {"ExitAtOnce", Ends("called exit or _exit with code 3")},
    {"ExitQuietly", Ends("called exit or _exit with code 0")},
    {"Kill", Ends("SIGKILL")},
    {"Stop", Ends("SIGSTOP")},
    {"KillParent", Ends("the program that watched it was ended by SIGKILL (Killed)")},
    {"ForbidOpening", kGoesOn, {}, "needs=Filters"},
    {"TrapOpening", kGoesOn, {}, "needs=Filters"},
    // It ends the thread that does it.
    {"EnterStrictMode", kHangs, {{"thread", kGoesOn}}, "needs=Filters"},
    {"CorruptHeap", Ends("SIGABRT")},
    {"OverwriteConstants", Ends("SIGSEGV")},
    {"OverwriteSharedMemory", kHangs, {{"later", EndsSoon("")}}},
    {"OverrunSharedMemory", Ends("")},
    {"LeakMemory", kGoesOn},
    {"LeakDescriptors", kGoesOn},
    {"ReserveAddresses", kGoesOn},
    {"ExhaustMemory",
     WearsOut("the limit is 256 MiB of data (IsolationSettings::max_data_bytes)"),
     {{"thread", Ends("the limit was 256 MiB of data (IsolationSettings::max_data_bytes)")},
      {"later", EndsSoon("the limit was 256 MiB of data (IsolationSettings::max_data_bytes)")}},
     "",
     std::uint64_t{256} << 20U},
    {"OpenManyFiles", WearsOut("the limit is 64 open files (IsolationSettings::max_open_files)"),
     EndInThreads(), "", 0, 64},
    {"Fork", kGoesOn},
    {"ForkAndGoOn", kGoesOn},
    {"SignalParent", kGoesOn},
    {"LeaveThread", kGoesOn},
    {"Print", kGoesOn},
    {"ChangeState", kGoesOn},
    {"FlushDenormals", kGoesOn},
    {"ChangeLimits",
     {Outcome::kMayGoOn, ""},
     // The thread's network meets the process that the run before has left so.
     {{"support", kHasNoFiles},
      {"compile", kHasNoFiles},
      {"load", kHasNoFiles},
      {"thread", kHasNoFiles},
      {"map", Ends("Too many open files")}}},
    {"ChangeRoot", kGoesOn, {}, "needs=Root"},
    {"ChangeUser", kGoesOn, {}, "needs=Users"},
    {"DropCapability", kGoesOn, {}, "needs=Chown"},
    {"ChangeMountNamespace", kGoesOn, {}, "needs=Namespaces"},
    {"ChangeScheduling", kGoesOn, {}, "needs=Processors"},
    {"StartTimers", kGoesOn},
    {"LockMemory", kGoesOn, {}, "needs=LockedMemory"},
    {"HideMemory", kGoesOn},
    {"FilterWrites", kGoesOn, {}, "needs=Filters"},
    {"LeaveDescriptor", kGoesOn},
    {"ScribbleOverDescriptors", Ends("no message"), EndSoonInRuns("no message")},
    {"CloseDescriptors", Ends("closed"), EndSoonInRuns("closed")},
    {"RedirectOutput", kGoesOn},
    {"DuplicateOverDescriptors", Ends("closed"), EndSoonInRuns("closed")},
    {"WriteFile", kGoesOn},
    {"ReadForeignFile", kGoesOn},
    {"Connect", kGoesOn},
    {"SendToAddress", kGoesOn},
    {"StartProgram", Ends("called exec")},
    {"RunShell", kGoesOn},
    {"FreeProcessors", kGoesOn},
};

/// What is tested elsewhere: deeds whose outcome depends on the machine (in a sandbox it does not),
/// that only tell something, that only several backends do, or that change the file of a row.
const std::set<std::string> kElsewhere = {
    "RaiseLimits",        "TraceParent",      "OpenMemoryOfParent",
    "SignalByDescriptor", "CallOtherMachine", "CallOtherAbi",
    "SetUpRing",          "MakeNamespace",    "TellProcessors",
    "TellVariables",      "TellPrivileges",   "MakeNamespaceByStruct",
    "AbortUnlessFirst",   "AbortAsThird",     "AbortOnceUnlessFirst",
    "LoopUnlessFirst",    "ThrowUnlessFirst", "SpoilForOthers",
    "AbortWhereSpoiled",  "AllocateTooMuch",  "ChangeOwnFileAndCrash",
    "OpenDevice",
};

TEST(IsolatedDeeds, HaveARowEach) {
  std::set<std::string> rows = kElsewhere;
  for (const DeedRow& row : kRows) rows.insert(row.deed);
#define BACKPLANE_SANDBOX_DEED(name, ...) rows.insert(#name);
#include "sandbox_deeds.def"
#undef BACKPLANE_SANDBOX_DEED
#define BACKPLANE_DEED(name) EXPECT_THAT(rows, Contains(#name));
#include "deeds.def"
#undef BACKPLANE_DEED
}

IsolationSettings MakeSettings(const DeedRow& row) {
  IsolationSettings settings;
  settings.max_deaths = 1'000;
  settings.max_data_bytes = row.max_data_bytes;
  settings.max_open_files = row.max_open_files;
  if (row.effect.outcome == Outcome::kHangs) {
    settings.call_timeout = std::chrono::milliseconds(500);
  }
  return settings;
}

/// y = relu(x), and z = relu of a constant.
class OtherNetwork {
 public:
  explicit OtherNetwork(IsolatedRuntime& runtime) : runtime_(runtime) {
    const std::unique_ptr<INetwork> network = INetwork::Create("other");
    const OutputSlot x = network->AddInputLayer(info_, "x");
    const OutputSlot c =
        network->AddConstantLayer(info_, CopyConstantData(kConstant, sizeof(kConstant)), "c");
    const ActivationDescriptor relu;
    network->AddOutputLayer({AddLayer<LayerType::kActivation>(*network, relu, {x}, "y"), 0}, "y");
    network->AddOutputLayer({AddLayer<LayerType::kActivation>(*network, relu, {c}, "z"), 0}, "z");
    id_ = runtime->LoadNetwork(Optimize(*network, {runtime.GetId()}, runtime->GetDeviceSpec()));
  }

  void ExpectRight() const {
    const std::vector<float> x = {5, -1, 6, -2};
    std::vector<float> y(4, -77);
    std::vector<float> z(4, -77);
    std::optional<Diagnostic> failure;
    const Status status = runtime_->EnqueueWorkload(
        id_, {{0, {info_, x.data()}}}, {{0, y.data(), 16}, {1, z.data(), 16}}, &failure);
    EXPECT_EQ(status, Status::kSuccess) << (failure ? ToText(*failure) : "");
    EXPECT_EQ(y, (std::vector<float>{5, 0, 6, 0}));
    EXPECT_EQ(z, (std::vector<float>{1, 0, 2, 0}));
  }

 private:
  static constexpr float kConstant[] = {1, -1, 2, -2};
  const TensorInfo info_{{4}, DataType::kFloat32};
  IsolatedRuntime& runtime_;
  NetworkId id_ = 0;
};

/// One deed after the other, in the process of one backend and those that take its place.
class DeedsInARuntime {
 public:
  DeedsInARuntime(const DeedRow& row, const std::string& mock)
      : row_(row), runtime_(MakeSettings(row), mock), other_(runtime_) {}

  void Check(const std::string& place) {
    const std::string layer = row_.deed + (" in " + place);
    SCOPED_TRACE(layer);
    const Effect effect = GetEffect(row_, place);
    const std::uint32_t num_starts = runtime_.GetProcess().GetNumStarts();
    const std::optional<NetworkId> network = LoadWith(layer, place, effect);
    if (network) CheckRuns(*network, layer, place, effect);
    other_.ExpectRight();
    if (network) runtime_->UnloadNetwork(*network);
    if (effect.outcome == Outcome::kMayGoOn || effect.outcome == Outcome::kFails) return;
    const bool goes_on = effect.outcome == Outcome::kThrows || effect.outcome == Outcome::kGoesOn;
    EXPECT_EQ(runtime_.GetProcess().GetNumStarts(), num_starts + (goes_on ? 0 : 1));
  }

 private:
  /// Nothing: it could not be loaded, as expected.
  std::optional<NetworkId> LoadWith(const std::string& layer, const std::string& place,
                                    const Effect& effect) {
    const bool fails = effect.outcome == Outcome::kFails ||
                       (Fails(effect) && (place == "support" || place == "load"));
    try {
      // Tensors of the last layer are those that are mapped.
      auto optimized = runtime_.OptimizeChain({"before", layer});
      if (place == "compile" && !fails) CheckWarnings(optimized->GetPlacement().warnings, effect);
      const NetworkId network = runtime_->LoadNetwork(std::move(optimized));
      EXPECT_FALSE(fails);
      return network;
    } catch (const DiagnosticException& exception) {
      EXPECT_TRUE(fails) << ToText(exception.GetDiagnostic());
      ExpectWordsOfCall(ToText(exception.GetDiagnostic()), effect);
    }
    return std::nullopt;
  }

  void CheckWarnings(const std::vector<Diagnostic>& warnings, const Effect& effect) {
    EXPECT_EQ(warnings.empty(), !Fails(effect));
    for (const Diagnostic& warning : warnings) ExpectWordsOfCall(ToText(warning), effect);
  }

  void ExpectWordsOfCall(const std::string& text, const Effect& effect) {
    EXPECT_THAT(text, HasSubstr(runtime_.GetId()));
    EXPECT_THAT(text,
                HasSubstr(effect.outcome == Outcome::kHangs ? "did not answer" : effect.words));
  }

  void CheckRuns(NetworkId network, const std::string& layer, const std::string& place,
                 const Effect& effect) {
    const bool is_done_in_runs = place != "support" && place != "compile" && place != "load";
    if (!is_done_in_runs || !Fails(effect)) {
      runtime_.ExpectRight(network, kCue);
    } else if (effect.outcome == Outcome::kEndsSoon) {
      RunUntilItEnds(network, effect);
    } else {
      const std::string text = RunAndFail(network, effect);
      EXPECT_THAT(text, HasSubstr(effect.words));
      EXPECT_THAT(text, HasSubstr(place == "map" ? runtime_.GetId() : layer));
    }
    runtime_.ExpectRight(network);
  }

  std::string RunAndFail(NetworkId network, const Effect& effect) {
    RunOptions options;
    options.timeout = std::chrono::milliseconds(50);
    const bool is_timed = effect.outcome == Outcome::kHangs;
    const IsolatedRun run = runtime_.Run(network, kCue, is_timed ? &options : nullptr);
    EXPECT_NE(run.status, Status::kSuccess);
    if (!run.failure) return "";
    if (effect.outcome == Outcome::kEnds) {
      EXPECT_THAT(ToText(*run.failure), HasSubstr(GetDiagnosticId(DiagnosticCode::kWorkerEnded)));
    }
    return ToText(*run.failure);
  }

  void RunUntilItEnds(NetworkId network, const Effect& effect) {
    const std::uint32_t num_starts = runtime_.GetProcess().GetNumStarts();
    IsolatedRun run = runtime_.Run(network, kCue);
    while (run.status == Status::kSuccess && runtime_.GetProcess().GetNumStarts() == num_starts) {
      run = runtime_.Run(network, 7);
    }
    if (run.failure) {
      EXPECT_THAT(ToText(*run.failure), HasSubstr(effect.words));
    }
  }

  const DeedRow& row_;
  IsolatedRuntime runtime_;
  OtherNetwork other_;
};

bool IsChangedUnderSanitizers(const DeedRow& row) {
  const std::string deeds[] = {"CorruptHeap", "OpenManyFiles", "ChangeLimits", "FilterWrites"};
  return row.max_data_bytes != 0 ||
         std::find(std::begin(deeds), std::end(deeds), row.deed) != std::end(deeds);
}

/// The thread sanitizer goes on with system calls of its own that end the process otherwise.
bool HangsUnderThreadSanitizer(const DeedRow& row) {
  return std::string(row.deed) == "EnterStrictMode";
}

class IsolatedDeed : public ::testing::TestWithParam<DeedRow> {};
INSTANTIATE_TEST_SUITE_P(Table, IsolatedDeed, ::testing::ValuesIn(kRows),
                         [](const auto& row) { return std::string(row.param.deed); });

// What was asked fails or is right, all else goes on, and of this process nothing is changed.
TEST_P(IsolatedDeed, HurtsNothingElse) {
  const std::string obstacle = FindObstacle(GetParam().needs);
  if (!obstacle.empty()) GTEST_SKIP() << obstacle;
  if (IsChangedUnderSanitizers(GetParam()) && (HasAddressSanitizer() || HasThreadSanitizer())) {
    GTEST_SKIP() << "sanitizers have a heap, descriptors and output of their own";
  }
  if (HangsUnderThreadSanitizer(GetParam()) && HasThreadSanitizer()) {
    GTEST_SKIP() << "the sanitizer waits for what the mode forbids";
  }
  std::thread([] {}).join();  // with the first, the thread sanitizer starts one of its own
  const HostState before = HostState::Read();
  std::vector<int> processes;
  for (const std::string mock : {"Misbehaves", "MisbehavesInMap"}) {
    DeedsInARuntime deeds(GetParam(), mock);
    for (const std::string place : kPlaces) {
      if ((place == "map") == (mock == "MisbehavesInMap")) deeds.Check(place);
    }
    for (const int process : FindDescendants()) processes.push_back(process);
  }
  // The system counts a thread a moment longer than it can be waited for.
  std::vector<std::string> changes = before.FindChanges(HostState::Read());
  for (int looks = 0; looks < 100 && !changes.empty(); ++looks) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    changes = before.FindChanges(HostState::Read());
  }
  EXPECT_THAT(changes, IsEmpty());
  for (const int process : processes) EXPECT_NE(kill(process, 0), 0) << process << " is left";
}

}  // namespace
}  // namespace backplane::test
