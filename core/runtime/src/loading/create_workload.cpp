#include "loading/create_workload.hpp"

#include "network/layer_tensors.hpp"

#include <backplane/host/thread_places.hpp>

#include <utility>

namespace backplane {

namespace {

[[noreturn]] void ThrowNotCreated(const LoadedBackend& backend, const Layer& layer,
                                  const Diagnostic* thrown) {
  Diagnostic diagnostic{DiagnosticCode::kWorkloadNotCreated};
  diagnostic.subject = {SubjectKind::kLayer, GetDisplayName(layer.name, layer.id)};
  diagnostic.what = "backend \"" + backend.backend->id + "\" made no workload for " +
                    DescribeLayer(layer) + ", which it said it supports";
  if (thrown != nullptr) {
    diagnostic.why = thrown->why;
    diagnostic.causes = {*thrown};
  } else {
    diagnostic.why = "CreateWorkload returned null; expected an IWorkload";
  }
  const bool is_memory = thrown != nullptr && thrown->code == DiagnosticCode::kOutOfMemory;
  diagnostic.fix = is_memory
                       ? thrown->fix
                       : "report this to the vendor of the backend, or prefer another backend";
  throw DiagnosticException(std::move(diagnostic));
}

// The ids of the factories of a layer's tensors; "" for constants.
struct LayerFactories {
  LayerFactories(const BridgedNetwork& network, const TensorNumbers& numbers,
                 const KindTable& table, const Layer& layer) {
    const auto get_id = [&](OutputSlot slot) {
      const KindIndex kind = network.kind_of_tensor[numbers.Get(slot)];
      return kind == kNoKind ? "" : table.kinds[kind].id.c_str();
    };
    for (const OutputSlot input : layer.inputs) inputs.push_back(get_id(input));
    for (std::uint32_t index = 0; index < layer.outputs.size(); ++index) {
      outputs.push_back(get_id({layer.id, index}));
    }
  }

  std::vector<const char*> inputs;
  std::vector<const char*> outputs;
};

}  // namespace

PluginObject<IWorkload> CreateWorkload(const LoadedBackend& backend, const BridgedNetwork& network,
                                       const TensorNumbers& numbers, const ShownConstants& shown,
                                       const KindTable& table, const Layer& layer) {
  const LayerTensors tensors(network.graph, shown, layer);
  const LayerFactories factories(network, numbers, table, layer);
  WorkloadArgs args;
  args.layer_type = layer.type;
  args.layer_name = layer.name.c_str();
  args.descriptor = layer.descriptor.get();
  args.inputs = tensors.GetInputs().data();
  args.num_inputs = static_cast<std::uint32_t>(tensors.GetInputs().size());
  args.num_outputs = static_cast<std::uint32_t>(tensors.GetOutputs().size());
  args.outputs = tensors.GetOutputs().data();
  args.constants = tensors.GetConstants().data();
  args.pre_compiled = layer.pre_compiled;
  args.input_factories = factories.inputs.data();
  args.output_factories = factories.outputs.data();
  const CallScope scope([&] {
    return "in backend \"" + backend.backend->id + "\", which made the workload of " +
           DescribeLayer(layer) + " of network \"" + network.graph.name + "\"";
  });
  auto result = backend.factory.Call<&IWorkloadFactory::CreateWorkload>(args);
  if (result.HasFailed()) ThrowNotCreated(backend, layer, result.failure.get());
  if (!result.value) ThrowNotCreated(backend, layer, nullptr);
  return {std::move(result.value), backend.factory.GetOrigin()};
}

}  // namespace backplane
