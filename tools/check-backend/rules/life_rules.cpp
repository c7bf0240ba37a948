// Objects that are made, used and destroyed in every order that is allowed.

#include "command_line/signal_name.hpp"
#include "harness/descriptor_text.hpp"
#include "harness/expectations.hpp"
#include "harness/failing_new.hpp"
#include "harness/host_tensors.hpp"
#include "harness/run_code.hpp"
#include "harness/samples.hpp"
#include "harness/session.hpp"

#include <backplane/api/layer_type.hpp>
#include <backplane/host/capabilities.hpp>
#include <backplane/host/diagnostic.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace backplane::check_backend {
namespace {

constexpr std::size_t kNumLives = 8;

/// An object that is lent: in pages of its own, which nobody may touch any more when it is taken
/// back. It is never destroyed.
template <typename Value>
class Lent {
 public:
  Lent(Value value, const std::string& name)
      : pages_(std::string(sizeof(Value), '\0').data(), sizeof(Value), name),
        value_(new (const_cast<void*>(pages_.GetData())) Value(std::move(value))) {}

  Value* Get() const { return value_; }
  void TakeBack() { pages_.ForbidTouching(); }

 private:
  BorrowedBytes pages_;
  Value* value_;
};

/// What CreateWorkload and CreateWorkloadFactory were lent, in pages of their own.
struct LentLayer {
  explicit LentLayer(const Sample& sample, const BackendOptions& backend_options)
      : descriptor(sample.made.descriptor_bytes.data(), sample.made.descriptor_bytes.size(),
                   "the descriptor that was lent to CreateWorkload"),
        name("layer under test", sizeof("layer under test"),
             "the layer's name that was lent to CreateWorkload"),
        options(backend_options, "the options that were lent to CreateWorkloadFactory") {
    for (const TensorInfo& info : sample.made.inputs) Add(inputs, info);
    for (const TensorInfo& info : sample.made.outputs) Add(outputs, info);
  }

  void TakeBack() {
    descriptor.ForbidTouching();
    name.ForbidTouching();
    options.TakeBack();
    for (const auto& info : infos) info->TakeBack();
  }

  BorrowedBytes descriptor;
  BorrowedBytes name;
  Lent<BackendOptions> options;
  std::vector<std::unique_ptr<Lent<TensorInfo>>> infos;
  std::vector<const TensorInfo*> inputs;
  std::vector<const TensorInfo*> outputs;

 private:
  void Add(std::vector<const TensorInfo*>& pointers, const TensorInfo& info) {
    infos.push_back(
        std::make_unique<Lent<TensorInfo>>(info, "a TensorInfo that was lent to CreateWorkload"));
    pointers.push_back(infos.back()->Get());
  }
};

/// As a host of a later minor version has it: with fields behind those that are known here.
template <typename Args>
struct Later : Args {
  explicit Later(const Args& args) : Args(args) { this->size_bytes = sizeof(Later); }
  std::uint64_t later[8] = {1, 2, 3, 4, 5, 6, 7, 8};
};

constexpr int kExitThrown = 70;

std::string DescribeForkedEnd(int status) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == kExitThrown) return "something was thrown";
  if (WIFSIGNALED(status)) {
    return "the process was ended by " + command_line::GetSignalName(WTERMSIG(status));
  }
  return "the process ended with exit code " + std::to_string(WEXITSTATUS(status));
}

/// Runs `work` in a process made by fork; what waitpid says of it.
int RunForked(const std::function<void()>& work) {
  const pid_t process = fork();
  if (process == 0) {
    try {
      work();
    } catch (const std::exception& exception) {
      std::fprintf(stderr, "%s\n", exception.what());
      _exit(kExitThrown);
    } catch (...) {
      _exit(kExitThrown);
    }
    _exit(0);
  }
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

bool IsMapped(const std::string& path_or_link) {
  const std::string path = std::filesystem::canonical(path_or_link);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const std::size_t place = line.find('/');
    if (place != std::string::npos && line.compare(place, std::string::npos, path) == 0)
      return true;
  }
  return false;
}

