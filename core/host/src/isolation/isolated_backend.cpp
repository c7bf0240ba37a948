#include "isolation/answering.hpp"
#include "isolation/isolated_workload.hpp"
#include "isolation/make_isolated.hpp"
#include "isolation/worker_life.hpp"

#include <algorithm>
#include <utility>

namespace backplane::isolation {
namespace {

using wire::Function;
using wire::Writer;

// The process that is asked, and what the call says.
struct Target {
  std::shared_ptr<Worker> worker;
  serving::CallParts parts;
};

// The process that has these objects, which may be null; without any, the one that runs.
// Errors: as WorkerLife::Get.
Target FindTarget(WorkerLife& life, const BackendOptions* options, const IBackendContext* context,
                  const std::shared_ptr<const IBackendModelContext>& model_context = nullptr) {
  const CallObjects objects(context, model_context);
  Target target{nullptr, objects.Describe(options)};
  for (const RemoteObject* const object : {objects.model_context, objects.context}) {
    if (object == nullptr) continue;
    target.worker = object->ShareWorker();
    if (target.worker->HasEnded()) break;  // asking it tells how
  }
  if (!target.worker) target.worker = life.Get();
  return target;
}

// Asks for an object, which may be none. `more` goes to the one that stands for it.
template <typename Made, typename... More>
std::unique_ptr<Made> Make(const Target& target, Function function, const More&... more) {
  const std::uint64_t id = AskForObject(*target.worker, function, {}, target.parts);
  return id != 0 ? std::make_unique<Made>(target.worker, id, more...) : nullptr;
}

// Asks, and takes the answer.
template <typename Answer, typename... Values>
Answer Ask(Worker& worker, Function function, const Values&... values) {
  return worker.Take<Answer>(*worker.Call(function, Writer().Put(values...)));
}

class IsolatedLayerSupport final : public ILayerSupport, public RemoteObject {
 public:
  using RemoteObject::RemoteObject;

  bool IsLayerSupported(const LayerSupportQuery& query, std::string& reason) const override {
    std::vector<std::uint8_t> is_constant(query.num_inputs);
    if (query.input_is_constant != nullptr) {
      std::copy_n(query.input_is_constant, query.num_inputs, is_constant.begin());
    }
    const auto reply = Call(Function::kIsLayerSupported,
                            serving::LayerSource{serving::ShowLayer(query)}, is_constant);
    const bool is_supported = reply->reader.Take<bool>();
    reason = GetWorker().Take<std::string>(*reply);
    return is_supported;
  }
};

class IsolatedProfilingContext final : public IBackendProfilingContext {
 public:
  IsolatedProfilingContext(std::shared_ptr<Worker> worker, std::uint64_t id,
                           IBackendProfiling* profiling)
      : listener_{worker, {id, profiling}}, object_(std::move(worker), id) {
    listener_.worker->GetObjects().profilings.Add(listener_.entry);
  }

  std::vector<CounterDescription> GetCounters() const override {
    return object_.Ask<std::vector<CounterDescription>>(Function::kGetCounters);
  }
  Status ActivateCounters(std::uint64_t period_us, const std::uint32_t* ids,
                          std::uint32_t count) override {
    return Tell(Function::kActivateCounters, count == 0, period_us,
                std::vector<std::uint32_t>(ids, ids + count));
  }
  Status SetTimeline(ProfilingState state) override {
    return Tell(Function::kSetTimeline, state == ProfilingState::kOff, state);
  }

 private:
  // Declared first: what is reported until the other side has destroyed it is still taken.
  struct Listener {
    ~Listener() {
      if (!worker->IsForked()) worker->GetObjects().profilings.Remove(entry);
    }
    const std::shared_ptr<Worker> worker;
    const std::pair<std::uint64_t, IBackendProfiling*> entry;
  };

  template <typename... Values>
  Status Tell(Function function, bool is_off, const Values&... values) {
    const Worker& worker = object_.GetWorker();
    // It goes on as the parent has it.
    if (worker.IsForked() || (is_off && worker.HasEnded())) return Status::kSuccess;
    return object_.Ask<Status>(function, values...);
  }

  Listener listener_;
  RemoteObject object_;
};

// The layers of a sub-graph, and where their constants lie.
struct SharedLayers {
  std::vector<std::optional<serving::ConstantPlace>> places;
  std::vector<serving::LayerSource> layers;
  std::shared_ptr<InputAreas> areas = std::make_shared<InputAreas>();
};

SharedLayers ShareLayers(const SubgraphView& subgraph, const ISubgraphReader& reader) {
  SharedLayers shared;
  std::vector<const ConstTensor*> constants;
  for (const LayerId id : subgraph.layers) {
    const LayerView* layer = nullptr;
    if (reader.GetLayer(id, &layer) != Status::kSuccess) continue;
    shared.layers.push_back({*layer});
    for (std::uint32_t i = 0; i < layer->num_inputs; ++i) {
      constants.push_back(layer->constants != nullptr ? layer->constants[i] : nullptr);
    }
  }
  auto [areas, places] = ShareConstants(constants);
  shared.places = std::move(places);
  std::size_t next = 0;
  for (serving::LayerSource& layer : shared.layers) {
    layer.constants = shared.places.data() + next;
    for (std::uint32_t i = 0; i < layer.view.num_inputs; ++i, ++next) {
      if (areas[next]) shared.areas->try_emplace({layer.view.id, i}, std::move(areas[next]));
    }
  }
  return shared;
}

class IsolatedBackend final : public IBackendInternal {
 public:
  explicit IsolatedBackend(std::shared_ptr<WorkerLife> life) : life_(std::move(life)) {}

