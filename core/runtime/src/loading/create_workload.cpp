#include "loading/create_workload.hpp"

#include "network/layer_tensors.hpp"

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
  diagnostic.fix = "report this to the vendor of the backend, or prefer another backend";
  throw DiagnosticException(std::move(diagnostic));
}

}  // namespace

PluginObject<IWorkload> CreateWorkload(const LoadedBackend& backend, const Graph& graph,
                                       const Layer& layer) {
  const LayerTensors tensors(graph, layer);
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
  auto result = backend.factory.Call<&IWorkloadFactory::CreateWorkload>(args);
  if (result.HasFailed()) ThrowNotCreated(backend, layer, result.failure.get());
  if (!result.value) ThrowNotCreated(backend, layer, nullptr);
  return {std::move(result.value), backend.factory.GetOrigin()};
}

}  // namespace backplane