/// Makes one call of the backend again and again, each time with another allocation refused; how
/// often there was one. `call` allocates nothing itself.
int RefuseEach(Session& session, const std::function<void()>& call) {
  constexpr int kMost = 200;
  for (int number = 1; number <= kMost; ++number) {
    session.ShowLife();
    RefuseAllocation(static_cast<std::uint64_t>(number));
    try {
      call();
    } catch (...) {
      // To fail is what it is for.
      StopRefusing();
      continue;
    }
    if (!StopRefusing()) return number - 1;
  }
  return kMost;
}

/// Refuses memory while the sample is asked for, made and run; how often.
int RefuseAround(Session& session, const Sample& sample) {
  Plugin& plugin = session.GetPlugin();
  const auto support = plugin.GetSupport();
  const conformance::LayerQuestion question(sample.made);
  std::string reason;
  reason.reserve(1000);
  int num_refused = RefuseEach(session, [&] {
    reason.clear();
    support->IsLayerSupported(question.Get(), reason);
  });
  const BackendContextArgs context_args = plugin.MakeContextArgs();
  num_refused +=
      RefuseEach(session, [&] { plugin.GetBackend().CreateBackendContext(context_args); });
  const auto factory = plugin.MakeFactory();
  const conformance::LayerWorkloadArgs args(sample.made);
  num_refused += RefuseEach(session, [&] { factory->CreateWorkload(args.Get()); });
  num_refused += RefuseEach(session, [&] { factory->CreateExecutionState(); });
  const Running running = MakeRunning(plugin, sample.made);
  const HostTensors tensors(sample, GuardedSide::kBehind, 0);
  const std::vector<ITensorHandle*> inputs = GetHandles(tensors.inputs);
  const std::vector<ITensorHandle*> outputs = GetHandles(tensors.outputs);
  const ExecuteArgs run = conformance::MakeExecuteArgs(inputs, outputs, running.state.get());
  num_refused += RefuseEach(session, [&] { static_cast<void>(running.workload->Execute(run)); });
  ExpectRightRun(session, running, sample, "that it works when there is memory again");
  return num_refused;
}

/// Every option with its default, the ends of its range, and each allowed string.
std::vector<BackendOption> ListSettings(const std::vector<OptionSchema>& schemas) {
  std::vector<BackendOption> settings;
  for (const OptionSchema& schema : schemas) {
    settings.emplace_back(schema.name, schema.default_value);
    if (schema.has_range) {
      settings.emplace_back(schema.name, schema.minimum);
      settings.emplace_back(schema.name, schema.maximum);
    }
    if (schema.type == OptionType::kBool) {
      settings.emplace_back(schema.name, OptionValue(schema.default_value.int_value == 0));
    }
    for (const std::string& text : schema.allowed_strings) {
      settings.emplace_back(schema.name, OptionValue(text));
    }
  }
  return settings;
}

/// Takes what is reported, and keeps nothing.
class NoProfiling final : public IBackendProfiling {
 public:
  Status ReportTimelineEvent(const TimelineEvent& /*event*/) override { return Status::kSuccess; }
  Status ReportCounterSamples(const CounterSample* /*samples*/, std::uint32_t /*count*/) override {
    return Status::kSuccess;
  }
};

