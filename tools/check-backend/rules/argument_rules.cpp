// What calls may be given: structs of a later version, null, and every option.

#include "harness/descriptor_text.hpp"
#include "harness/expectations.hpp"
#include "harness/host_tensors.hpp"
#include "harness/session.hpp"

#include <backplane/host/capabilities.hpp>
#include <backplane/host/diagnostic.hpp>

#include <cstring>
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
      const conformance::LayerQuestion question(sample.made);
      const Later<LayerSupportQuery> query(question.Get());
      std::string reason;
      const auto support =
          plugin.GetBackend().GetLayerSupport(Later<LayerSupportArgs>(plugin.MakeSupportArgs()));
      const bool is_supported = support != nullptr && support->IsLayerSupported(query, reason);
      session.Expect(is_supported, "no, with \"" + reason + "\"",
                     "yes, as with the size of this version: what is behind is not to be read");
      auto factory = plugin.MakeFactory(Later<WorkloadFactoryArgs>(plugin.MakeFactoryArgs()));
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
    const Running running = MakeRunning(plugin.MakeFactory(args),
                                        conformance::LayerWorkloadArgs(samples[0].made).Get());
    ExpectRightRun(session, running, samples[0]);
  }
}

}  // namespace backplane::check_backend
