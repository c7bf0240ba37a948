#include "serving/served_backend.hpp"

#include "messages/api_values.hpp"
#include "messages/lane.hpp"
#include "serving/asking.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <future>
#include <stdexcept>
#include <utility>

namespace backplane::serving {
namespace {

using messages::Function;
using messages::Reader;
using messages::Writer;

std::string AnswerStatus(Status status) {
  return Writer().Put(status).Get();
}

/// Whether an object was made at all; nothing is kept of null.
std::string AnswerMade(bool is_made) {
  return Writer().Put(static_cast<std::uint8_t>(is_made ? 1 : 0)).Get();
}

/// Reports what the backend measured, under the number of its profiling context.
class RemoteProfiling final : public IBackendProfiling {
 public:
  RemoteProfiling(Notices& notices, std::uint64_t id) : notices_(notices), id_(id) {}

  Status ReportTimelineEvent(const TimelineEvent& event) override {
    if (!is_timeline_on.load()) return Status::kUnsupported;
    Writer writer;
    writer.Put(id_);
    messages::Put(writer, event);
    notices_.Send(Function::kTimelineEvent, writer.Get());
    return Status::kSuccess;
  }
  Status ReportCounterSamples(const CounterSample* samples, std::uint32_t count) override {
    if (samples == nullptr && count != 0) return Status::kInvalidArgument;
    constexpr std::uint32_t kMostAtOnce = 10'000;  // fit into one notice
    while (count != 0) {
      const std::uint32_t part = std::min(count, kMostAtOnce);
      Writer writer;
      writer.Put(id_).PutBytes(samples, part * sizeof(CounterSample));
      notices_.Send(Function::kCounterSamples, writer.Get());
      samples += part;
      count -= part;
    }
    return Status::kSuccess;
  }

  std::atomic<bool> is_timeline_on{false};