void CheckCounters(Session& session, IBackendProfilingContext& profiling) {
  std::set<std::uint32_t> ids;
  std::uint32_t unknown = 0;
  for (const CounterDescription& counter : profiling.GetCounters()) {
    session.Expect(ids.insert(counter.id).second,
                   "two counters have the id " + std::to_string(counter.id), "one for each");
    session.Expect(!counter.name.empty(), "a counter without a name", "a name for each");
  }
  while (ids.count(unknown) != 0) ++unknown;
  ExpectStatus(session, "ActivateCounters for a counter that there is not",
               profiling.ActivateCounters(1000, &unknown, 1), Status::kNotFound, "kNotFound");
  const std::vector<std::uint32_t> all(ids.begin(), ids.end());
  if (!all.empty()) {
    ExpectStatus(
        session, "ActivateCounters for all counters",
        profiling.ActivateCounters(1000, all.data(), static_cast<std::uint32_t>(all.size())),
        Status::kSuccess, "kSuccess");
  }
  ExpectStatus(session, "ActivateCounters for no counter",
               profiling.ActivateCounters(1000, nullptr, 0), Status::kSuccess, "kSuccess");
}

}  // namespace

void CheckLentIsNotKept(Session& session) {
  for (const Sample& sample : MakeSamples(session, 1)) {
    if (!session.Begin("makes the workload of " + DescribeLayer(sample.made) +
                       ", takes back what was lent for that, and runs it")) {
      continue;
    }
    SetRunCode(session, sample, "  descriptor = {};\n  inputs.clear();\n  run();\n  show();\n");
    WatchFaults(session.GetRecord());
    Plugin& plugin = session.GetPlugin();
    LentLayer lent(sample, plugin.GetOptions());
    WorkloadFactoryArgs factory_args = plugin.MakeFactoryArgs();
    factory_args.options = lent.options.Get();
    Running running;
    running.factory = plugin.GetBackend().CreateWorkloadFactory(factory_args);
    const conformance::LayerWorkloadArgs parts(sample.made);
    WorkloadArgs args = parts.Get();
    args.layer_name = static_cast<const char*>(lent.name.GetData());
    args.descriptor = static_cast<const BaseDescriptor*>(lent.descriptor.GetData());
    args.inputs = lent.inputs.data();
    args.outputs = lent.outputs.data();
    running.workload = MakeWorkload(*running.factory, args);
    lent.TakeBack();
    running.state = running.factory->CreateExecutionState();
    ExpectRightRun(session, running, sample, "what the layer was when the workload was made");
  }
}

void CheckWorkloadsOutliveTheirMakers(Session& session) {
  for (const Sample& sample : MakeFewSamples(session, kNumLives)) {
    if (session.Begin("destroys the factory, and runs the workload of " +
                      DescribeLayer(sample.made))) {
      Running running = MakeRunning(session.GetPlugin(), sample.made);
      running.factory.reset();
      ExpectRightRun(session, running, sample, "that workloads outlive their factory");
    }
    if (session.Begin("destroys the IBackendInternal, and makes and runs " +
                      DescribeLayer(sample.made))) {
      auto backend = session.GetPlugin().MakeBackend();
      auto factory = backend.Share()->CreateWorkloadFactory(
          session.GetPlugin().MakeFactoryArgs(*backend.Share()));
      backend = {};
      const Running running =
          MakeRunning(std::move(factory), conformance::LayerWorkloadArgs(sample.made).Get());
      ExpectRightRun(session, running, sample,
                     "that what an IBackendInternal has made works without it");
    }
  }
}

void CheckBackendsAreApart(Session& session) {
  for (const Sample& sample : MakeFewSamples(session, kNumLives)) {
    if (!session.Begin("makes and destroys a second object of the backend while the first runs " +
                       DescribeLayer(sample.made))) {
      continue;
    }
    Plugin& plugin = session.GetPlugin();
    const Running running = MakeRunning(plugin, sample.made);
    ExpectRightRun(session, running, sample);
    {
      auto second = plugin.MakeBackend();
      const auto factory =
          second.Share()->CreateWorkloadFactory(plugin.MakeFactoryArgs(*second.Share()));
      const auto workload =
          MakeWorkload(*factory, conformance::LayerWorkloadArgs(sample.made).Get());
      ExpectRightRun(session, running, sample,
                     "that a second object changes nothing for the first");
    }
    ExpectRightRun(session, running, sample, "that a second object changes nothing for the first");
  }
}

