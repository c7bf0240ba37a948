// Memory that is refused.

#include "harness/descriptor_text.hpp"
#include "harness/expectations.hpp"
#include "harness/failing_new.hpp"
#include "harness/host_tensors.hpp"
#include "harness/session.hpp"

#include <backplane/api/run_arguments.hpp>

#include <functional>
#include <string>

namespace backplane::check_backend {
namespace {

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
  const RunArguments run(GetHandles(tensors.inputs), GetHandles(tensors.outputs),
                         running.state.get());
  num_refused +=
      RefuseEach(session, [&] { static_cast<void>(running.workload->Execute(run.Show())); });
  ExpectRightRun(session, running, sample, "that it works when there is memory again");
  return num_refused;
}

}  // namespace

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

}  // namespace backplane::check_backend
