// Networks of which an output is computed where an input lies.

#include "harness/network.hpp"
#include "harness/samples.hpp"
#include "harness/session.hpp"

#include <backplane/api/descriptors.hpp>
#include <backplane/runtime/optimize.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace backplane::check_backend {
namespace {

using conformance::Random;
using conformance::StoredTensor;

constexpr std::int64_t kCacheRows = 8;
const TensorShape kCache = {1, 2, kCacheRows, 4};

TensorShape MakeCacheRows(std::int64_t count) {
  TensorShape shape = kCache;
  shape[2] = count;
  return shape;
}

/// Makes networks from a seed that give their input "cache" with other rows, or with other
/// elements.
class CacheNetwork {
 public:
  explicit CacheNetwork(std::uint32_t seed) : random_(seed), network_(INetwork::Create("cache")) {}

  std::unique_ptr<INetwork> Build() {
    cache_ = network_->AddInputLayer({kCache, DataType::kFloat32}, "cache");
    const OutputSlot changed = random_.Integer(0, 2) == 0 ? ChangeElements() : ChangeRows();
    network_->AddOutputLayer(changed, "changed");
    // Others may read the cache, and what it becomes.
    if (random_.Integer(0, 1) == 0) {
      network_->AddOutputLayer(Apply(random_.Integer(0, 2) == 0 ? cache_ : changed), "other");
    }
    return std::move(network_);
  }

 private:
  OutputSlot ChangeRows() {
    const std::int64_t begin = random_.Integer(0, kCacheRows - 1);
    const std::int64_t count = random_.Integer(1, kCacheRows - begin);
    const TensorInfo info(MakeCacheRows(count), DataType::kFloat32);
    const OutputSlot rows = Apply(network_->AddInputLayer(info, "rows"));
    std::vector<OutputSlot> parts;
    if (begin > 0) parts.push_back(Take(0, begin));
    parts.push_back(rows);
    const std::int64_t end = begin + count;
    if (end < kCacheRows) parts.push_back(Take(end, kCacheRows - end));
    ConcatDescriptor concat;
    concat.axis = 2;
    return {AddLayer<LayerType::kConcat>(*network_, concat, parts, "changed"), 0};
  }

  OutputSlot ChangeElements() { return Apply(Apply(Apply(cache_))); }

  OutputSlot Take(std::int64_t begin, std::int64_t count) {
    SliceDescriptor slice;
    slice.starts[2] = begin;
    const TensorShape shape = MakeCacheRows(count);
    std::copy_n(shape.dims, shape.rank, slice.extents);
    return {AddLayer<LayerType::kSlice>(*network_, slice, {cache_}, NextName()), 0};
  }

  OutputSlot Apply(OutputSlot x) {
    ActivationDescriptor sigmoid;
    sigmoid.function = ActivationFunction::kSigmoid;
    return {AddLayer<LayerType::kActivation>(*network_, sigmoid, {x}, NextName()), 0};
  }

  std::string NextName() { return std::to_string(num_layers_++); }

  Random random_;
  std::unique_ptr<INetwork> network_;
  OutputSlot cache_;
  int num_layers_ = 0;
};

/// Runs with the first output in the memory of the first input.
NetworkRun RunInPlace(IRuntime& runtime, NetworkId network, const std::vector<TensorInfo>& outputs,
                      std::vector<StoredTensor> inputs) {
  NetworkRun run;
  for (const TensorInfo& output : outputs) run.outputs.emplace_back(output);
  InputTensors sources;
  for (StoredTensor& input : inputs) {
    sources.push_back(
        {static_cast<LayerBindingId>(sources.size()), {input.info, input.bytes.data()}});
  }
  OutputTensors results;
  for (StoredTensor& output : run.outputs) {
    std::vector<unsigned char>& bytes = results.empty() ? inputs[0].bytes : output.bytes;
    results.push_back({static_cast<LayerBindingId>(results.size()), bytes.data(), bytes.size()});
  }
  run.status = runtime.EnqueueWorkload(network, sources, results, &run.failure);
  run.outputs[0].bytes = inputs[0].bytes;
  return run;
}

std::uint64_t CountCopies(const IRuntime& runtime, NetworkId network) {
  const TransferReport report = runtime.GetTransferReport(network);
  return report.inputs[0].copied_runs + report.outputs[0].copied_runs;
}

}  // namespace

void CheckOverwrittenInputsAreRead(Session& session) {
  const std::string id = session.GetPlugin().GetId();
  const TestRuntime test_runtime(session, id);
  IRuntime& runtime = test_runtime.Get();
  std::vector<std::string> preferences = {id};
  if (test_runtime.HasReference()) preferences.emplace_back("CpuRef");
  bool has_overwritten = false;
  const std::uint32_t count = session.IsQuick() ? 20 : 100;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!session.Begin("computes an output where an input lies")) continue;
    const std::uint32_t seed = session.GetSeed() * 6271 + i;
    const auto optimized =
        Optimize(*CacheNetwork(seed).Build(), preferences, runtime.GetDeviceSpec());
    Random random(seed);
    std::vector<StoredTensor> inputs;
    for (const NetworkBinding& input : optimized->GetInputs()) {
      inputs.push_back(conformance::MakeRandomTensor(input.info, random));
    }
    std::vector<TensorInfo> outputs;
    for (const NetworkBinding& output : optimized->GetOutputs()) outputs.push_back(output.info);
    const NetworkId network = runtime.LoadNetwork(optimized);
    const NetworkRun expected = RunLoaded(runtime, network, outputs, inputs);
    const std::uint64_t before = CountCopies(runtime, network);
    const std::string wrong =
        FindWrongRun(RunInPlace(runtime, network, outputs, inputs), expected, {});
    session.Expect(wrong.empty(), wrong, "what it gives in memory of its own");
    has_overwritten = has_overwritten || CountCopies(runtime, network) == before;
    runtime.UnloadNetwork(network);
  }
  if (session.HasCases() && !has_overwritten)
    session.Skip("the backend writes no output over an input");
}

}  // namespace backplane::check_backend
