// Workloads on tensors in the kinds of memory that the backend registers.

#include "harness/descriptor_text.hpp"
#include "harness/expectations.hpp"
#include "harness/host_tensors.hpp"
#include "harness/session.hpp"
#include "rules/tensors_in_one_block.hpp"

namespace backplane::check_backend {
namespace {

/// Calls `check(place, sample)` for some samples in each kind of its own that its workloads take
/// and the CPU reaches, each a case.
template <typename Check>
void ForEachSampleInItsKinds(Session& session, const std::string& how, const Check& check) {
  if (session.GetPlugin().RegisterMemory().factories.empty()) return session.Skip(kNoKinds);
  const std::vector<Sample> samples = MakeSamplesAnywhere(session, session.IsQuick() ? 1 : 3);
  ForEachPlace(session, [&](const TensorPlace& place) {
    for (const Sample& sample : samples) {
      if (!session.Begin("runs " + DescribeLayer(sample.made) + " with tensors of " +
                         place.GetId() + ", " + how)) {
        continue;
      }
      check(place, sample);
    }
  });
  if (session.HasCases() || samples.empty()) return;
  session.Skip(
      "its workloads take no kind of its own tensor memory that the CPU can read and write");
}

/// False: BC0301 says what is wrong. Nothing is known when workloads do not take memory of the
/// host.
bool IsRightInMemoryOfTheHost(Session& session, const Sample& sample) {
  Plugin& plugin = session.GetPlugin();
  if (!TensorPlace(plugin).IsHost()) return true;
  return IsRightElsewhere(MakeRunning(plugin, sample.made), sample);
}

void CheckSampleIn(Session& session, const TensorPlace& place, const Sample& sample) {
  // The tensors stay until the workload and its state are gone.
  const TensorsInOneBlock tensors(session.GetPlugin(), place, sample);
  const Running running = place.MakeRunning(sample.made);
  if (!ExpectSuccess(session, tensors.Run(running))) return;
  const std::string wrong = FindWrongResult(sample, tensors.ReadOutputs());
  if (!wrong.empty() && !IsRightInMemoryOfTheHost(session, sample)) return;
  session.Expect(wrong.empty(), wrong, kExpectedResult);
  const std::string changed = tensors.FindChangedInput(sample);
  session.Expect(changed.empty(), changed, "that inputs are only read");
  ExpectNoDamage(session, tensors.DescribeDamage());
}

void CheckTwoPlaces(Session& session, const TensorPlace& place, const Sample& sample) {
  Plugin& plugin = session.GetPlugin();
  auto first = std::make_unique<TensorsInOneBlock>(plugin, place, sample);
  const Sample changed = ChangeInputs(sample, session.GetSeed() + 1);
  const TensorsInOneBlock second(plugin, place, changed);
  const Running running = place.MakeRunning(sample.made);
  if (first->Run(running) != Status::kSuccess) return;  // which BC0423 says
  if (!FindWrongResult(sample, first->ReadOutputs()).empty()) return;
  first.reset();
  if (!ExpectSuccess(session, second.Run(running))) return;
  const std::string wrong = FindWrongResult(changed, second.ReadOutputs());
  if (!wrong.empty() && !IsRightAfresh(session, place, changed)) return;
  session.Expect(wrong.empty(), "in the second run, " + wrong,
                 "what the operator means for the inputs that the run is given, as in the first");
}

}  // namespace

void CheckResultsAreRightInItsKinds(Session& session) {
  ForEachSampleInItsKinds(session, "one behind the other",
                          [&](const TensorPlace& place, const Sample& sample) {
                            CheckSampleIn(session, place, sample);
                          });
}

void CheckTensorsAreAskedForInItsKinds(Session& session) {
  ForEachSampleInItsKinds(session, "and again with others",
                          [&](const TensorPlace& place, const Sample& sample) {
                            CheckTwoPlaces(session, place, sample);
                          });
}

// ---- in place

namespace {

void CheckInPlaceIn(Session& session, const TensorPlace& place, const Sample& sample,
                    std::size_t overwritten) {
  Plugin& plugin = session.GetPlugin();
  const Kind& kind = place.GetKind();
  const PlacedTensors elsewhere(plugin, place, sample);
  const TensorInfo& info = sample.made.inputs[overwritten];
  const KindBlock block(kind, AskRequirements(kind, info, sample.made.type), "the block");
  KindTensor input(plugin, kind, place.GetReach(), info, sample.made.type, "the input",
                   {&block, 0});
  KindTensor output(plugin, kind, place.GetReach(), sample.made.outputs[0], sample.made.type,
                    "the output", {&block, 0});
  const Running running = place.MakeRunning(sample.made);
  Status status = conformance::Execute(*running.workload, GetHandles(elsewhere.inputs),
                                       GetHandles(elsewhere.outputs), running.state.get());
  if (status != Status::kSuccess) return;  // which BC0423 says
  if (!FindWrongResult(sample, elsewhere.ReadOutputs()).empty()) return;
  input.Write(sample.inputs[overwritten]);
  std::vector<ITensorHandle*> inputs = GetHandles(elsewhere.inputs);
  inputs[overwritten] = input.GetHandle();
  status =
      conformance::Execute(*running.workload, inputs, {output.GetHandle()}, running.state.get());
  if (!ExpectSuccess(session, status)) return;
  ExpectRight(session, sample, {output.Read()}, "in place of input " + std::to_string(overwritten),
              "the same as with the output elsewhere, which is right");
}

bool WorksInPlace(const TensorPlace& place) {
  const TensorHandleFactoryProperties& properties = place.GetKind().GetProperties();
  // Imported tensors are not overwritten, and others cannot lie in one place.
  return properties.supports_in_place != 0 && properties.owns_memory == 0 &&
         place.GetReach() != Reach::kImport;
}

}  // namespace

void CheckWorksInPlaceInItsKinds(Session& session) {
  bool has_kinds = false;
  ForEachPlace(session, [&](const TensorPlace& place) {
    if (!WorksInPlace(place)) return;
    has_kinds = true;
    for (const Sample& sample : MakeSamplesAnywhere(session, session.IsQuick() ? 2 : 6)) {
      for (std::size_t input = 0; input < sample.made.inputs.size(); ++input) {
        if (!MayOverwrite(sample, input)) continue;
        if (!session.Begin("runs " + DescribeLayer(sample.made) + " with tensors of " +
                           place.GetId() + ", with the output where input " +
                           std::to_string(input) + " lies")) {
          continue;
        }
        CheckInPlaceIn(session, place, sample, input);
      }
    }
  });
  if (session.HasCases()) return;
  session.Skip(has_kinds ? kNothingOverwritten
                         : "none of the kinds of its own tensor memory that its workloads take "
                           "states supports_in_place");
}

}  // namespace backplane::check_backend