void CheckOpensAgain(Session& session) {
  const std::vector<Sample> samples = MakeFewSamples(session, 2);
  for (const Sample& sample : samples) {
    if (!session.Begin("closes the library, opens it again, and runs " +
                       DescribeLayer(sample.made))) {
      continue;
    }
    const bool has_context = session.GetPlugin().GetContext() != nullptr;
    MakeAndRun(session, sample);
    for (int i = 0; i < 3; ++i) {
      session.ClosePlugin();
      const bool has_context_again = session.GetPlugin().GetContext() != nullptr;
      session.Expect(has_context == has_context_again,
                     has_context ? "no context, which it had when it was opened before"
                                 : "a context, which it did not have when it was opened before",
                     "the same as when it was opened before");
      MakeAndRun(session, sample);
    }
  }
}

void CheckExitsAfterRuns(Session& session) {
  for (const Sample& sample : MakeFewSamples(session, 2)) {
    for (const bool is_kept : {false, true}) {
      if (!session.Begin("runs " + DescribeLayer(sample.made) + " in a process that then exits, " +
                         (is_kept ? "with everything that was made" : "after all was destroyed"))) {
        continue;
      }
      const int status = RunForked([&] {
        auto* const running = new Running(MakeRunning(session.GetPlugin(), sample.made));
        const HostTensors tensors(sample, GuardedSide::kBehind, 0);
        static_cast<void>(RunOn(*running, tensors));
        if (!is_kept) {
          delete running;
          session.ClosePlugin();
        }
        std::exit(0);
      });
      session.Expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, DescribeForkedEnd(status),
                     "that a process can exit, with code 0 here, after the backend has run");
    }
  }
}

void CheckForksAreSurvived(Session& session) {
  for (const Sample& sample : MakeFewSamples(session, 2)) {
    if (session.Begin("opens the library, forks, and runs " + DescribeLayer(sample.made) +
                      " in the new process")) {
      session.GetPlugin();
      const int status = RunForked([&] {
        MakeAndRun(session, sample);
        _exit(0);
      });
      session.Expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, DescribeForkedEnd(status),
                     "that it works in a process that was forked before anything ran");
    }
    if (session.Begin("runs " + DescribeLayer(sample.made) + ", forks, and runs it again")) {
      const Running running = MakeRunning(session.GetPlugin(), sample.made);
      ExpectRightRun(session, running, sample);
      RunForked([] { _exit(0); });
      ExpectRightRun(session, running, sample, "the same after somebody forked the process");
    }
  }
}

void CheckRefusedMemoryIsSurvived(Session& session) {
  int num_refused = 0;
  for (const Sample& sample : MakeFewSamples(session, 4)) {
    if (!session.Begin("refuses one allocation after the other while " +
                       DescribeLayer(sample.made) + " is asked for, made and run")) {
      continue;
    }
    num_refused += RefuseAround(session, sample);
    MakeAndRun(session, sample);
  }
  if (session.HasCases() && num_refused == 0) {
    session.Skip("the backend does not allocate with the operators new of the process");
  }
}

