#include "honest_backend.hpp"

#include "honest_memory.hpp"

#include <backplane/api/subgraph_parts.hpp>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace backplane::fuzz {
namespace {

constexpr char kCompiledKey[] = "compiled";

class HonestContext final : public IBackendContext {
 public:
  Status OnNetworkEvent(const NetworkEvent& event) override { return event.outcome; }
};

class HonestModelContext final : public IBackendModelContext {};
class HonestCompiled final : public IPreCompiledObject {};
class HonestState final : public IExecutionState {};

class HonestSupport final : public ILayerSupport {
 public:
  bool IsLayerSupported(const LayerSupportQuery& query, std::string& reason) const override {
    reason = std::string("layer \"") + query.layer_name + "\" has no inputs";
    return query.num_inputs != 0;
  }
};

class HonestProfiling final : public IBackendProfilingContext {
 public:
  explicit HonestProfiling(IBackendProfiling& profiling) : profiling_(profiling) {}

  std::vector<CounterDescription> GetCounters() const override {
    CounterDescription counter;
    counter.id = 3;
    counter.name = "runs";
    counter.unit = "count";
    return {counter};
  }
  Status ActivateCounters(std::uint64_t /*period_us*/, const std::uint32_t* ids,
                          std::uint32_t count) override {
    std::vector<CounterSample> samples(count);
    for (std::uint32_t i = 0; i < count; ++i) samples[i].id = ids[i];
    return profiling_.ReportCounterSamples(samples.data(), count);
  }
  Status SetTimeline(ProfilingState state) override {
    return state == ProfilingState::kOff
               ? Status::kSuccess
               : profiling_.ReportTimelineEvent({"timeline on", "queue", 1, 2, {}});
  }

 private:
  IBackendProfiling& profiling_;
};

class HonestWorkload final : public IWorkload {
 public:
  HonestWorkload(ILogger& logger, const DuringRun& during_run)
      : logger_(logger), during_run_(during_run) {}

  Status Execute(const ExecuteArgs& args) const override {
    static_cast<void>(logger_.Log(LogLevel::kInfo, "a workload runs"));
    const Status status = during_run_();
    if (status != Status::kSuccess) return status;
    for (std::uint32_t i = 0; i < args.GetNumOutputs(); ++i) {
      const bp_view* const output = args.GetOutput(i).GetView();
      if (output == nullptr) return Status::kInvalidArgument;
      std::vector<float> sums(output->num_bytes / sizeof(float));
      for (std::uint32_t input = 0; input < args.GetNumInputs(); ++input) {
        const bp_view* const view = args.GetInput(input).GetView();
        if (view == nullptr) return Status::kInvalidArgument;
        Add(*view, sums);
      }
      if (!sums.empty()) std::memcpy(output->data, sums.data(), sums.size() * sizeof(float));
    }
    return Status::kSuccess;
  }

 private:
  static void Add(const bp_view& view, std::vector<float>& sums) {
    const std::size_t count = std::min<std::size_t>(view.num_bytes / sizeof(float), sums.size());
    for (std::size_t i = 0; i < count; ++i) {
      float term = 0;
      std::memcpy(&term, static_cast<const std::byte*>(view.data) + i * sizeof(float),
                  sizeof(float));
      sums[i] += term;
    }
  }

  ILogger& logger_;
  const DuringRun& during_run_;
};

class HonestWorkloadFactory final : public IWorkloadFactory {
 public:
  HonestWorkloadFactory(ILogger& logger, const DuringRun& during_run)
      : logger_(logger), during_run_(during_run) {}

  std::unique_ptr<IWorkload> CreateWorkload(const WorkloadArgs& args) override {
    for (std::uint32_t i = 0; i < args.num_inputs; ++i) {
      if (args.constants[i] == nullptr) continue;
      const auto* const bytes = static_cast<const std::byte*>(args.constants[i]->data);
      const std::uint64_t size_bytes = args.constants[i]->info.GetSizeBytes();
      if (std::count(bytes, bytes + size_bytes, std::byte{0xFF}) > 1'000'000) return nullptr;
    }
    return std::make_unique<HonestWorkload>(logger_, during_run_);
  }
  std::unique_ptr<IExecutionState> CreateExecutionState() override {
    return std::make_unique<HonestState>();
  }