  const char* GetId() const override { return life_->GetBackendId().c_str(); }

  std::unique_ptr<IWorkloadFactory> CreateWorkloadFactory(
      const WorkloadFactoryArgs& args) const override {
    return Make<IsolatedWorkloadFactory>(
        FindTarget(*life_, args.options, args.context, args.model_context),
        Function::kCreateWorkloadFactory, args.model_context);
  }

  std::unique_ptr<IBackendContext> CreateBackendContext(
      const BackendContextArgs& args) const override {
    if (args.allocator) {
      throw UnsupportedException(
          "this backend runs in a process of its own, which cannot use memory that this one "
          "allocates; use memory of the runtime (IRuntime::AllocateTensorMemory)");
    }
    const Target target = FindTarget(*life_, args.options, nullptr);
    const std::uint64_t id = AskForObject(*target.worker, Function::kCreateBackendContext, {},
                                          target.parts, args.is_protected_mode);
    return id != 0 ? std::make_unique<IsolatedContext>(target.worker, id) : nullptr;
  }

  std::shared_ptr<const IBackendModelContext> CreateBackendSpecificModelContext(
      const ModelContextArgs& args) const override {
    return Make<IsolatedModelContext>(FindTarget(*life_, args.options, args.context),
                                      Function::kCreateModelContext);
  }

  std::unique_ptr<IBackendProfilingContext> CreateBackendProfilingContext(
      const ProfilingContextArgs& args) const override {
    return Make<IsolatedProfilingContext>(FindTarget(*life_, nullptr, args.context),
                                          Function::kCreateProfilingContext, args.profiling);
  }

  std::shared_ptr<const ILayerSupport> GetLayerSupport(
      const LayerSupportArgs& args) const override {
    return Make<IsolatedLayerSupport>(FindTarget(*life_, nullptr, args.context, args.model_context),
                                      Function::kGetLayerSupport);
  }

  OptimizationViews OptimizeSubgraphView(const OptimizeSubgraphArgs& args) const override {
    const auto [worker, parts] = FindTarget(*life_, args.options, args.context, args.model_context);
    const SharedLayers shared = ShareLayers(*args.subgraph, *args.reader);
    for (const auto& [input, area] : *shared.areas) worker->Show(area);
    const std::uint64_t first_number = worker->GetObjects().MakeIds(kMaxObjects);
    Writer writer;
    writer.Put(first_number, args.cache != nullptr, args.is_open, args.deadline_ns);
    writer.Put(parts, *args.subgraph, shared.layers);
    const auto reply = worker->Call(
        Function::kOptimizeSubgraph, writer, {},
        AnswerForSubgraph(worker, shared.areas, first_number, *args.builder, args.cache));
    return worker->Take<OptimizationViews>(*reply);
  }

  void RegisterTensorHandleFactories(TensorHandleFactoryRegistry& registry,
                                     const BackendCallArgs& args) const override {
    const auto [worker, parts] = FindTarget(*life_, args.options, args.context);
    const std::uint64_t first_number = worker->GetObjects().MakeIds(kMaxObjects);
    worker->Call(Function::kRegisterFactories, Writer().Put(first_number, parts), {},
                 AnswerForRegistry(worker, first_number, registry));
  }

  std::vector<std::string> GetHandleFactoryPreferences(const BackendCallArgs& args) const override {
    const auto [worker, parts] = FindTarget(*life_, args.options, args.context);
    return Ask<std::vector<std::string>>(*worker, Function::kGetHandleFactoryPreferences, parts);
  }

  BackendCapabilities GetCapabilities() const override {
    return Ask<BackendCapabilities>(*life_->Get(), Function::kGetCapabilities);
  }

  std::vector<OptionSchema> GetOptionSchemas() const override {
    return Ask<std::vector<OptionSchema>>(*life_->Get(), Function::kGetOptionSchemas);
  }

 private:
  std::shared_ptr<WorkerLife> life_;
};

}  // namespace

std::unique_ptr<IBackendInternal> MakeIsolatedBackend(std::shared_ptr<WorkerLife> life) {
  return std::make_unique<IsolatedBackend>(std::move(life));
}

}  // namespace backplane::isolation
