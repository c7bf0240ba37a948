#include "placement/layer_answer.hpp"

#include "placement/backend_age.hpp"

#include <backplane/host/thread_places.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace backplane {

PluginObject<const ILayerSupport> GetLayerSupport(const NetworkBackend& backend) {
  LayerSupportArgs args;
  args.model_context = backend.model_context.Share();
  args.context = backend.GetContext();
  auto result = backend.backend.Call<&IBackendInternal::GetLayerSupport>(args);
  return {std::move(result.GetOrThrow()), backend.backend.GetOrigin()};
}

LayerAnswer AskLayerSupport(const PluginObject<const ILayerSupport>& layer_support,
                            const Graph& graph, const Layer& layer) {
  const std::vector<const TensorInfo*> inputs = GetInputTensors(graph, layer);
  std::vector<const TensorInfo*> outputs;
  for (const TensorInfo& output : layer.outputs) outputs.push_back(&output);
  std::vector<std::uint8_t> is_constant;
  for (const OutputSlot input : layer.inputs) {
    is_constant.push_back(graph.layers[input.layer].type == LayerType::kConstant ? 1 : 0);
  }
  LayerSupportQuery query;
  query.layer_type = layer.type;
  query.layer_name = layer.name.c_str();
  query.descriptor = layer.descriptor.get();
  query.inputs = inputs.data();
  query.num_inputs = static_cast<std::uint32_t>(inputs.size());
  query.num_outputs = static_cast<std::uint32_t>(outputs.size());
  query.outputs = outputs.data();
  query.input_is_constant = is_constant.data();

  if (auto refusal = RefuseWhatIsNewer(query, layer_support.GetOrigin()->GetKnownVersion())) {
    return {false, *refusal};
  }
  LayerAnswer answer;
  const CallScope scope([&] {
    return "in backend \"" + layer_support.GetOrigin()->backend_id +
           "\", which was asked whether it supports " + DescribeLayer(layer);
  });
  auto result = layer_support.Call<&ILayerSupport::IsLayerSupported>(query, answer.reason);
  if (result.HasFailed()) result.failure->what += ", asked about " + DescribeLayer(layer);
  answer.is_supported = result.GetOrThrow();
  if (!answer.is_supported && answer.reason.empty()) {
    answer.reason = "it gives no reason; ask the vendor of the backend for one";
  }
  return answer;
}

}  // namespace backplane
