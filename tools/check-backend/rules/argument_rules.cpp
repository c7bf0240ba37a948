// What calls may be given: structs of a later version, null, and every option.

#include "harness/descriptor_text.hpp"
#include "harness/expectations.hpp"
#include "harness/host_tensors.hpp"
#include "harness/session.hpp"

#include <backplane/api/run_arguments.hpp>
#include <backplane/host/capabilities.hpp>
#include <backplane/host/contexts.hpp>
#include <backplane/host/diagnostic.hpp>
#include <backplane/host/workload_call.hpp>

#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace backplane::check_backend {
namespace {

/// As a host of a later minor version has it: with fields behind those that are known here.
template <typename Args>
struct Later : Args {
  explicit Later(const Args& args) : Args(args) { this->size_bytes = sizeof(Later); }
  std::uint64_t later[8] = {1, 2, 3, 4, 5, 6, 7, 8};
};

/// A run as such a host hands it over: arguments, scope, run and views are longer.
class LaterRun {
 public:
  /// All that the arguments point to outlives it.
  LaterRun(const bp_run_args& args, const bp_scope& scope)
      : scope_(scope), run_(*args.run), args_(args) {
    args_.scope = &scope_;
    args_.run = &run_;
    for (std::uint32_t i = 0; i < args.num_inputs; ++i) Add(args.inputs[i]);
    for (std::uint32_t i = 0; i < args.num_outputs; ++i) Add(args.outputs[i]);
    args_.inputs = tensors_.data();
    args_.outputs = tensors_.data() + args.num_inputs;
  }
  LaterRun(const LaterRun&) = delete;
  LaterRun& operator=(const LaterRun&) = delete;

  const bp_run_args& Get() const { return args_; }

 private:
  void Add(bp_tensor tensor) {
    if (tensor.view != nullptr) tensor.view = &views_.emplace_back(*tensor.view);
    tensors_.push_back(tensor);
  }

  Later<bp_scope> scope_;
  Later<bp_run_info> run_;
  std::deque<Later<bp_view>> views_;
  std::vector<bp_tensor> tensors_;
  Later<bp_run_args> args_;
};

/// Calls `use(call, args)` for a run by the backend's own table, as a runtime copies structs.
template <typename Use>
void RunByTable(Session& session, const Sample& sample, const Use& use) {
  Plugin& plugin = session.GetPlugin();
  Running running = MakeRunning(plugin, sample.made);
  const bool is_compared = IsRightElsewhere(running, sample);
  const WorkloadCall call(PluginObject<IWorkload>(std::move(running.workload), plugin.GetOrigin()));
  const HostTensors tensors(sample, GuardedSide::kBehind, 0);
  RunArguments args(GetHandles(tensors.inputs), GetHandles(tensors.outputs), running.state.get());
  args.Get().scope = call.GetScope();
  use(call, args);
  if (is_compared) ExpectRight(session, sample, tensors.ReadOutputs());
}

void ExpectLaterRun(Session& session, const Sample& sample) {
  RunByTable(session, sample, [&](const WorkloadCall& call, RunArguments& args) {
    const LaterRun run(args.Get(), *call.GetScope());
    ExpectStatus(session, "Execute", call(run.Get()).GetOrThrow(), Status::kSuccess,
                 "kSuccess, as with the size of this version: what is behind is not to be read");
  });
}

/// A run that is to end before it begins, and then one that is not.
void ExpectStoppedRun(Session& session, const Sample& sample, const std::uint32_t* stop,
                      std::uint64_t deadline_ns) {
  RunByTable(session, sample, [&](const WorkloadCall& call, RunArguments& args) {
    args.GetRun().stop = stop;
    args.GetRun().deadline_ns = deadline_ns;
    auto stopped = call(args.Get());
    if (stopped.value == Status::kCancelled) stopped.failure = nullptr;  // it may say why
    ExpectStatus(session, "Execute", stopped.GetOrThrow(), Status::kCancelled,
                 "kCancelled: the run is to end");
    args.GetRun().stop = nullptr;
    args.GetRun().deadline_ns = 0;
    ExpectStatus(session, "Execute", call(args.Get()).GetOrThrow(), Status::kSuccess,
                 "kSuccess: the run before was to end, this one is not");
  });
}

/// Every option with its default, the ends of its range, and each allowed string.
std::vector<BackendOption> ListSettings(const std::vector<OptionSchema>& schemas) {
  std::vector<BackendOption> settings;
  for (const OptionSchema& schema : schemas) {
    settings.emplace_back(schema.name, schema.default_value);
    if (schema.has_range != 0) {
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

}  // namespace

void CheckLaterStructsAreTaken(Session& session) {
  Plugin& plugin = session.GetPlugin();
  for (const Sample& sample : MakeFewSamples(session, 8)) {
    if (session.Begin("gives structs with a larger size, as a later host does, for " +
                      DescribeLayer(sample.made))) {
      ExpectLaterRun(session, sample);
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

void CheckStoppedRunsEnd(Session& session) {
  if (!session.GetPlugin().HasCapability(kCapabilityStop)) {
    return session.Skip("it does not state the capability Stop");
  }
  const std::uint32_t stop = 1;
  for (const Sample& sample : MakeFewSamples(session, 4)) {
    const std::string layer = DescribeLayer(sample.made);
    if (session.Begin("runs " + layer + " with a stop word that is 1, and again without one")) {
      ExpectStoppedRun(session, sample, &stop, 0);
    }
    if (session.Begin("runs " + layer +
                      " with a deadline that has passed, and again without one")) {
      ExpectStoppedRun(session, sample, nullptr, 1);
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
    } catch (const DiagnosticException& exception) {
      if (!IsOwnUnavailability(exception.GetDiagnostic())) throw;
      continue;  // with this option it cannot work on this machine
    }
    WorkloadFactoryArgs args = plugin.MakeFactoryArgs();
    args.options = &options;
    args.context = context.get();
    const Running running = MakeRunning(plugin.MakeFactory(args),
                                        conformance::LayerWorkloadArgs(samples[0].made).Get());
    ExpectRightRun(session, running, samples[0]);
  }
}

}  // namespace backplane::check_backend