 private:
  ILogger& logger_;
  const DuringRun& during_run_;
};

class HonestBackend final : public IBackendInternal {
 public:
  explicit HonestBackend(DuringRun during_run) : during_run_(std::move(during_run)) {}

  const char* GetId() const override { return kBackendId; }
  std::unique_ptr<IWorkloadFactory> CreateWorkloadFactory(
      const WorkloadFactoryArgs& args) const override {
    return std::make_unique<HonestWorkloadFactory>(*args.logger, during_run_);
  }
  std::unique_ptr<IBackendContext> CreateBackendContext(
      const BackendContextArgs& /*args*/) const override {
    return std::make_unique<HonestContext>();
  }
  std::shared_ptr<const IBackendModelContext> CreateBackendSpecificModelContext(
      const ModelContextArgs& /*args*/) const override {
    return std::make_shared<HonestModelContext>();
  }
  std::unique_ptr<IBackendProfilingContext> CreateBackendProfilingContext(
      const ProfilingContextArgs& args) const override {
    return std::make_unique<HonestProfiling>(*args.profiling);
  }
  std::shared_ptr<const ILayerSupport> GetLayerSupport(
      const LayerSupportArgs& /*args*/) const override {
    return std::make_shared<HonestSupport>();
  }

  OptimizationViews OptimizeSubgraphView(const OptimizeSubgraphArgs& args) const override {
    OptimizationViews views;
    std::vector<std::uint8_t> compiled(5, 1);
    if (args.cache != nullptr && args.cache->Load(kCompiledKey, &compiled) != Status::kSuccess) {
      static_cast<void>(args.cache->Store(kCompiledKey, compiled.data(), compiled.size()));
    }
    const float content[2] = {1, 2};
    LayerId id = 0;
    ReplacementLayer layer;
    layer.name = "another";
    const bool is_added = args.builder->AddConstant({{{2}, DataType::kFloat32}, content},
                                                    "constant", &id) == Status::kSuccess &&
                          args.builder->AddLayer(layer, &id) == Status::kSuccess;
    const SubgraphView part = MakeSubgraphPart(args, args.subgraph->layers);
    const bool is_replaced =
        is_added && ReplaceByPreCompiled(args, part, std::make_shared<HonestCompiled>(), "compiled",
                                         &views) == Status::kSuccess;
    if (!is_replaced) views.untouched.push_back(*args.subgraph);
    return views;
  }

  void RegisterTensorHandleFactories(TensorHandleFactoryRegistry& registry,
                                     const BackendCallArgs& /*args*/) const override {
    for (const Status status : {registry.RegisterFactory(MakeBoundFactory()),
                                registry.RegisterMemoryManager(MakeFileManager()),
                                registry.RegisterFactory(MakeOwningFactory())}) {
      if (status != Status::kSuccess) throw std::runtime_error(GetStatusText(status));
    }
  }
  std::vector<std::string> GetHandleFactoryPreferences(
      const BackendCallArgs& /*args*/) const override {
    return {kBoundFactoryId, kOwningFactoryId};
  }
  BackendCapabilities GetCapabilities() const override { return {{"Rank", 7}}; }
  std::vector<OptionSchema> GetOptionSchemas() const override {
    OptionSchema schema;
    schema.name = "threads";
    schema.type = OptionType::kInt;
    schema.default_value = 1;
    schema.allowed_strings = {"one", "two"};
    return {schema};
  }

 private:
  const DuringRun during_run_;
};

}  // namespace

std::unique_ptr<IBackendInternal> MakeHonestBackend(DuringRun during_run) {
  return std::make_unique<HonestBackend>(std::move(during_run));
}

}  // namespace backplane::fuzz
