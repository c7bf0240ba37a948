// Layers: which the backend supports, what it compiles, and the workloads that run them.
#include "serving/served_backend.hpp"

#include "messages/api_values.hpp"
#include "serving/asking.hpp"
#include "wire/lane.hpp"

#include <stdexcept>
#include <utility>

namespace backplane::serving {
namespace {

using wire::Writer;

}  // namespace

ServedBackend::Body ServedBackend::GetLayerSupport(Request& request) {
  const auto id = request.reader.Take<std::uint64_t>();
  const auto model_context = request.reader.Take<std::uint64_t>();
  LayerSupportArgs args;
  args.context = FindContext(request.reader.Take<std::uint64_t>());
  if (model_context != 0) {
    args.model_context = Get<std::shared_ptr<const IBackendModelContext>>(model_context);
  }
  auto support = backend_.GetLayerSupport(args);
  return KeepMade(id, std::move(support));
}

ServedBackend::Body ServedBackend::IsLayerSupported(Request& request) {
  auto& support = Get<std::shared_ptr<const ILayerSupport>>(request.reader.Take<std::uint64_t>());
  const auto layer = messages::TakeLayer(request.reader);
  std::vector<std::uint8_t> is_constant(request.reader.TakeCount(1));
  for (std::uint8_t& one : is_constant) one = request.reader.Take<std::uint8_t>();
  if (!layer || is_constant.size() != layer->inputs.size()) {
    throw std::runtime_error("the host asked about a layer that is not whole");
  }
  const auto inputs = messages::PointToEach(layer->inputs);
  const auto outputs = messages::PointToEach(layer->outputs);
  LayerSupportQuery query;
  query.layer_type = layer->type;
  query.layer_name = layer->name.c_str();
  query.descriptor = layer->descriptor.Get();
  query.inputs = inputs.data();
  query.num_inputs = static_cast<std::uint32_t>(inputs.size());
  query.num_outputs = static_cast<std::uint32_t>(outputs.size());
  query.outputs = outputs.data();
  query.input_is_constant = is_constant.data();
  std::string reason;
  const bool is_supported = support->IsLayerSupported(query, reason);
  Writer writer;
  writer.Put(static_cast<std::uint8_t>(is_supported ? 1 : 0)).PutText(reason);
  return writer.Get();
}

ServedBackend::Body ServedBackend::OptimizeSubgraph(Request& request) {
  auto next_id = request.reader.Take<std::uint64_t>();
  const auto model_context = request.reader.Take<std::uint64_t>();
  const bool has_cache = request.reader.Take<std::uint8_t>() != 0;
  const bool is_open = request.reader.Take<std::uint8_t>() != 0;
  const CallParts parts = TakeCallParts(request);
  const SubgraphView subgraph = wire::TakeFields<SubgraphView>(request.reader);
  ServedSubgraph reader;
  const bool is_whole = reader.Read(request.reader, [&](const messages::ConstantPlace& place) {
    const void* content = areas_.Find(place.area, place.offset_bytes, place.info.GetSizeBytes());
    if (content == nullptr) return std::shared_ptr<const void>();
    return std::shared_ptr<const void>(areas_.Hold(place.area), content);
  });
  if (!is_whole) throw std::runtime_error("the host offered a sub-graph that is not whole");
  AskingBuilder builder(line_, [&](std::shared_ptr<const IPreCompiledObject> object) {
    objects_.Keep(next_id, std::move(object));
    return next_id++;
  });
  AskingCache cache(line_);
  OptimizeSubgraphArgs args;
  args.subgraph = &subgraph;
  args.reader = &reader;
  args.builder = &builder;
  if (model_context != 0) {
    args.model_context = Get<std::shared_ptr<const IBackendModelContext>>(model_context);
  }
  args.options = &parts.options;
  args.logger = &logger_;
  args.context = parts.context;
  args.cache = has_cache ? &cache : nullptr;
  args.is_open = is_open;
  Writer writer;
  wire::PutFields(writer, backend_.OptimizeSubgraphView(args));
  return writer.Get();
}

ServedBackend::Body ServedBackend::ResizeCompiled(Request& request) {
  const auto id = request.reader.Take<std::uint64_t>();
  auto& compiled =
      Get<std::shared_ptr<const IPreCompiledObject>>(request.reader.Take<std::uint64_t>());
  const auto model_context = request.reader.Take<std::uint64_t>();
  const CallParts parts = TakeCallParts(request);
  const auto changes = wire::TakeFields<std::vector<ExtentChange>>(request.reader);
  const auto readers = wire::TakeFields<std::vector<OutputSlot>>(request.reader);
  std::vector<ConstTensor> contents;
  for (std::size_t i = 0; i < readers.size(); ++i) {
    contents.push_back(FindConstant(wire::TakeFields<messages::ConstantPlace>(request.reader)));
  }
  const auto constants = messages::PointToEach(contents);
  ResizeArgs args;
  args.num_changes = static_cast<std::uint32_t>(changes.size());
  args.changes = changes.data();
  args.readers = readers.data();
  args.constants = constants.data();
  args.num_constants = static_cast<std::uint32_t>(readers.size());
  if (model_context != 0) {
    args.model_context = Get<std::shared_ptr<const IBackendModelContext>>(model_context);
  }
  args.options = &parts.options;
  args.logger = &logger_;
  args.context = parts.context;
  return KeepMade(id, compiled->Resize(args));
}

// Where the host says that a constant lies.
ConstTensor ServedBackend::FindConstant(const messages::ConstantPlace& place) {
  const std::uint64_t size_bytes = place.info.GetSizeBytes();
  const ConstTensor constant{place.info,
                             areas_.Find(place.area, place.offset_bytes, size_bytes),
                             {place.identity[0], place.identity[1]}};
  if (constant.data == nullptr && size_bytes != 0) {
    throw std::runtime_error("the host names a constant that is not there");
  }
  return constant;
}

ServedBackend::Body ServedBackend::CreateWorkloadFactory(Request& request) {
  const auto id = request.reader.Take<std::uint64_t>();
  const auto model_context = request.reader.Take<std::uint64_t>();
  const CallParts parts = TakeCallParts(request);
  WorkloadFactoryArgs args;
  if (model_context != 0) {
    args.model_context = Get<std::shared_ptr<const IBackendModelContext>>(model_context);
  }
  args.options = &parts.options;
  args.logger = &logger_;
  args.context = parts.context;
  auto factory = backend_.CreateWorkloadFactory(args);
  return KeepMade(id, std::move(factory));
}

ServedBackend::Body ServedBackend::CreateWorkload(Request& request) {
  const auto id = request.reader.Take<std::uint64_t>();
  auto& factory = Get<std::unique_ptr<IWorkloadFactory>>(request.reader.Take<std::uint64_t>());
  const auto pre_compiled = request.reader.Take<std::uint64_t>();
  const auto layer = messages::TakeLayer(request.reader);
  const std::vector<std::string> input_factories =
      wire::TakeFields<std::vector<std::string>>(request.reader);
  const std::vector<std::string> output_factories =
      wire::TakeFields<std::vector<std::string>>(request.reader);
  if (!layer || layer->constants.size() != layer->inputs.size() ||
      input_factories.size() != layer->inputs.size() ||
      output_factories.size() != layer->outputs.size()) {
    throw std::runtime_error("the host wants a workload of a layer that is not whole");
  }
  const auto inputs = messages::PointToEach(layer->inputs);
  const auto outputs = messages::PointToEach(layer->outputs);
  std::vector<ConstTensor> contents(inputs.size());
  std::vector<const ConstTensor*> constants(inputs.size(), nullptr);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!layer->constants[i]) continue;
    contents[i] = FindConstant(*layer->constants[i]);
    constants[i] = &contents[i];
  }
  const auto point = [](const std::vector<std::string>& texts) {
    std::vector<const char*> pointers;
    for (const std::string& text : texts) pointers.push_back(text.c_str());
    return pointers;
  };
  const auto inputs_of = point(input_factories);
  const auto outputs_of = point(output_factories);
  WorkloadArgs args;
  args.layer_type = layer->type;
  args.layer_name = layer->name.c_str();
  args.descriptor = layer->descriptor.Get();
  args.inputs = inputs.data();
  args.num_inputs = static_cast<std::uint32_t>(inputs.size());
  args.num_outputs = static_cast<std::uint32_t>(outputs.size());
  args.outputs = outputs.data();
  args.constants = constants.data();
  if (pre_compiled != 0) {
    args.pre_compiled = Get<std::shared_ptr<const IPreCompiledObject>>(pre_compiled);
  }
  args.input_factories = inputs_of.data();
  args.output_factories = outputs_of.data();
  auto workload = factory->CreateWorkload(args);
  return KeepMade(id, std::shared_ptr<const IWorkload>(std::move(workload)));
}

