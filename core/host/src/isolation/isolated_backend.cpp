#include "isolation/isolated_backend.hpp"

#include "isolation/answering.hpp"
#include "isolation/isolated_contexts.hpp"
#include "isolation/isolated_memory.hpp"
#include "isolation/isolated_workload.hpp"
#include "isolation/shared_constants.hpp"

#include <initializer_list>
#include <utility>

namespace backplane::isolation {
namespace {

using wire::Function;
using wire::Writer;

using Objects = std::initializer_list<const RemoteObject*>;

// The process that has these objects, which may be null; without any, the one that runs.
// Errors: as WorkerLife::Get.
std::shared_ptr<Worker> FindWorker(WorkerLife& life, Objects objects) {
  std::shared_ptr<Worker> worker;
  for (const RemoteObject* const object : objects) {
    if (object == nullptr) continue;
    worker = object->ShareWorker();
    if (worker->HasEnded()) break;  // asking it tells how
  }
  return worker ? worker : life.Get();
}

// Asks for an object, which may be none.
template <typename Made, typename Interface, typename Write>
std::unique_ptr<Interface> Make(WorkerLife& life, Objects objects, Function function,
                                const Write& write) {
  auto object = MakeRemote(FindWorker(life, objects), function, write);
  if (!object) return nullptr;
  return std::make_unique<Made>(std::move(object));
}

// Asks, and lets `take` read the answer.
template <typename Take>
auto Ask(WorkerLife& life, Objects objects, Function function, const Writer& body,
         const Take& take) {
  const auto worker = FindWorker(life, objects);
  const auto reply = worker->Call(function, body);
  auto answer = take(reply->reader);
  worker->CheckWhole(*reply);
  return answer;
}

// The layers of a sub-graph, and where their constants lie.
struct WrittenLayers {
  Writer writer;
  Worker::Areas areas;
};

WrittenLayers WriteLayers(const SubgraphView& subgraph, const ISubgraphReader& reader) {
  std::vector<const LayerView*> layers;
  std::vector<const ConstTensor*> constants;
  for (const LayerId id : subgraph.layers) {
    const LayerView* layer = nullptr;
    if (reader.GetLayer(id, &layer) != Status::kSuccess) continue;
    layers.push_back(layer);
    for (std::uint32_t i = 0; i < layer->num_inputs; ++i) {
      constants.push_back(layer->constants != nullptr ? layer->constants[i] : nullptr);
    }
  }
  SharedConstants shared = ShareConstants(constants);
  WrittenLayers written;
  written.areas = std::move(shared.areas);
  written.writer.Put(static_cast<std::uint64_t>(layers.size()));
  auto next = shared.places.begin();
  for (const LayerView* const layer : layers) {
    const std::vector<std::optional<messages::ConstantPlace>> places(next,
                                                                     next + layer->num_inputs);
    next += layer->num_inputs;
    messages::LayerSource source;
    source.type = layer->layer_type;
    source.id = layer->id;
    source.name = layer->name;
    source.descriptor = layer->descriptor;
    source.inputs = layer->input_infos;
    source.num_inputs = layer->num_inputs;
    source.num_outputs = layer->num_outputs;
    source.outputs = layer->output_infos;
    source.slots = layer->inputs;
    source.constants = &places;
    messages::Put(written.writer, source);
  }
  return written;
}

}  // namespace

std::unique_ptr<IWorkloadFactory> IsolatedBackend::CreateWorkloadFactory(
    const WorkloadFactoryArgs& args) const {
  const RemoteObject* const model = FindObject(args.model_context);
  auto object = MakeRemote(FindWorker(*life_, {model, FindObject(args.context)}),
                           Function::kCreateWorkloadFactory, [&](Writer& writer) {
                             writer.Put(GetNumber(model));
                             PutCallParts(writer, args.context, args.options);
                           });
  if (!object) return nullptr;
  return std::make_unique<IsolatedWorkloadFactory>(std::move(object), args.model_context);
}

std::unique_ptr<IBackendContext> IsolatedBackend::CreateBackendContext(
    const BackendContextArgs& args) const {
  if (args.allocator) {
    throw UnsupportedException(
        "this backend runs in a process of its own, which cannot use memory that this one "
        "allocates; use memory of the runtime (IRuntime::AllocateTensorMemory)");
  }
  return Make<IsolatedContext, IBackendContext>(*life_, {}, Function::kCreateBackendContext,
                                                [&](Writer& writer) {
                                                  PutCallParts(writer, nullptr, args.options);
                                                  writer.Put(args.is_protected_mode);
                                                });
}

std::shared_ptr<const IBackendModelContext> IsolatedBackend::CreateBackendSpecificModelContext(
    const ModelContextArgs& args) const {
  return Make<IsolatedModelContext, IBackendModelContext>(
      *life_, {FindObject(args.context)}, Function::kCreateModelContext,
      [&](Writer& writer) { PutCallParts(writer, args.context, args.options); });
}

std::unique_ptr<IBackendProfilingContext> IsolatedBackend::CreateBackendProfilingContext(
    const ProfilingContextArgs& args) const {
  const RemoteObject* const context = FindObject(args.context);
  auto object = MakeRemote(FindWorker(*life_, {context}), Function::kCreateProfilingContext,
                           [&](Writer& writer) { writer.Put(GetNumber(context)); });
  if (!object) return nullptr;
  return std::make_unique<IsolatedProfilingContext>(std::move(object), args.profiling);
}

std::shared_ptr<const ILayerSupport> IsolatedBackend::GetLayerSupport(
    const LayerSupportArgs& args) const {
  const RemoteObject* const model = FindObject(args.model_context);
  const RemoteObject* const context = FindObject(args.context);
  return Make<IsolatedLayerSupport, ILayerSupport>(
      *life_, {model, context}, Function::kGetLayerSupport,
      [&](Writer& writer) { writer.Put(GetNumber(model)).Put(GetNumber(context)); });
}

OptimizationViews IsolatedBackend::OptimizeSubgraphView(const OptimizeSubgraphArgs& args) const {
  const RemoteObject* const model = FindObject(args.model_context);
  const auto worker = FindWorker(*life_, {model, FindObject(args.context)});
  const WrittenLayers layers = WriteLayers(*args.subgraph, *args.reader);
  const std::uint64_t first_number = worker->GetObjects().MakeIds(kMaxObjects);
  Writer writer;
  writer.Put(first_number).Put(GetNumber(model));
  writer.Put(static_cast<std::uint8_t>(args.cache != nullptr ? 1 : 0));
  writer.Put(static_cast<std::uint8_t>(args.is_open ? 1 : 0));
  PutCallParts(writer, args.context, args.options);
  wire::PutFields(writer, *args.subgraph);
  writer.Append(layers.writer);
  SubgraphAnswers answers(worker, layers.areas, first_number, *args.builder, args.cache);
  const auto reply =
      worker->Call(Function::kOptimizeSubgraph, writer, layers.areas,
                   [&](const wire::Message& question) { return answers.Answer(question); });
  OptimizationViews views = wire::TakeFields<OptimizationViews>(reply->reader);
  worker->CheckWhole(*reply);
  return views;
}

void IsolatedBackend::RegisterTensorHandleFactories(TensorHandleFactoryRegistry& registry,
                                                    const BackendCallArgs& args) const {
  const auto worker = FindWorker(*life_, {FindObject(args.context)});
  const std::uint64_t first_number = worker->GetObjects().MakeIds(kMaxObjects);
  Writer writer;
  writer.Put(first_number);
  PutCallParts(writer, args.context, args.options);
  RegistryAnswers answers(worker, first_number, registry);
  worker->Call(Function::kRegisterFactories, writer, {},
               [&](const wire::Message& question) { return answers.Answer(question); });
}

std::vector<std::string> IsolatedBackend::GetHandleFactoryPreferences(
    const BackendCallArgs& args) const {
  Writer writer;
  PutCallParts(writer, args.context, args.options);
  return Ask(*life_, {FindObject(args.context)}, Function::kGetHandleFactoryPreferences, writer,
             wire::TakeFields<std::vector<std::string>>);
}

BackendCapabilities IsolatedBackend::GetCapabilities() const {
  return Ask(*life_, {}, Function::kGetCapabilities, Writer(),
             wire::TakeFields<std::vector<BackendOption>>);
}

std::vector<OptionSchema> IsolatedBackend::GetOptionSchemas() const {
  return Ask(*life_, {}, Function::kGetOptionSchemas, Writer(),
             wire::TakeFields<std::vector<OptionSchema>>);
}

}  // namespace backplane::isolation
