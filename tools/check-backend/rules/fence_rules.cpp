// Work that has not finished when Execute returns.

#include "harness/descriptor_text.hpp"
#include "harness/expectations.hpp"
#include "harness/fenced_run.hpp"
#include "harness/host_tensors.hpp"
#include "harness/run_code.hpp"
#include "harness/session.hpp"

#include <backplane/api/run_arguments.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace backplane::check_backend {
namespace {

using conformance::StoredTensor;

constexpr char kNotBefore[] =
    "that work which waits for a fence has not finished before the fence has passed";

/// Two workloads of one factory, which makes both before the state.
struct Pair {
  Running running;
  std::unique_ptr<IWorkload> second;
};

Pair MakePair(const Plugin& plugin, const TensorPlace& place, const conformance::TestLayer& layer) {
  const std::string& id = place.GetId();
  Pair pair;
  pair.running.factory = plugin.MakeFactory();
  pair.running.workload = MakeWorkloadOfKinds(*pair.running.factory, layer, id, id);
  pair.second = MakeWorkloadOfKinds(*pair.running.factory, layer, id, id);
  pair.running.state = pair.running.factory->CreateExecutionState();
  return pair;
}

/// One workload of a backend with fences, and where its tensors lie.
struct FencedLayer {
  FencedLayer(Plugin& of, const TensorPlace& where, const Sample& what)
      : plugin(of), place(where), sample(what), running(where.MakeRunning(what.made)) {}

  /// Tensors that stay until the workload and its state are gone, which a backend whose fences are
  /// wrong may have work for until then.
  const PlacedTensors& MakeTensors(const Sample& of) const {
    tensors.push_back(std::make_unique<PlacedTensors>(plugin, place, of));
    return *tensors.back();
  }

  /// The workload that a factory makes second instead: backends may hand over several kinds of
  /// fences.
  void TakeSecondWorkload() {
    Pair pair = MakePair(plugin, place, sample.made);
    running = std::move(pair.running);
    first = std::exchange(running.workload, std::move(pair.second));
  }

