#include "isolation/isolated_contexts.hpp"

#include <utility>

namespace backplane::isolation {
namespace {

using wire::Function;
using wire::Writer;

}  // namespace

const RemoteObject* FindObject(const IBackendContext* context) {
  return context != nullptr ? &static_cast<const IsolatedContext*>(context)->GetObject() : nullptr;
}

const RemoteObject* FindObject(const std::shared_ptr<const IBackendModelContext>& context) {
  return context ? &static_cast<const IsolatedModelContext&>(*context).GetObject() : nullptr;
}

void PutCallParts(Writer& writer, const IBackendContext* context, const BackendOptions* options) {
  writer.Put(GetNumber(FindObject(context)));
  writer.PutText(options != nullptr ? options->backend_id : "");
  wire::PutFields(writer, options != nullptr ? options->options : std::vector<BackendOption>());
}

Status IsolatedContext::OnNetworkEvent(const NetworkEvent& event) {
  Worker& worker = object_->GetWorker();
  const bool is_unload =
      event.kind == NetworkEventKind::kBeforeUnload || event.kind == NetworkEventKind::kAfterUnload;
  // It has gone with its process, or stays loaded in the worker, which is the parent's.
  if (is_unload && (worker.IsForked() || worker.HasEnded())) return Status::kSuccess;
  Writer writer;
  writer.Put(object_->GetId()).Put(event.kind).Put(event.network_id).Put(event.outcome);
  const auto reply = worker.Call(Function::kTellNetworkEvent, writer);
  const auto status = reply->reader.Take<Status>();
  worker.CheckWhole(*reply);
  return status;
}

bool IsolatedLayerSupport::IsLayerSupported(const LayerSupportQuery& query,
                                            std::string& reason) const {
  messages::LayerSource layer;
  layer.type = query.layer_type;
  layer.name = query.layer_name;
  layer.descriptor = query.descriptor;
  layer.inputs = query.inputs;
  layer.num_inputs = query.num_inputs;
  layer.num_outputs = query.num_outputs;
  layer.outputs = query.outputs;
  Writer writer;
  writer.Put(object_->GetId());
  messages::Put(writer, layer);
  writer.Put(static_cast<std::uint64_t>(query.num_inputs));
  for (std::uint32_t i = 0; i < query.num_inputs; ++i) {
    writer.Put(query.input_is_constant != nullptr ? query.input_is_constant[i] : std::uint8_t{0});
  }
  const auto reply = object_->GetWorker().Call(Function::kIsLayerSupported, writer);
  const bool is_supported = reply->reader.Take<std::uint8_t>() != 0;
  reason = std::string(reply->reader.TakeText());
  object_->GetWorker().CheckWhole(*reply);
  return is_supported;
}

IsolatedProfilingContext::IsolatedProfilingContext(std::unique_ptr<RemoteObject> object,
                                                   IBackendProfiling* profiling)
    : object_(std::move(object)) {
  object_->GetWorker().GetObjects().AddProfiling(object_->GetId(), profiling);
}

// What is reported until the other side has destroyed it is still taken.
IsolatedProfilingContext::~IsolatedProfilingContext() {
  const std::uint64_t id = object_->GetId();
  const std::shared_ptr<Worker> worker = object_->ShareWorker();
  object_.reset();
  if (!worker->IsForked()) worker->GetObjects().RemoveProfiling(id);
}

std::vector<CounterDescription> IsolatedProfilingContext::GetCounters() const {
  const auto reply =
      object_->GetWorker().Call(Function::kGetCounters, Writer().Put(object_->GetId()));
  auto counters = wire::TakeFields<std::vector<CounterDescription>>(reply->reader);
  object_->GetWorker().CheckWhole(*reply);
  return counters;
}

Status IsolatedProfilingContext::Tell(Function function, const Writer& body, bool is_off) {
  Worker& worker = object_->GetWorker();
  // It goes on as the parent has it.
  if (worker.IsForked() || (is_off && worker.HasEnded())) return Status::kSuccess;
  const auto reply = worker.Call(function, body);
  const auto status = reply->reader.Take<Status>();
  worker.CheckWhole(*reply);
  return status;
}

Status IsolatedProfilingContext::ActivateCounters(std::uint64_t period_us, const std::uint32_t* ids,
                                                  std::uint32_t count) {
  Writer writer;
  writer.Put(object_->GetId()).Put(period_us).Put(static_cast<std::uint64_t>(count));
  for (std::uint32_t i = 0; i < count; ++i) writer.Put(ids[i]);
  return Tell(Function::kActivateCounters, writer, count == 0);
}

Status IsolatedProfilingContext::SetTimeline(ProfilingState state) {
  return Tell(Function::kSetTimeline, Writer().Put(object_->GetId()).Put(state),
              state == ProfilingState::kOff);
}

}  // namespace backplane::isolation
