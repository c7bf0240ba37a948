#include "harness/samples.hpp"

#include "harness/expectations.hpp"
#include "harness/host_tensors.hpp"
#include "harness/session.hpp"

#include <backplane/api/layer_type.hpp>
#include <backplane/api/static_backend.hpp>
#include <backplane/host/backend_registry.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

BACKPLANE_DECLARE_STATIC_BACKEND(Backplane_CpuRef);

namespace backplane::check_backend {
namespace {

using conformance::LayerCase;
using conformance::LayerTraits;
using conformance::Oracle;
using conformance::Random;
using conformance::Scales;
using conformance::StoredTensor;
using conformance::TestLayer;
using conformance::ValueTypes;

constexpr char kNoSamples[] = "the backend supports none of the operators that are known here";

/// The types of values in which layers are tried, the usual ones first.
std::vector<ValueTypes> ListTypes() {
  std::vector<ValueTypes> types = {{DataType::kFloat32, Scales::kNone}};
  for (const DataType type : conformance::kDataTypes) {
    if (type != DataType::kFloat32) types.push_back({type, Scales::kNone});
  }
  types.push_back({DataType::kInt8, Scales::kPerTensor});
  types.push_back({DataType::kUInt8, Scales::kPerTensor});
  return types;
}

using Accepts = bool (*)(const ILayerSupport& support, const TestLayer& layer);

bool AcceptsWithoutConstants(const ILayerSupport& support, const TestLayer& layer) {
  return AskWhetherSupported(support, layer).is_supported;
}

bool AcceptsWithConstants(const ILayerSupport& support, const TestLayer& layer) {
  if (layer.inputs.size() < 2) return false;
  std::vector<std::uint8_t> is_constant(layer.inputs.size(), 1);
  is_constant[0] = 0;
  return AskWhetherSupported(support, layer, is_constant).is_supported;
}

std::vector<Sample> MakeSamplesOf(const Oracle& oracle, const ILayerSupport& support,
                                  std::uint32_t seed, std::size_t num_each, Accepts accepts) {
  std::vector<Sample> samples;
  Random random(seed * 131 + static_cast<std::uint32_t>(oracle.type));
  for (const ValueTypes& types : ListTypes()) {
    // Of the usual type, what only a few layers of an operator are is looked for longer.
    const int num_rounds = types.data_type == DataType::kFloat32 ? 32 : 4;
    for (int round = 0; round < num_rounds && samples.size() < num_each; ++round) {
      for (const LayerCase& layer : oracle.make_cases(random)) {
        const LayerTraits traits = oracle.get_traits(layer);
        if (samples.size() >= num_each || !HasMeaning(traits, types)) continue;
        if (!IsSupported(traits, types)) continue;
        TestLayer made = MakeTypedLayer(layer, traits, types, random);
        if (!accepts(support, made)) continue;
        std::vector<StoredTensor> inputs = MakeInputs(layer, made, random);
        Sample sample{oracle, layer, types, std::move(made), std::move(inputs)};
        if (IsAgreedOn(sample)) samples.push_back(std::move(sample));
      }
    }
    if (!samples.empty()) break;
  }
  return samples;
}

std::vector<Sample> MakeSamplesOfAll(Session& session, std::size_t num_each, Accepts accepts) {
  const auto support = session.GetPlugin().GetSupport();
  std::vector<Sample> samples;
  for (const Oracle& oracle : conformance::ListOperatorOracles()) {
    for (Sample& sample : MakeSamplesOf(oracle, *support, session.GetSeed(), num_each, accepts)) {
      samples.push_back(std::move(sample));
    }
  }
  return samples;
}

/// In a registry of its own: that of the process may have a CpuRef that is under test.
PluginObject<IBackendInternal> MakeReference() {
  BackendRegistry registry;
  RegisterStaticBackend(BACKPLANE_STATIC_ENTRY_POINTS(Backplane_CpuRef), registry);
  return registry.CreateBackend(registry.GetBackendIds().front());
}

}  // namespace

bool IsAgreedOn(const Sample& sample) {
  static const PluginObject<IBackendInternal> kReference = MakeReference();
  const IBackendInternal& reference = *kReference.Share();
  const auto support = reference.GetLayerSupport({});
  if (!AskWhetherSupported(*support, sample.made).is_supported) return true;
  const auto factory = reference.CreateWorkloadFactory({});
  const auto workload = conformance::MakeWorkload(*factory, sample.made);
  const auto state = factory->CreateExecutionState();
  std::vector<StoredTensor> inputs = sample.inputs;
  std::vector<StoredTensor> outputs;
  for (const TensorInfo& info : sample.made.outputs) outputs.emplace_back(info);
  const conformance::StoredHandles input_handles(inputs);
  const conformance::StoredHandles output_handles(outputs);
  const Status status =
      conformance::Execute(*workload, input_handles.Get(), output_handles.Get(), state.get());
  return status == Status::kSuccess && FindWrongResult(sample, outputs).empty();
}

Answer AskWhetherSupported(const ILayerSupport& support, const TestLayer& layer) {
  return AskWhetherSupported(support, layer, std::vector<std::uint8_t>(layer.inputs.size(), 0));
}

Answer AskWhetherSupported(const ILayerSupport& support, const TestLayer& layer,
                           const std::vector<std::uint8_t>& input_is_constant) {
  const conformance::LayerQuestion question(layer);
  LayerSupportQuery query = question.Get();
  query.input_is_constant = input_is_constant.data();
  Answer answer;
  answer.is_supported = support.IsLayerSupported(query, answer.reason);
  return answer;
}

bool UsesHostMemory(const Plugin& plugin) {
  const std::vector<std::string> preferences = plugin.GetPreferences();
  const auto end = preferences.end();
  return preferences.empty() ||
         std::find(preferences.begin(), end, kHostTensorHandleFactoryId) != end;
}

bool TakesHostMemory(Session& session) {
  if (UsesHostMemory(session.GetPlugin())) return true;
  session.Skip("its workloads do not take tensors in memory of the host: " +
               std::string(kHostTensorHandleFactoryId) + " is not among its preferences");
  return false;
}

std::vector<Sample> MakeSamples(Session& session, std::size_t num_each) {
  if (!TakesHostMemory(session)) return {};
  return MakeSamplesAnywhere(session, num_each);
}

std::vector<Sample> MakeSamplesAnywhere(Session& session, std::size_t num_each) {
  std::vector<Sample> samples = MakeSamplesOfAll(session, num_each, &AcceptsWithoutConstants);
  if (samples.empty()) session.Skip(kNoSamples);
  return samples;
}

std::vector<LayerType> ListSupportedTypes(Session& session) {
  std::vector<LayerType> types;
  for (const Sample& sample : MakeSamplesOfAll(session, 1, &AcceptsWithoutConstants)) {
    types.push_back(sample.made.type);
  }
  return types;
}

std::vector<Sample> MakeSamplesWithConstants(Session& session, std::size_t num_each) {
  if (!TakesHostMemory(session)) return {};
  std::vector<Sample> samples = MakeSamplesOfAll(session, num_each, &AcceptsWithConstants);
  if (samples.empty()) {
    session.Skip("it supports no operator that is known here with constants as inputs");
  }
  return samples;
}

std::vector<Sample> MakeFewSamples(Session& session, std::size_t num_samples) {
  std::vector<Sample> samples = MakeSamples(session, 1);
  if (samples.size() <= num_samples) return samples;
  // Some from everywhere in the table, and not always the same.
  std::vector<Sample> few;
  const std::size_t step = samples.size() / num_samples;
  const std::size_t start = session.GetSeed() % step;
  for (std::size_t i = start; i < samples.size() && few.size() < num_samples; i += step) {
    few.push_back(std::move(samples[i]));
  }
  return few;
}

bool MayOverwrite(const Sample& sample, std::size_t input) {
  const LayerTypeInfo* const row = FindLayerTypeInfo(sample.made.type);
  if (row->aliasing != LayerAliasing::kInPlace || sample.made.outputs.size() != 1) return false;
  const TensorInfo& from = sample.made.inputs[input];
  const TensorInfo& to = sample.made.outputs[0];
  return from.shape == to.shape && from.data_type == to.data_type;
}

StoredTensor MakeContent(const TensorInfo& info, std::uint32_t seed) {
  Random random(seed);
  return conformance::MakeRandomTensor(info, random);
}

std::string FindWrongResult(const Sample& sample, const std::vector<StoredTensor>& outputs) {
  const bool is_moved =
      sample.oracle.get_traits(sample.layer).quantised == conformance::QuantisedTypes::kMoved;
  std::string wrong;
  std::size_t index = 0;
  conformance::ExpectAsOracle(
      sample.oracle, sample.layer, sample.types, sample.inputs, outputs,
      [&](const StoredTensor& found, const auto& expected) {
        const std::size_t output = index++;
        if (!wrong.empty()) return;
        const auto tolerance = is_moved ? conformance::Tolerance()
                                        : conformance::GetFastTolerance(found.info.data_type);
        const auto difference = conformance::FindDifference(found, expected, tolerance);
        if (difference) wrong = "output " + std::to_string(output) + ", " + ToText(*difference);
      });
  return wrong;
}

std::unique_ptr<IWorkload> MakeWorkload(IWorkloadFactory& factory, const WorkloadArgs& args) {
  auto workload = factory.CreateWorkload(args);
  if (workload == nullptr) throw std::runtime_error("CreateWorkload gave null");
  return workload;
}

Running MakeRunning(std::unique_ptr<IWorkloadFactory> factory, const WorkloadArgs& args) {
  Running running;
  running.factory = std::move(factory);
  running.workload = MakeWorkload(*running.factory, args);
  running.state = running.factory->CreateExecutionState();
  return running;
}

Running MakeRunning(const Plugin& plugin, const TestLayer& layer,
                    const std::vector<const ConstTensor*>& constants) {
  return MakeRunning(plugin.MakeFactory(), conformance::LayerWorkloadArgs(layer, constants).Get());
}

std::vector<StoredTensor> RunGuarded(Session& session, const Running& running, const Sample& sample,
                                     GuardedSide side, unsigned char garbage) {
  WatchFaults(session.GetRecord());
  const HostTensors tensors(sample, side, garbage);
  for (const auto& input : tensors.inputs) input->ForbidWriting();
  ExpectSuccess(session, RunOn(running, tensors));
  for (const auto& output : tensors.outputs) ExpectNoDamage(session, output->DescribeDamage());
  return tensors.ReadOutputs();
}

std::string DescribeStatus(Status status) {
  const std::string text = GetStatusText(status);
  return text + " (" + std::to_string(static_cast<std::int32_t>(status)) + ")";
}

}  // namespace backplane::check_backend