 private:
  Notices& notices_;
  std::uint64_t id_;
};

}  // namespace

ServedBackend::ServedBackend(IBackendInternal& backend, HostLine& line, Notices& notices)
    : backend_(backend), line_(line), notices_(notices), logger_(notices, least_level_) {}

ServedBackend::~ServedBackend() = default;

void ServedBackend::Serve(const std::function<void(const char*)>& announce) {
  constexpr const char* kNames[] = {
#define BACKPLANE_MESSAGE(name) #name,
#include "messages/functions.def"
#undef BACKPLANE_MESSAGE
  };
  // Lanes run meanwhile, and what the backend started.
  constexpr char kBesides[] = "a run or in a thread of the backend";
  announce(kBesides);
  while (auto message = line_.Receive()) {
    const auto number = static_cast<std::size_t>(message->function);
    if (number >= std::size(kNames)) return;
    announce(kNames[number]);
    Request request{Reader(message->body), std::move(message->descriptors), {}};
    try {
      // The host waits until all that was told before the answer has come.
      const Body body = DoInItsThread(message->function, request);
      Writer answer;
      answer.Put(notices_.GetNumSent());
      line_.Answer(message->function, answer.Get() + body, request.answer_descriptors);
    } catch (...) {
      line_.AnswerThrown(message->function, messages::DescribeThrown());
    }
    announce(kBesides);
  }
}

/// What computes does so in a thread that ends: those that a library for parallel loops keeps for
/// this one would take processors from the lanes.
ServedBackend::Body ServedBackend::DoInItsThread(Function function, Request& request) {
  const bool computes = function == Function::kOptimizeSubgraph ||
                        function == Function::kCreateWorkload ||
                        function == Function::kCreateWorkloadFactory;
  if (!computes) return Do(function, request);
  return std::async(std::launch::async, [&] { return Do(function, request); }).get();
}

ServedBackend::Body ServedBackend::Do(Function function, Request& request) {
  switch (function) {
#define BACKPLANE_DO(name) \
  case Function::k##name:  \
    return name(request)
    BACKPLANE_DO(Open);
    BACKPLANE_DO(AddArea);
    BACKPLANE_DO(DropArea);
    BACKPLANE_DO(Destroy);
    BACKPLANE_DO(GetCapabilities);
    BACKPLANE_DO(GetOptionSchemas);
    BACKPLANE_DO(GetHandleFactoryPreferences);
    BACKPLANE_DO(CreateBackendContext);
    BACKPLANE_DO(TellNetworkEvent);
    BACKPLANE_DO(CreateModelContext);
    BACKPLANE_DO(CreateMemoryManager);
    BACKPLANE_DO(CreateWorkloadFactory);
    BACKPLANE_DO(CreateProfilingContext);
    BACKPLANE_DO(GetCounters);
    BACKPLANE_DO(ActivateCounters);
    BACKPLANE_DO(SetTimeline);
    BACKPLANE_DO(GetLayerSupport);
    BACKPLANE_DO(IsLayerSupported);
    BACKPLANE_DO(OptimizeSubgraph);
    BACKPLANE_DO(RegisterFactories);
    BACKPLANE_DO(GetRequirements);
    BACKPLANE_DO(CreateTensorHandle);
    BACKPLANE_DO(CreateSubTensorHandle);
    BACKPLANE_DO(BindHandle);
    BACKPLANE_DO(MapHandle);
    BACKPLANE_DO(CopyMapped);
    BACKPLANE_DO(UnmapHandle);
    BACKPLANE_DO(ImportIntoHandle);
    BACKPLANE_DO(UnimportHandle);
    BACKPLANE_DO(ExportHandle);
    BACKPLANE_DO(AcquireBlock);
    BACKPLANE_DO(ReleaseBlock);
    BACKPLANE_DO(CreateWorkload);
    BACKPLANE_DO(CreateLane);
#undef BACKPLANE_DO
    default:
      throw std::runtime_error("the host asked for what no backend does");
  }
}

template <typename Type>
Type& ServedBackend::Get(std::uint64_t id) {
  Type* object = objects_.Find<Type>(id);
  if (object == nullptr) {
    throw std::runtime_error("the host named an object that is not there: " + std::to_string(id));
  }
  return *object;
}

IBackendContext* ServedBackend::FindContext(std::uint64_t id) {
  auto* context = objects_.Find<std::unique_ptr<IBackendContext>>(id);
  return context != nullptr ? context->get() : nullptr;
}

ServedBackend::CallParts ServedBackend::TakeCallParts(Request& request) {
  CallParts parts;
  parts.context = FindContext(request.reader.Take<std::uint64_t>());
  parts.options.backend_id = std::string(request.reader.TakeText());
  parts.options.options = messages::TakeOptions(request.reader);
  return parts;
}

BackendCallArgs ServedBackend::MakeCallArgs(const CallParts& parts) {
  BackendCallArgs args;
  args.context = parts.context;
  args.options = &parts.options;
  args.logger = &logger_;
  return args;
}

ServedBackend::Body ServedBackend::Open(Request& request) {
  least_level_ = request.reader.Take<std::uint32_t>();
  return Writer().Put(static_cast<std::int64_t>(getpid())).Get();
}

ServedBackend::Body ServedBackend::AddArea(Request& request) {
  const auto id = request.reader.Take<std::uint64_t>();
  const auto size_bytes = request.reader.Take<std::uint64_t>();
  const bool is_added =
      !request.descriptors.empty() && areas_.Add(id, request.descriptors.front(), size_bytes);
  return AnswerStatus(is_added ? Status::kSuccess : Status::kOutOfMemory);
}

ServedBackend::Body ServedBackend::DropArea(Request& request) {
  areas_.Drop(request.reader.Take<std::uint64_t>());
  return {};
}

ServedBackend::Body ServedBackend::Destroy(Request& request) {
  const auto id = request.reader.Take<std::uint64_t>();
  objects_.Destroy(id);
  profilings_.erase(id);
  return {};
}

ServedBackend::Body ServedBackend::GetCapabilities(Request& /*request*/) {
  Writer writer;
  messages::Put(writer, backend_.GetCapabilities());
  return writer.Get();
}

ServedBackend::Body ServedBackend::GetOptionSchemas(Request& /*request*/) {
  Writer writer;
  messages::Put(writer, backend_.GetOptionSchemas());
  return writer.Get();
}

ServedBackend::Body ServedBackend::GetHandleFactoryPreferences(Request& request) {
  const CallParts parts = TakeCallParts(request);
  Writer writer;
  messages::Put(writer, backend_.GetHandleFactoryPreferences(MakeCallArgs(parts)));
  return writer.Get();
}

ServedBackend::Body ServedBackend::CreateBackendContext(Request& request) {
  const auto id = request.reader.Take<std::uint64_t>();
  const CallParts parts = TakeCallParts(request);
  BackendContextArgs args;
  args.is_protected_mode = request.reader.Take<std::uint32_t>();
  args.options = &parts.options;
  args.logger = &logger_;
  auto context = backend_.CreateBackendContext(args);
  const bool is_made = context != nullptr;
  if (is_made) objects_.Keep(id, std::move(context));
  return AnswerMade(is_made);
}

ServedBackend::Body ServedBackend::TellNetworkEvent(Request& request) {
  IBackendContext& context =
      *Get<std::unique_ptr<IBackendContext>>(request.reader.Take<std::uint64_t>());
  const auto slot = request.reader.Take<std::uint32_t>();
  NetworkEvent event;
  event.network_id = request.reader.Take<NetworkId>();
  event.outcome = request.reader.Take<Status>();
  switch (slot) {
    case 0:
      return AnswerStatus(context.BeforeLoadNetwork(event));
    case 1:
      return AnswerStatus(context.AfterLoadNetwork(event));
    case 2:
      return AnswerStatus(context.BeforeUnloadNetwork(event));
    default:
      return AnswerStatus(context.AfterUnloadNetwork(event));
  }
}

ServedBackend::Body ServedBackend::CreateModelContext(Request& request) {
  const auto id = request.reader.Take<std::uint64_t>();
  const CallParts parts = TakeCallParts(request);
  ModelContextArgs args;
  args.options = &parts.options;
  args.logger = &logger_;
  args.context = parts.context;
  auto context = backend_.CreateBackendSpecificModelContext(args);
  const bool is_made = context != nullptr;
  if (is_made) objects_.Keep(id, std::move(context));
  return AnswerMade(is_made);
}

ServedBackend::Body ServedBackend::CreateMemoryManager(Request& request) {
  const auto id = request.reader.Take<std::uint64_t>();
  const CallParts parts = TakeCallParts(request);
  auto manager = backend_.CreateMemoryManager(MakeCallArgs(parts));
  const bool is_made = manager != nullptr;
  if (is_made) objects_.Keep(id, std::shared_ptr<IMemoryManager>(std::move(manager)));
  return AnswerMade(is_made);
}

ServedBackend::Body ServedBackend::CreateWorkloadFactory(Request& request) {
  const auto id = request.reader.Take<std::uint64_t>();
  const auto manager = request.reader.Take<std::uint64_t>();
  const auto model_context = request.reader.Take<std::uint64_t>();
  const CallParts parts = TakeCallParts(request);
  WorkloadFactoryArgs args;
  if (manager != 0) args.memory_manager = Get<std::shared_ptr<IMemoryManager>>(manager);
  if (model_context != 0) {
    args.model_context = Get<std::shared_ptr<const IBackendModelContext>>(model_context);
  }
  args.options = &parts.options;
  args.logger = &logger_;
  args.context = parts.context;
  auto factory = backend_.CreateWorkloadFactory(args);
  const bool is_made = factory != nullptr;
  if (is_made) objects_.Keep(id, std::move(factory));
  return AnswerMade(is_made);
}

ServedBackend::Body ServedBackend::CreateProfilingContext(Request& request) {
  const auto id = request.reader.Take<std::uint64_t>();
  ProfilingContextArgs args;
  args.context = FindContext(request.reader.Take<std::uint64_t>());
  auto profiling = std::make_unique<RemoteProfiling>(notices_, id);
  args.profiling = profiling.get();
  args.logger = &logger_;
  auto context = backend_.CreateBackendProfilingContext(args);
  const bool is_made = context != nullptr;
  if (is_made) {
    objects_.Keep(id, std::move(context));
    profilings_[id] = std::move(profiling);
  }
  return AnswerMade(is_made);
}

ServedBackend::Body ServedBackend::GetCounters(Request& request) {
  Writer writer;
  messages::Put(writer,
                Get<std::unique_ptr<IBackendProfilingContext>>(request.reader.Take<std::uint64_t>())
                    ->GetCounters());
  return writer.Get();
}

ServedBackend::Body ServedBackend::ActivateCounters(Request& request) {
  auto& context =
      Get<std::unique_ptr<IBackendProfilingContext>>(request.reader.Take<std::uint64_t>());
  const auto period_us = request.reader.Take<std::uint64_t>();
  std::vector<std::uint32_t> ids(request.reader.TakeCount(sizeof(std::uint32_t)));
  for (std::uint32_t& id : ids) id = request.reader.Take<std::uint32_t>();
  return AnswerStatus(
      context->ActivateCounters(period_us, ids.data(), static_cast<std::uint32_t>(ids.size())));
}

ServedBackend::Body ServedBackend::SetTimeline(Request& request) {
  const auto id = request.reader.Take<std::uint64_t>();
  auto& context = Get<std::unique_ptr<IBackendProfilingContext>>(id);
  const auto state = request.reader.Take<ProfilingState>();
  static_cast<RemoteProfiling&>(*profilings_.at(id)).is_timeline_on = state == ProfilingState::kOn;
  return AnswerStatus(context->SetTimeline(state));
}

ServedBackend::Body ServedBackend::GetLayerSupport(Request& request) {
  const auto id = request.reader.Take<std::uint64_t>();
  const auto model_context = request.reader.Take<std::uint64_t>();
  LayerSupportArgs args;
  args.context = FindContext(request.reader.Take<std::uint64_t>());
  if (model_context != 0) {
    args.model_context = Get<std::shared_ptr<const IBackendModelContext>>(model_context);
  }
  auto support = backend_.GetLayerSupport(args);
  const bool is_made = support != nullptr;
  if (is_made) objects_.Keep(id, std::move(support));
  return AnswerMade(is_made);
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
  const CallParts parts = TakeCallParts(request);
  const SubgraphView subgraph = messages::TakeSubgraph(request.reader);
  ServedSubgraph reader;
  const bool is_whole = reader.Read(request.reader, [&](const messages::ConstantPlace& place) {
    return static_cast<const void*>(
        areas_.Find(place.area, place.offset_bytes, place.info.GetSizeBytes()));
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
  Writer writer;
  messages::Put(writer, backend_.OptimizeSubgraphView(args));
  return writer.Get();
}

ServedBackend::Body ServedBackend::RegisterFactories(Request& request) {
  auto next_id = request.reader.Take<std::uint64_t>();
  const CallParts parts = TakeCallParts(request);
  AskingRegistry registry(
      line_,
      [&](std::unique_ptr<ITensorHandleFactory> factory) {
        objects_.Keep(next_id, std::move(factory));
        return next_id++;
      },
      [&](std::shared_ptr<IMemoryManager> manager) {
        objects_.Keep(next_id, std::move(manager));
        return next_id++;
      });
  backend_.RegisterTensorHandleFactories(registry, MakeCallArgs(parts));
  return {};
}

ServedBackend::Body ServedBackend::GetRequirements(Request& request) {
  auto& factory = Get<std::unique_ptr<ITensorHandleFactory>>(request.reader.Take<std::uint64_t>());
  TensorRequirementsArgs args;
  args.layer_type = request.reader.Take<LayerType>();
  const TensorInfo info = messages::TakeInfo(request.reader);
  args.info = &info;
  return Writer().Put(factory->GetRequirements(args)).Get();
}

ServedBackend::Body ServedBackend::CreateTensorHandle(Request& request) {
  const auto id = request.reader.Take<std::uint64_t>();
  auto& factory = Get<std::unique_ptr<ITensorHandleFactory>>(request.reader.Take<std::uint64_t>());
  const TensorInfo info = messages::TakeInfo(request.reader);
  TensorHandleArgs args;
  args.info = &info;
  auto handle = factory->CreateTensorHandle(args);
  return AnswerHandle(id, std::move(handle), request);
}

ServedBackend::Body ServedBackend::CreateSubTensorHandle(Request& request) {
  const auto id = request.reader.Take<std::uint64_t>();
  auto& factory = Get<std::unique_ptr<ITensorHandleFactory>>(request.reader.Take<std::uint64_t>());
  auto& parent = Get<ServedHandle>(request.reader.Take<std::uint64_t>());
  const TensorInfo info = messages::TakeInfo(request.reader);
  std::int64_t origin[kMaxRank] = {};
  for (std::int64_t& index : origin) index = request.reader.Take<std::int64_t>();
  SubTensorHandleArgs args;
  args.parent = parent.handle.get();
  args.info = &info;
  args.origin = origin;
  auto handle = factory->CreateSubTensorHandle(args);
  return AnswerHandle(id, std::move(handle), request);
}

ServedBackend::Body ServedBackend::AnswerHandle(std::uint64_t id,
                                                std::unique_ptr<ITensorHandle> handle,
                                                Request& request) {
  if (!handle) return AnswerMade(false);
  Writer writer;
  writer.Put(std::uint8_t{1});
  PutView(writer, handle->GetMemoryView(), request);
  ServedHandle served;
  served.handle = std::move(handle);
  objects_.Keep(id, std::move(served));
  return writer.Get();
}

ServedBackend::Body ServedBackend::BindHandle(Request& request) {
  auto& handle = Get<ServedHandle>(request.reader.Take<std::uint64_t>());
  const auto block_id = request.reader.Take<std::uint64_t>();
  const auto area = request.reader.Take<std::uint64_t>();
  const auto begin_bytes = request.reader.Take<std::uint64_t>();
  const auto size_bytes = request.reader.Take<std::uint64_t>();
  const auto offset_bytes = request.reader.Take<std::uint64_t>();
  MemoryBlock block;
  if (block_id != 0) {
    block = Get<ServedBlock>(block_id).block;
  } else {
    block.data = areas_.Find(area, begin_bytes, size_bytes);
    block.source = MemorySource::kMalloc;
    block.size_bytes = size_bytes;
    if (block.data == nullptr) return AnswerStatus(Status::kInvalidArgument);
  }
  Writer writer;
  writer.Put(handle.handle->Bind(block, offset_bytes));
  PutView(writer, handle.handle->GetMemoryView(), request);
  return writer.Get();
}

ServedBackend::Body ServedBackend::MapHandle(Request& request) {
  auto& handle = Get<ServedHandle>(request.reader.Take<std::uint64_t>());
  const auto access = request.reader.Take<MemoryAccess>();
  handle.mapped = {};
  const Status status = handle.handle->Map(access, &handle.mapped);
  Writer writer;
  writer.Put(status);
  PutView(writer, status == Status::kSuccess ? &handle.mapped : nullptr, request);
  return writer.Get();
}

ServedBackend::Body ServedBackend::CopyMapped(Request& request) {
  auto& handle = Get<ServedHandle>(request.reader.Take<std::uint64_t>());
  const auto area = request.reader.Take<std::uint64_t>();
  const bool is_read = request.reader.Take<std::uint8_t>() != 0;
  const MemoryView& view = handle.mapped;
  std::byte* staged = areas_.Find(area, 0, view.size_bytes);
  if (staged == nullptr || view.data == nullptr) return AnswerStatus(Status::kInvalidArgument);
  void* const to = is_read ? staged : view.data;
  const void* const from = is_read ? view.data : staged;
  std::memmove(to, from, view.size_bytes);
  return AnswerStatus(Status::kSuccess);
}

ServedBackend::Body ServedBackend::UnmapHandle(Request& request) {
  auto& handle = Get<ServedHandle>(request.reader.Take<std::uint64_t>());
  handle.mapped = {};
  return AnswerStatus(handle.handle->Unmap());
}

ServedBackend::Body ServedBackend::ImportIntoHandle(Request& request) {
  auto& handle = Get<ServedHandle>(request.reader.Take<std::uint64_t>());
  const auto version = request.reader.Take<std::uint64_t>();
  auto view = request.reader.Take<MemoryView>();
  const auto area = request.reader.Take<std::uint64_t>();
  const auto offset_bytes = request.reader.Take<std::uint64_t>();
  view.data = nullptr;
  if (area != 0) {
    view.data = areas_.Find(area, offset_bytes, view.size_bytes);
    if (view.data == nullptr) return AnswerStatus(Status::kInvalidArgument);
  }
  view.file_descriptor = -1;
  if (!request.descriptors.empty()) {
    handle.imported_file = std::move(request.descriptors.front());
    view.file_descriptor = handle.imported_file.Get();
  }
  Writer writer;
  writer.Put(handle.Import(view, version));
  PutView(writer, handle.handle->GetMemoryView(), request);
  return writer.Get();
}

ServedBackend::Body ServedBackend::UnimportHandle(Request& request) {
  auto& handle = Get<ServedHandle>(request.reader.Take<std::uint64_t>());
  Writer writer;
  writer.Put(handle.Unimport(request.reader.Take<std::uint64_t>()));
  PutView(writer, handle.handle->GetMemoryView(), request);
  return writer.Get();
}

ServedBackend::Body ServedBackend::ExportHandle(Request& request) {
  auto& handle = Get<ServedHandle>(request.reader.Take<std::uint64_t>());
  const auto source = request.reader.Take<MemorySource>();
  MemoryView view;
  const Status status = handle.handle->Export(source, &view);
  Writer writer;
  writer.Put(status);
  PutView(writer, status == Status::kSuccess ? &view : nullptr, request);
  return writer.Get();
}

ServedBackend::Body ServedBackend::AcquireBlock(Request& request) {
  const auto id = request.reader.Take<std::uint64_t>();
  auto& manager = Get<std::shared_ptr<IMemoryManager>>(request.reader.Take<std::uint64_t>());
  const auto requirements = request.reader.Take<MemoryRequirements>();
  MemoryBlock block;
  const Status status = manager->Acquire(requirements, &block);
  if (status == Status::kSuccess) objects_.Keep(id, ServedBlock{manager, block});
  if (block.file_descriptor >= 0) request.answer_descriptors.push_back(block.file_descriptor);
  return Writer().Put(status).Put(block.source).Put(block.size_bytes).Get();
}

ServedBackend::Body ServedBackend::ReleaseBlock(Request& request) {
  const auto id = request.reader.Take<std::uint64_t>();
  ServedBlock& served = Get<ServedBlock>(id);
  served.manager->Release(served.block);
  objects_.Destroy(id);
  return {};
}

ServedBackend::Body ServedBackend::CreateWorkload(Request& request) {
  const auto id = request.reader.Take<std::uint64_t>();
  auto& factory = Get<std::unique_ptr<IWorkloadFactory>>(request.reader.Take<std::uint64_t>());
  const auto pre_compiled = request.reader.Take<std::uint64_t>();
  const auto layer = messages::TakeLayer(request.reader);
  const std::vector<std::string> input_factories = messages::TakeTexts(request.reader);
  const std::vector<std::string> output_factories = messages::TakeTexts(request.reader);
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
    const messages::ConstantPlace& place = *layer->constants[i];
    contents[i] = {place.info,
                   areas_.Find(place.area, place.offset_bytes, place.info.GetSizeBytes())};
    if (contents[i].data == nullptr && place.info.GetSizeBytes() != 0) {
      throw std::runtime_error("the host names a constant that is not there");
    }
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
  const bool is_made = workload != nullptr;
  if (is_made) objects_.Keep(id, std::shared_ptr<const IWorkload>(std::move(workload)));
  return AnswerMade(is_made);
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
  std::byte* memory = areas_.Find(area, 0, messages::GetLaneBytes(num_operands));
  if (memory == nullptr) throw std::runtime_error("the host's lane is too small");
  LaneSources sources;
  sources.memory = areas_.Hold(area);
  sources.areas = &areas_;
  sources.notices = &notices_;
  sources.find_handle = [this](std::uint64_t handle) {
    return objects_.Find<ServedHandle>(handle);
  };
  objects_.Keep(id, std::make_unique<LaneRunner>(reinterpret_cast<messages::LaneHeader*>(memory),
                                                 std::move(workloads),
                                                 factory->CreateExecutionState(), sources));
  return {};
}

void ServedBackend::PutView(Writer& writer, const MemoryView* view, Request& request) const {
  writer.Put(static_cast<std::uint8_t>(view != nullptr ? 1 : 0));
  if (view == nullptr) return;
  const auto place = view->data != nullptr ? areas_.FindPlace(view->data) : std::nullopt;
  MemoryView sent = *view;
  sent.data = nullptr;
  sent.file_descriptor = view->file_descriptor >= 0 ? 0 : -1;
  writer.Put(sent).Put(place ? place->first : std::uint64_t{0});
  writer.Put(place ? place->second : std::uint64_t{0});
  if (view->file_descriptor >= 0) request.answer_descriptors.push_back(view->file_descriptor);
}

}  // namespace backplane::serving
