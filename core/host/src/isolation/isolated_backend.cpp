#include "isolation/isolated_backend.hpp"

#include "isolation/answering.hpp"
#include "isolation/isolated_contexts.hpp"
#include "isolation/isolated_workload.hpp"
#include "isolation/shared_constants.hpp"

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace backplane::isolation {
namespace {

using wire::Function;
using wire::Writer;

// The process that has these objects, which may be null; without any, the one that runs.
// Errors: as WorkerLife::Get.
std::shared_ptr<Worker> FindWorker(WorkerLife& life,
                                   std::initializer_list<const RemoteObject*> objects) {
  std::shared_ptr<Worker> worker;
  for (const RemoteObject* const object : objects) {
    if (object == nullptr) continue;
    worker = object->ShareWorker();
    if (worker->HasEnded()) break;  // asking it tells how
  }
  return worker ? worker : life.Get();
}

// Asks for an object, which may be none. `more` goes to the one that stands for it.
template <typename Made, typename... More>
std::unique_ptr<Made> Make(const std::shared_ptr<Worker>& worker, Function function,
                           const messages::CallParts& parts, const More&... more) {
  const std::uint64_t id = AskForObject(*worker, function, {}, parts);
  return id != 0 ? std::make_unique<Made>(worker, id, more...) : nullptr;
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
                            messages::LayerSource{messages::ShowLayer(query)}, is_constant);
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
  SharedConstants constants;
  std::vector<messages::LayerSource> layers;
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
  shared.constants = ShareConstants(constants);
  const auto* next = shared.constants.places.data();
  for (messages::LayerSource& layer : shared.layers) {
    layer.constants = next;
    next += layer.view.num_inputs;
  }
  return shared;
}

}  // namespace

std::unique_ptr<IWorkloadFactory> IsolatedBackend::CreateWorkloadFactory(
    const WorkloadFactoryArgs& args) const {
  const RemoteObject* const context = FindObject(args.context);
  const RemoteObject* const model = FindObject(args.model_context);
  return Make<IsolatedWorkloadFactory>(
      FindWorker(*life_, {model, context}), Function::kCreateWorkloadFactory,
      MakeCallParts(context, model, args.options), args.model_context);
}

std::unique_ptr<IBackendContext> IsolatedBackend::CreateBackendContext(
    const BackendContextArgs& args) const {
  if (args.allocator) {
    throw UnsupportedException(
        "this backend runs in a process of its own, which cannot use memory that this one "
        "allocates; use memory of the runtime (IRuntime::AllocateTensorMemory)");
  }
  const auto worker = life_->Get();
  const std::uint64_t id =
      AskForObject(*worker, Function::kCreateBackendContext, {},
                   MakeCallParts(nullptr, nullptr, args.options), args.is_protected_mode);
  return id != 0 ? std::make_unique<IsolatedContext>(worker, id) : nullptr;
}

std::shared_ptr<const IBackendModelContext> IsolatedBackend::CreateBackendSpecificModelContext(
    const ModelContextArgs& args) const {
  const RemoteObject* const context = FindObject(args.context);
  return Make<IsolatedModelContext>(FindWorker(*life_, {context}), Function::kCreateModelContext,
                                    MakeCallParts(context, nullptr, args.options));
}

std::unique_ptr<IBackendProfilingContext> IsolatedBackend::CreateBackendProfilingContext(
    const ProfilingContextArgs& args) const {
  const RemoteObject* const context = FindObject(args.context);
  return Make<IsolatedProfilingContext>(FindWorker(*life_, {context}),
                                        Function::kCreateProfilingContext,
                                        MakeCallParts(context, nullptr, nullptr), args.profiling);
}

std::shared_ptr<const ILayerSupport> IsolatedBackend::GetLayerSupport(
    const LayerSupportArgs& args) const {
  const RemoteObject* const context = FindObject(args.context);
  const RemoteObject* const model = FindObject(args.model_context);
  return Make<IsolatedLayerSupport>(FindWorker(*life_, {model, context}),
                                    Function::kGetLayerSupport,
                                    MakeCallParts(context, model, nullptr));
}

OptimizationViews IsolatedBackend::OptimizeSubgraphView(const OptimizeSubgraphArgs& args) const {
  const RemoteObject* const context = FindObject(args.context);
  const RemoteObject* const model = FindObject(args.model_context);
  const auto worker = FindWorker(*life_, {model, context});
  const SharedLayers shared = ShareLayers(*args.subgraph, *args.reader);
  const Worker::Areas& areas = shared.constants.areas;
  const std::uint64_t first_number = worker->GetObjects().MakeIds(kMaxObjects);
  Writer writer;
  writer.Put(first_number, args.cache != nullptr, args.is_open);
  writer.Put(MakeCallParts(context, model, args.options), *args.subgraph, shared.layers);
  const auto reply =
      worker->Call(Function::kOptimizeSubgraph, writer, areas,
                   AnswerForSubgraph(worker, areas, first_number, *args.builder, args.cache));
  return worker->Take<OptimizationViews>(*reply);
}

void IsolatedBackend::RegisterTensorHandleFactories(TensorHandleFactoryRegistry& registry,
                                                    const BackendCallArgs& args) const {
  const RemoteObject* const context = FindObject(args.context);
  const auto worker = FindWorker(*life_, {context});
  const std::uint64_t first_number = worker->GetObjects().MakeIds(kMaxObjects);
  worker->Call(Function::kRegisterFactories,
               Writer().Put(first_number, MakeCallParts(context, nullptr, args.options)), {},
               AnswerForRegistry(worker, first_number, registry));
}

std::vector<std::string> IsolatedBackend::GetHandleFactoryPreferences(
    const BackendCallArgs& args) const {
  const RemoteObject* const context = FindObject(args.context);
  return Ask<std::vector<std::string>>(*FindWorker(*life_, {context}),
                                       Function::kGetHandleFactoryPreferences,
                                       MakeCallParts(context, nullptr, args.options));
}

BackendCapabilities IsolatedBackend::GetCapabilities() const {
  return Ask<BackendCapabilities>(*life_->Get(), Function::kGetCapabilities);
}

std::vector<OptionSchema> IsolatedBackend::GetOptionSchemas() const {
  return Ask<std::vector<OptionSchema>>(*life_->Get(), Function::kGetOptionSchemas);
}

}  // namespace backplane::isolation