ServedBackend::Body ServedBackend::GetConstantBytes(Request& request) {
  const auto& factory =
      Get<std::unique_ptr<IWorkloadFactory>>(request.reader.Take<std::uint64_t>());
  return Writer().Put(factory->GetConstantBytes()).Get();
}

ServedBackend::Body ServedBackend::CreateLane(Request& request) {
  const auto id = request.reader.Take<std::uint64_t>();
  auto& factory = Get<std::unique_ptr<IWorkloadFactory>>(request.reader.Take<std::uint64_t>());
  const auto area = request.reader.Take<std::uint64_t>();
  constexpr std::size_t kMostOperands = std::size_t{1} << 24U;
  std::vector<LaneWorkload> workloads(request.reader.TakeCount(16));
  std::size_t num_operands = 0;
  for (LaneWorkload& workload : workloads) {
    // One that is destroyed leaves its number.
    const auto* const found =
        objects_.Find<std::shared_ptr<const IWorkload>>(request.reader.Take<std::uint64_t>());
    if (found != nullptr) workload.workload = *found;
    workload.num_inputs = request.reader.Take<std::uint32_t>();
    workload.num_outputs = request.reader.Take<std::uint32_t>();
    num_operands += std::size_t{workload.num_inputs} + workload.num_outputs;
    if (num_operands > kMostOperands) break;
  }
  if (num_operands > kMostOperands) throw std::runtime_error("the host's lane is too large");
  std::byte* memory = areas_.Find(area, 0, wire::GetLaneBytes(num_operands));
  if (memory == nullptr) throw std::runtime_error("the host's lane is too small");
  LaneSources sources;
  sources.memory = areas_.Hold(area);
  sources.areas = &areas_;
  sources.notices = &notices_;
  sources.find_handle = [this](std::uint64_t handle) {
    return objects_.Find<ServedHandle>(handle);
  };
  objects_.Keep(id, std::make_unique<LaneRunner>(reinterpret_cast<wire::LaneHeader*>(memory),
                                                 std::move(workloads),
                                                 factory->CreateExecutionState(), sources));
  return {};
}

}  // namespace backplane::serving