  Plugin& plugin;
  const TensorPlace& place;
  const Sample& sample;
  mutable std::vector<std::unique_ptr<PlacedTensors>> tensors;
  Running running;
  std::unique_ptr<IWorkload> first;
};

/// False: the rule was skipped.
bool HandsOverFences(Session& session, const TensorPlace& place) {
  if (!session.GetPlugin().HasCapability(kCapabilityFences)) {
    session.Skip("it does not state the capability Fences");
    return false;
  }
  if (!place.IsUsable()) {
    session.Skip("its workloads take no tensors that the CPU can read and write");
    return false;
  }
  return true;
}

/// Whether a run without fences gives what it should, if later than it should; when not, BC0301 or
/// BC0423 says so.
bool IsRightWithoutFences(const FencedLayer& layer, const Sample& sample) {
  constexpr std::chrono::milliseconds kAMoment{50};
  const PlacedTensors& tensors = layer.MakeTensors(sample);
  const Status status =
      conformance::Execute(*layer.running.workload, GetHandles(tensors.inputs),
                           GetHandles(tensors.outputs), layer.running.state.get());
  if (status != Status::kSuccess) return false;
  if (FindWrongResult(sample, tensors.ReadOutputs()).empty()) return true;
  std::this_thread::sleep_for(kAMoment);
  return FindWrongResult(sample, tensors.ReadOutputs()).empty();
}

std::string GetFenceSteps() {
  return R"(  const int event = eventfd(0, 0);
  FenceView wait{FenceKind::kEventFd, event, 0, {}};
  FenceView completion;
  RunArguments args(input_handles, output_handles, state.get());
  args.SetWaitFences(&wait, 1);
  args.SetCompletion(&completion);
  std::thread thread([&] {
    std::printf("status: %s\n", GetStatusText(workload->Execute(args.Show())));
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  std::printf("before the event: completion kind %u\n", static_cast<unsigned>(completion.kind));
  eventfd_write(event, 1);
  thread.join();
  std::printf("after the event: completion kind %u\n", static_cast<unsigned>(completion.kind));
  if (completion.kind == FenceKind::kOpaque) {
    std::printf("waited: %s\n", GetStatusText(factory->WaitForFence(completion, 1000000000)));
  } else {
    std::this_thread::sleep_for(std::chrono::seconds(1));
  }
  show();
)";
}

/// Calls `check(layer)` for a few layers, each a case.
template <typename Check>
void ForEachFencedLayer(Session& session, const std::string& what, const Check& check) {
  const TensorPlace place(session.GetPlugin());
  if (!HandsOverFences(session, place)) return;
  const std::vector<Sample> samples = MakeSamplesAnywhere(session, 1);
  const std::size_t wanted = session.IsQuick() ? 2 : 5;
  const std::size_t step = std::max<std::size_t>(samples.size() / wanted, 1);
  for (std::size_t i = session.GetSeed() % step; i < samples.size(); i += step) {
    const Sample& sample = samples[i];
    if (!session.Begin("runs " + DescribeLayer(sample.made) + what)) continue;
    if (session.WantsCode() && place.IsHost()) {
      session.SetCode("#include <sys/eventfd.h>\n#include <chrono>\n#include <thread>\n" +
                      WriteRunProgram(session.GetPath(), sample, GetFenceSteps()));
    }
    WatchFaults(session.GetRecord());
    FencedLayer layer(session.GetPlugin(), place, sample);
    if (i / step % 2 == 1) layer.TakeSecondWorkload();
    if (IsRightWithoutFences(layer, sample)) check(layer);
  }
}

Status AwaitEnd(Session& session, FencedRun& run) {
  if (!run.AwaitEndForSeconds()) {
    session.Report("its fence, " + DescribeFence(run.GetFence()) +
                       ", had not passed 10 s after all that the run waited for",
                   "that it passes when the work has finished");
  }
  return run.AwaitEnd();
}

bool ExpectUnfinished(Session& session, const FencedRun& run, const std::string& which) {
  run.Linger();
  const std::string finished = run.FindFinished();
  return session.Expect(finished.empty(), finished + " while " + which + " had not passed",
                        kNotBefore);
}

/// Where the CPU can write the inputs while a run has their handles. Empty: not all of them.
std::vector<MemoryView> ListSharedInputs(const PlacedTensors& tensors) {
  std::vector<MemoryView> views;
  for (const auto& input : tensors.inputs) {
    const auto view = input->GetSharedView();
    if (!view) return {};
    views.push_back(*view);
  }
  return views;
}

void ExpectResultsOf(Session& session, const Sample& changed, const Sample& before,
                     const std::vector<StoredTensor>& outputs) {
  const std::string wrong = FindWrongResult(changed, outputs);
  if (wrong.empty()) return;
  const bool is_early = FindWrongResult(before, outputs).empty();
  session.Report(
      is_early ? "the outputs are those of what the inputs held before the fence passed" : wrong,
      is_early ? "those of what the inputs held when it passed" : kExpectedResult);
}

void CheckWaits(Session& session, const FencedLayer& layer, Completion completion) {
  const Sample other = ChangeInputs(layer.sample, session.GetSeed() + 1);
  const bool is_known = IsRightWithoutFences(layer, other);
  const PlacedTensors& tensors = layer.MakeTensors(layer.sample);
  const std::vector<MemoryView> shared = ListSharedInputs(tensors);
  const Sample& changed = is_known && !shared.empty() ? other : layer.sample;
  const Event event;
  FencedRun run(*layer.running.factory, *layer.running.workload, layer.running.state.get(), tensors,
                {&event}, completion);
  ExpectUnfinished(session, run, "the fence that it was given, an eventfd,");
  // Work that has begun will read them.
  for (std::size_t i = 0; &changed == &other && i < shared.size(); ++i) {
    CopyToView(other.inputs[i], shared[i]);
  }
  event.Give();
  if (!ExpectSuccess(session, run.AwaitReturn())) return;
  if (!FindFenceFault(run.GetFence()).empty()) return;  // which BC0805 says
  ExpectSuccess(session, AwaitEnd(session, run));
  ExpectResultsOf(session, changed, layer.sample, tensors.ReadOutputs());
}

}  // namespace

void CheckFencesAreWaitedFor(Session& session) {
  ForEachFencedLayer(
      session, " with a fence to wait for, and inputs that are written before it passes",
      [&](const FencedLayer& layer) { CheckWaits(session, layer, Completion::kAsked); });
}

void CheckWorkHasFinishedOnReturn(Session& session) {
  ForEachFencedLayer(
      session, " with a fence to wait for, and without asking for one",
      [&](const FencedLayer& layer) { CheckWaits(session, layer, Completion::kNotAsked); });
}

void CheckAllFencesAreWaitedFor(Session& session) {
  ForEachFencedLayer(session, " with four fences to wait for, which pass one after the other",
                     [&](const FencedLayer& layer) {
                       const PlacedTensors& tensors = layer.MakeTensors(layer.sample);
                       const Event events[4];
                       events[1].Give();  // before the run
                       FencedRun run(*layer.running.factory, *layer.running.workload,
                                     layer.running.state.get(), tensors,
                                     {&events[0], &events[1], &events[2], &events[3]},
                                     Completion::kAsked);
                       for (const std::size_t next : {3U, 0U, 2U}) {
                         const std::string which = "fence " + std::to_string(next) + " of the four";
                         if (!ExpectUnfinished(session, run, which)) break;
                         events[next].Give();
                       }
                       for (const Event& event : events) event.Give();
                       if (!ExpectSuccess(session, AwaitEnd(session, run))) return;
                       if (!FindFenceFault(run.GetFence()).empty()) return;  // which BC0805 says
                       ExpectRight(session, layer.sample, tensors.ReadOutputs());
                     });
}

// ---- one after the other

namespace {

bool CanFollowItself(const Sample& sample) {
  const auto& made = sample.made;
  return !made.inputs.empty() && made.inputs[0] == made.outputs[0] &&
         conformance::FindOwn(sample.layer.own_inputs, 0) == nullptr;
}

/// The second run reads what the first one writes, and gets its fence.
void CheckFollows(Session& session, const FencedLayer& layer) {
  const PlacedTensors& first = layer.MakeTensors(layer.sample);
  const PlacedTensors& second = layer.MakeTensors(layer.sample);
  const Pair pair = MakePair(layer.plugin, layer.place, layer.sample.made);
  const Running& running = pair.running;
  const Event event;
  FencedRun begin(*running.factory, *running.workload, running.state.get(), first, {&event},
                  Completion::kAsked);
  begin.Linger();
  // One that waits in Execute hands over nothing.
  if (!begin.HasReturned()) event.Give();
  if (!ExpectSuccess(session, begin.AwaitReturn())) return;
  if (begin.GetFence().kind == FenceKind::kNone || !FindFenceFault(begin.GetFence()).empty()) {
    return;
  }
  FenceView completion;
  std::vector<ITensorHandle*> inputs = GetHandles(second.inputs);
  inputs[0] = first.outputs[0]->GetHandle();
  RunArguments args(inputs, GetHandles(second.outputs), running.state.get());
  args.SetWaitFences(&begin.GetFence(), 1);
  args.SetCompletion(&completion);
  // It may wait in Execute too.
  std::thread giver([&] {
    begin.Linger();
    event.Give();
  });
  Status status = Status::kFailure;
  try {
    status = pair.second->Execute(args.Show());
  } catch (...) {
    giver.join();
    throw;
  }
  giver.join();
  if (!ExpectSuccess(session, status)) return;
  AwaitFence(*running.factory, completion);
  ExpectSuccess(session, AwaitEnd(session, begin));
  Sample follower = layer.sample;
  follower.inputs[0] = first.outputs[0]->Read();
  ExpectRight(session, follower, second.ReadOutputs(), "in the second run",
              "the result for what the first run wrote, whose fence the second was given");
}

}  // namespace

void CheckOwnFencesAreWaitedFor(Session& session) {
  const TensorPlace place(session.GetPlugin());
  if (!HandsOverFences(session, place)) return;
  std::size_t left = session.IsQuick() ? 2 : 6;
  for (const Sample& sample : MakeSamplesAnywhere(session, 2)) {
    if (!CanFollowItself(sample) || left == 0) continue;
    if (!session.Begin("runs " + DescribeLayer(sample.made) +
                       " twice, the second time with the output of the first and its fence")) {
      continue;
    }
    --left;
    const FencedLayer layer(session.GetPlugin(), place, sample);
    if (IsRightWithoutFences(layer, sample)) CheckFollows(session, layer);
  }
  if (!session.HasCases()) {
    session.Skip("it supports no operator whose output can be its input again");
  }
}

// ---- what is handed over

namespace {

void CheckForeignFence(Session& session, const FencedLayer& layer, const FenceView& fence) {
  FenceView foreign = fence;
  foreign.token ^= 0x9E3779B97F4A7C15U;
  ExpectStatus(
      session,
      "WaitForFence with the token " + std::to_string(foreign.token) + ", which no fence had,",
      layer.running.factory->WaitForFence(foreign, 0), Status::kInvalidArgument,
      "kInvalidArgument for a fence that is not this backend's");
}

void CheckCompletion(Session& session, const FencedLayer& layer, Completion completion) {
  const PlacedTensors& tensors = layer.MakeTensors(layer.sample);
  FencedRun run(*layer.running.factory, *layer.running.workload, layer.running.state.get(), tensors,
                {}, completion);
  if (!ExpectSuccess(session, run.AwaitReturn())) return;
  const FenceView fence = run.GetFence();
  const std::string fault = FindFenceFault(fence);
  if (!session.Expect(fault.empty(), fault,
                      "kNone, kOpaque, or an open descriptor of kSyncFile or kEventFd")) {
    return;
  }
  ExpectSuccess(session, AwaitEnd(session, run));
  ExpectRight(session, layer.sample, tensors.ReadOutputs(),
              "when " + DescribeFence(fence) + " had passed");
  if (fence.kind == FenceKind::kOpaque) CheckForeignFence(session, layer, fence);
}

}  // namespace

void CheckFencesPassWhenWorkHasFinished(Session& session) {
  ForEachFencedLayer(
      session, " and waits for the fence that it gives", [&](const FencedLayer& layer) {
        for (const Completion completion : {Completion::kAsked, Completion::kOfAnyKind,
                                            Completion::kOfOpenKinds, Completion::kOfOpenKinds}) {
          CheckCompletion(session, layer, completion);
        }
      });
}

namespace {

/// The fence of one workload while another runs with the same state.
void CheckStays(Session& session, const FencedLayer& layer) {
  const PlacedTensors& first = layer.MakeTensors(layer.sample);
  const PlacedTensors& second = layer.MakeTensors(layer.sample);
  const Pair pair = MakePair(layer.plugin, layer.place, layer.sample.made);
  const Running& running = pair.running;
  const Event event;
  event.Give();
  FencedRun run(*running.factory, *running.workload, running.state.get(), first, {&event},
                Completion::kOfOpenKinds);
  if (!ExpectSuccess(session, AwaitEnd(session, run))) return;
  if (!FindFenceFault(run.GetFence()).empty()) return;  // which BC0805 says
  session.Expect(event.HasPassed(), "the eventfd that it waited for is not readable any more",
                 "that it stays readable: others wait for the same fence");
  const FenceView fence = run.GetFence();
  const Event later;
  FencedRun second_run(*running.factory, *pair.second, running.state.get(), second, {&later},
                       Completion::kOfOpenKinds);
  second_run.Linger();
  const std::string fault = FindFenceFault(fence);
  const bool has_passed = fault.empty() && HasFencePassed(*running.factory, fence);
  session.Expect(has_passed,
                 "its fence, " + DescribeFence(fence) + ", " +
                     (fault.empty() ? "had not passed any more" : "was closed") +
                     " while another workload ran with the state",
                 "that it stays as it is until the same workload runs again with the state");
  later.Give();
  ExpectSuccess(session, AwaitEnd(session, second_run));
}

}  // namespace

void CheckFencesStay(Session& session) {
  ForEachFencedLayer(session, ", and another workload with the same state",
                     [&](const FencedLayer& layer) { CheckStays(session, layer); });
}

// ---- states

void CheckRunsWithFencesGoOnAtOnce(Session& session) {
  ForEachFencedLayer(session, " twice at once, with two states and two fences to wait for",
                     [&](const FencedLayer& layer) {
                       const Sample other = ChangeInputs(layer.sample, session.GetSeed() + 1);
                       if (!IsRightWithoutFences(layer, other)) return;
                       const PlacedTensors& first = layer.MakeTensors(layer.sample);
                       const PlacedTensors& second = layer.MakeTensors(other);
                       const auto state = layer.running.factory->CreateExecutionState();
                       const Event events[2];
                       FencedRun begin(*layer.running.factory, *layer.running.workload,
                                       layer.running.state.get(), first, {&events[0]},
                                       Completion::kAsked);
                       FencedRun follow(*layer.running.factory, *layer.running.workload,
                                        state.get(), second, {&events[1]}, Completion::kAsked);
                       follow.Linger();
                       events[1].Give();
                       ExpectUnfinished(session, begin, "the fence of the first run");
                       events[0].Give();
                       ExpectSuccess(session, AwaitEnd(session, begin));
                       ExpectSuccess(session, AwaitEnd(session, follow));
                       if (!FindFenceFault(begin.GetFence()).empty()) return;
                       if (!FindFenceFault(follow.GetFence()).empty()) return;
                       ExpectRight(session, layer.sample, first.ReadOutputs(), "in the first run");
                       ExpectRight(session, other, second.ReadOutputs(), "in the second run");
                     });
}

void CheckStatesGoAfterTheirFences(Session& session) {
  ForEachFencedLayer(session,
                     " with a state that is destroyed when its fence has passed, and with another",
                     [&](const FencedLayer& layer) {
                       for (const char* const which : {"in the first run", "with another state"}) {
                         const PlacedTensors& tensors = layer.MakeTensors(layer.sample);
                         auto state = layer.running.factory->CreateExecutionState();
                         {
                           FencedRun run(*layer.running.factory, *layer.running.workload,
                                         state.get(), tensors, {}, Completion::kAsked);
                           if (!ExpectSuccess(session, AwaitEnd(session, run))) return;
                           if (!FindFenceFault(run.GetFence()).empty())
                             return;  // which BC0805 says
                         }
                         state.reset();
                         ExpectRight(session, layer.sample, tensors.ReadOutputs(), which);
                       }
                     });
}

}  // namespace backplane::check_backend