void CheckLaterStructsAreTaken(Session& session) {
  Plugin& plugin = session.GetPlugin();
  for (const Sample& sample : MakeFewSamples(session, kNumLives)) {
    if (session.Begin("gives structs with a larger size, as a later host does, for " +
                      DescribeLayer(sample.made))) {
      const conformance::LayerQuestion question(sample.made);
      const Later<LayerSupportQuery> query(question.Get());
      std::string reason;
      const auto support =
          plugin.GetBackend().GetLayerSupport(Later<LayerSupportArgs>(plugin.MakeSupportArgs()));
      const bool is_supported = support != nullptr && support->IsLayerSupported(query, reason);
      session.Expect(is_supported, "no, with \"" + reason + "\"",
                     "yes, as with the size of this version: what is behind is not to be read");
      auto factory = plugin.GetBackend().CreateWorkloadFactory(
          Later<WorkloadFactoryArgs>(plugin.MakeFactoryArgs()));
      if (factory == nullptr) throw std::runtime_error("CreateWorkloadFactory gave null");
      const conformance::LayerWorkloadArgs args(sample.made);
      const Running running = MakeRunning(std::move(factory), Later<WorkloadArgs>(args.Get()));
      ExpectRightRun(session, running, sample);
      const HostTensors tensors(sample, GuardedSide::kBehind, 0);
      const std::vector<ITensorHandle*> inputs = GetHandles(tensors.inputs);
      const std::vector<ITensorHandle*> outputs = GetHandles(tensors.outputs);
      const Later<ExecuteArgs> run(
          conformance::MakeExecuteArgs(inputs, outputs, running.state.get()));
      ExpectStatus(session, "Execute", running.workload->Execute(run), Status::kSuccess,
                   "kSuccess, as with the size of this version");
    }
    if (sample.made.descriptor_bytes.size() <= sizeof(BaseDescriptor)) continue;
    if (session.Begin("gives a descriptor with a larger size, as a later host does, for " +
                      DescribeLayer(sample.made))) {
      Sample later = sample;
      const auto size = static_cast<std::uint32_t>(later.made.descriptor_bytes.size() + 16);
      later.made.descriptor_bytes.resize(size, 0x77);
      std::memcpy(later.made.descriptor_bytes.data(), &size, sizeof(size));
      const Answer answer = AskWhetherSupported(*plugin.GetSupport(), later.made);
      if (session.Expect(answer.is_supported, "no, with \"" + answer.reason + "\"",
                         "yes, as with the size of this version: what is behind is not to be "
                         "read")) {
        MakeAndRun(session, later);
      }
    }
  }
}

void CheckNullIsTaken(Session& session) {
  Plugin& plugin = session.GetPlugin();
  for (const Sample& sample : MakeFewSamples(session, 4)) {
    if (session.Begin("asks for " + DescribeLayer(sample.made) +
                      " with a context and a model context that are null")) {
      const auto support = plugin.GetBackend().GetLayerSupport(LayerSupportArgs());
      session.Expect(support != nullptr, "GetLayerSupport gave null",
                     "an answer without a context");
      if (support != nullptr) AskWhetherSupported(*support, sample.made);
    }
    if (session.Begin("asks for " + DescribeLayer(sample.made) + " with the empty name \"\"")) {
      const conformance::LayerQuestion question(sample.made);
      LayerSupportQuery query = question.Get();
      query.layer_name = "";
      std::string reason;
      session.Expect(plugin.GetSupport()->IsLayerSupported(query, reason),
                     "no, with \"" + EscapeForDisplay(reason) + "\"",
                     "yes, as with a name: names are for messages");
    }
  }
}

void CheckOptionsCanBeSet(Session& session) {
  Plugin& plugin = session.GetPlugin();
  const std::vector<BackendOption> settings = ListSettings(plugin.GetBackend().GetOptionSchemas());
  const std::vector<Sample> samples = MakeFewSamples(session, 1);
  if (samples.empty()) return;
  if (session.Begin("makes a workload factory without options")) MakeAndRun(session, samples[0]);
  for (const BackendOption& setting : settings) {
    if (!session.Begin("makes a context and a network with the option " +
                       EscapeForDisplay(setting.name + "=" + ToText(setting.value)))) {
      continue;
    }
    const BackendOptions options(plugin.GetId(), {setting});
    BackendContextArgs context_args = plugin.MakeContextArgs();
    context_args.options = &options;
    std::unique_ptr<IBackendContext> context;
    try {
      context = plugin.GetBackend().CreateBackendContext(context_args);
    } catch (const BackendUnavailableException&) {
      continue;  // with this option it cannot work on this machine
    }
    WorkloadFactoryArgs args = plugin.MakeFactoryArgs();
    args.options = &options;
    args.context = context.get();
    auto factory = plugin.GetBackend().CreateWorkloadFactory(args);
    if (factory == nullptr) throw std::runtime_error("CreateWorkloadFactory gave null");
    const Running running =
        MakeRunning(std::move(factory), conformance::LayerWorkloadArgs(samples[0].made).Get());
    ExpectRightRun(session, running, samples[0]);
  }
}

