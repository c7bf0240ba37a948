#include "isolation/isolated_backend.hpp"

#include "isolation/answering.hpp"
#include "isolation/isolated_contexts.hpp"
#include "isolation/isolated_memory.hpp"
#include "isolation/isolated_workload.hpp"
#include "isolation/shared_constants.hpp"

#include <utility>

namespace backplane::isolation {
namespace {

using messages::Function;
using messages::Writer;

std::uint64_t GetManagerId(const std::shared_ptr<IMemoryManager>& manager) {
  return manager ? static_cast<const IsolatedNetworkManager&>(*manager).GetId() : 0;
}

std::uint64_t GetModelContextId(const std::shared_ptr<const IBackendModelContext>& context) {
  return context ? static_cast<const IsolatedModelContext&>(*context).GetId() : 0;
}

// What the answer to an asked-for object is, when it may be none.
template <typename Made, typename Interface, typename Write>
std::unique_ptr<Interface> Make(const std::shared_ptr<WorkerLink>& link, Function function,
                                const Write& write) {
  auto object = MakeRemote(link, function, write);
  if (!object) return nullptr;
  return std::make_unique<Made>(std::move(object));
}

// The layers of a sub-graph, and where their constants lie.
struct WrittenLayers {
  Writer writer;
  std::shared_ptr<SharedArea> area;
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
  const SharedConstants shared = ShareConstants(constants);
  WrittenLayers written;
  written.area = shared.area;
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

std::unique_ptr<IMemoryManager> IsolatedBackend::CreateMemoryManager(
    const BackendCallArgs& args) const {
  return Make<IsolatedNetworkManager, IMemoryManager>(
      link_, Function::kCreateMemoryManager,
      [&](Writer& writer) { PutCallParts(writer, args.context, args.options); });
}

std::unique_ptr<IWorkloadFactory> IsolatedBackend::CreateWorkloadFactory(
    const WorkloadFactoryArgs& args) const {
  auto object = MakeRemote(link_, Function::kCreateWorkloadFactory, [&](Writer& writer) {
    writer.Put(GetManagerId(args.memory_manager)).Put(GetModelContextId(args.model_context));
    PutCallParts(writer, args.context, args.options);
  });
  if (!object) return nullptr;
  return std::make_unique<IsolatedWorkloadFactory>(
      std::move(object),
      std::vector<std::shared_ptr<const void>>{args.memory_manager, args.model_context});
}

std::unique_ptr<IBackendContext> IsolatedBackend::CreateBackendContext(
    const BackendContextArgs& args) const {
  return Make<IsolatedContext, IBackendContext>(link_, Function::kCreateBackendContext,
                                                [&](Writer& writer) {
                                                  PutCallParts(writer, nullptr, args.options);
                                                  writer.Put(args.is_protected_mode);
                                                });
}

std::shared_ptr<const IBackendModelContext> IsolatedBackend::CreateBackendSpecificModelContext(
    const ModelContextArgs& args) const {
  return Make<IsolatedModelContext, IBackendModelContext>(
      link_, Function::kCreateModelContext,
      [&](Writer& writer) { PutCallParts(writer, args.context, args.options); });
}

std::unique_ptr<IBackendProfilingContext> IsolatedBackend::CreateBackendProfilingContext(
    const ProfilingContextArgs& args) const {
  auto object = MakeRemote(link_, Function::kCreateProfilingContext,
                           [&](Writer& writer) { writer.Put(GetContextId(args.context)); });
  if (!object) return nullptr;
  return std::make_unique<IsolatedProfilingContext>(std::move(object), args.profiling);
}

std::shared_ptr<const ILayerSupport> IsolatedBackend::GetLayerSupport(
    const LayerSupportArgs& args) const {
  return Make<IsolatedLayerSupport, ILayerSupport>(
      link_, Function::kGetLayerSupport, [&](Writer& writer) {
        writer.Put(GetModelContextId(args.model_context)).Put(GetContextId(args.context));
      });
}

OptimizationViews IsolatedBackend::OptimizeSubgraphView(const OptimizeSubgraphArgs& args) const {
  const WrittenLayers layers = WriteLayers(*args.subgraph, *args.reader);
  const std::uint64_t first_number = link_->MakeIds(kMaxObjects);
  Writer writer;
  writer.Put(first_number).Put(GetModelContextId(args.model_context));
  writer.Put(static_cast<std::uint8_t>(args.cache != nullptr ? 1 : 0));
  PutCallParts(writer, args.context, args.options);
  messages::Put(writer, *args.subgraph);
  auto step = std::make_shared<Step>();
  step->function = Function::kOptimizeSubgraph;
  step->body = writer.Get() + layers.writer.Get();
  if (layers.area) step->areas.push_back(layers.area);
  SubgraphAnswers answers(link_, step, first_number, *args.builder, args.cache);
  const auto reply = link_->CallAndKeep(
      step, [&](const messages::Message& question) { return answers.Answer(question); });
  OptimizationViews views = messages::TakeOptimizationViews(reply->reader);
  link_->CheckWhole(*reply);
  return views;
}

void IsolatedBackend::RegisterTensorHandleFactories(TensorHandleFactoryRegistry& registry,
                                                    const BackendCallArgs& args) const {
  auto step = std::make_shared<Step>();
  step->function = Function::kRegisterFactories;
  const std::uint64_t first_number = link_->MakeIds(kMaxObjects);
  Writer writer;
  writer.Put(first_number);
  PutCallParts(writer, args.context, args.options);
  step->body = writer.Get();
  RegistryAnswers answers(link_, step, first_number, registry);
  link_->CallAndKeep(step,
                     [&](const messages::Message& question) { return answers.Answer(question); });
}

std::vector<std::string> IsolatedBackend::GetHandleFactoryPreferences(
    const BackendCallArgs& args) const {
  Writer writer;
  PutCallParts(writer, args.context, args.options);
  const auto reply = link_->Call(Function::kGetHandleFactoryPreferences, writer);
  std::vector<std::string> preferences = messages::TakeTexts(reply->reader);
  link_->CheckWhole(*reply);
  return preferences;
}

BackendCapabilities IsolatedBackend::GetCapabilities() const {
  const auto reply = link_->Call(Function::kGetCapabilities, Writer());
  BackendCapabilities capabilities = messages::TakeOptions(reply->reader);
  link_->CheckWhole(*reply);
  return capabilities;
}

std::vector<OptionSchema> IsolatedBackend::GetOptionSchemas() const {
  const auto reply = link_->Call(Function::kGetOptionSchemas, Writer());
  std::vector<OptionSchema> schemas = messages::TakeOptionSchemas(reply->reader);
  link_->CheckWhole(*reply);
  return schemas;
}

bool IsolatedBackend::UseCustomMemoryAllocator(const CustomAllocatorArgs& /*args*/,
                                               std::string& reason) const {
  reason =
      "this backend runs in a process of its own, which cannot use memory that this one allocates; "
      "use memory of the runtime (IRuntime::AllocateTensorMemory)";
  return false;
}

}  // namespace backplane::isolation
