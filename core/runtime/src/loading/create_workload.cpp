#include "loading/create_workload.hpp"

#include <deque>
#include <utility>
#include <vector>

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
  const std::vector<const TensorInfo*> inputs = GetInputTensors(graph, layer);
  std::vector<const TensorInfo*> outputs;
  for (const TensorInfo& output : layer.outputs) outputs.push_back(&output);
  std::deque<ConstTensor> contents;  // keeps addresses
  std::vector<const ConstTensor*> constants;
  for (const OutputSlot input : layer.inputs) {
    const Layer& producer = graph.layers[input.layer];
    if (producer.type != LayerType::kConstant) {
      constants.push_back(nullptr);
      continue;
    }
    contents.push_back({producer.outputs[0], producer.constant_data.get()});
    constants.push_back(&contents.back());
  }

  WorkloadArgs args;
  args.layer_type = layer.type;
  args.layer_name = layer.name.c_str();
  args.descriptor = layer.descriptor.get();
  args.inputs = inputs.data();
  args.num_inputs = static_cast<std::uint32_t>(inputs.size());
  args.num_outputs = static_cast<std::uint32_t>(outputs.size());
  args.outputs = outputs.data();
  args.constants = constants.data();
  args.pre_compiled = layer.pre_compiled;
  auto result = backend.factory.Call<&IWorkloadFactory::CreateWorkload>(args);
  if (result.HasFailed()) ThrowNotCreated(backend, layer, result.failure.get());
  if (!result.value) ThrowNotCreated(backend, layer, nullptr);
  return {std::move(result.value), backend.factory.GetOrigin()};
}

}  // namespace backplane