void CheckProfilingIsSound(Session& session) {
  Plugin& plugin = session.GetPlugin();
  NoProfiling sink;
  ProfilingContextArgs args;
  args.profiling = &sink;
  args.context = plugin.GetContext();
  args.logger = &plugin.GetLogger();
  const auto profiling = plugin.GetBackend().CreateBackendProfilingContext(args);
  if (profiling == nullptr) return session.Skip("it has no profiling context");
  if (session.Begin("lists the counters, and activates one that there is not, all, and none")) {
    CheckCounters(session, *profiling);
  }
  if (session.Begin("turns the timeline on and off")) {
    ExpectStatus(session, "SetTimeline to turn the timeline on",
                 profiling->SetTimeline(ProfilingState::kOn), Status::kSuccess, "kSuccess");
    ExpectStatus(session, "SetTimeline to turn the timeline off",
                 profiling->SetTimeline(ProfilingState::kOff), Status::kSuccess, "kSuccess");
  }
}

void CheckContextsAreToldOfNetworks(Session& session) {
  Plugin& plugin = session.GetPlugin();
  if (plugin.GetContext() == nullptr) return session.Skip("it has no context");
  const BackendContextArgs args = plugin.MakeContextArgs();
  const auto expect = [&](const char* call, Status status) {
    ExpectStatus(session, call, status, Status::kSuccess, "kSuccess");
  };
  if (session.Begin("tells two contexts of networks that are loaded and unloaded")) {
    const auto one = plugin.GetBackend().CreateBackendContext(args);
    const auto two = plugin.GetBackend().CreateBackendContext(args);
    NetworkEvent event;
    event.network_id = 1;
    for (IBackendContext* context : {one.get(), two.get()}) {
      expect("BeforeLoadNetwork", context->BeforeLoadNetwork(event));
      expect("AfterLoadNetwork", context->AfterLoadNetwork(event));
    }
    for (IBackendContext* context : {one.get(), two.get()}) {
      expect("BeforeUnloadNetwork", context->BeforeUnloadNetwork(event));
      expect("AfterUnloadNetwork", context->AfterUnloadNetwork(event));
    }
  }
  if (session.Begin(
          "tells a context of a network that could not be loaded, and then of the next")) {
    const auto context = plugin.GetBackend().CreateBackendContext(args);
    NetworkEvent event;
    event.network_id = 1;
    expect("BeforeLoadNetwork", context->BeforeLoadNetwork(event));
    event.outcome = Status::kFailure;
    static_cast<void>(context->AfterLoadNetwork(event));
    event = NetworkEvent();
    event.network_id = 2;
    expect("BeforeLoadNetwork", context->BeforeLoadNetwork(event));
    expect("AfterLoadNetwork", context->AfterLoadNetwork(event));
    expect("BeforeUnloadNetwork", context->BeforeUnloadNetwork(event));
    expect("AfterUnloadNetwork", context->AfterUnloadNetwork(event));
  }
  if (session.Begin("makes a context that is told of nothing, and destroys it")) {
    plugin.GetBackend().CreateBackendContext(args);
  }
}

void CheckLibraryIsUnloaded(Session& session) {
  if (!session.Begin("closes the library")) return;
  session.GetPlugin();
  session.ClosePlugin();
  session.Expect(!IsMapped(session.GetPath()), "the library is still in memory",
                 "that it is gone: unique symbols (-fno-gnu-unique), thread-local destructors and "
                 "-z nodelete keep it there");
}

}  // namespace backplane::check_backend
