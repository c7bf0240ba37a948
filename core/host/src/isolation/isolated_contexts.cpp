#include "isolation/isolated_contexts.hpp"

#include <utility>

namespace backplane::isolation {
namespace {

using messages::Function;
using messages::Writer;

enum Slot : std::uint32_t { kBeforeLoad, kAfterLoad, kBeforeUnload, kAfterUnload };

}  // namespace

std::uint64_t GetContextId(const IBackendContext* context) {
  return context != nullptr ? static_cast<const IsolatedContext*>(context)->GetId() : 0;
}

Status IsolatedContext::BeforeLoadNetwork(const NetworkEvent& event) {
  return Tell(kBeforeLoad, event);
}

Status IsolatedContext::AfterLoadNetwork(const NetworkEvent& event) {
  return Tell(kAfterLoad, event);
}

Status IsolatedContext::BeforeUnloadNetwork(const NetworkEvent& event) {
  return Tell(kBeforeUnload, event);
}

Status IsolatedContext::AfterUnloadNetwork(const NetworkEvent& event) {
  return Tell(kAfterUnload, event);
}

Status IsolatedContext::Tell(std::uint32_t slot, const NetworkEvent& event) {
  WorkerLink& link = object_->GetLink();
  const bool is_unload = slot == kBeforeUnload || slot == kAfterUnload;
  // It stays loaded in the worker, which is the parent's.
  if (is_unload && link.IsForked()) return Status::kSuccess;
  auto step = std::make_shared<Step>();
  step->function = Function::kTellNetworkEvent;
  step->body = Writer().Put(GetId()).Put(slot).Put(event.network_id).Put(event.outcome).Get();
  // What is over is not told again, nor is what never came to be.
  const bool is_over = slot == kAfterUnload || event.outcome != Status::kSuccess;
  if (is_over) {
    const std::lock_guard<std::mutex> lock(mutex_);
    told_.erase(event.network_id);
  }
  const auto reply = link.CallAndKeep(step);
  const auto status = reply->reader.Take<Status>();
  link.CheckWhole(*reply);
  if (!is_over && slot != kBeforeUnload && status == Status::kSuccess) {
    const std::lock_guard<std::mutex> lock(mutex_);
    told_[event.network_id].push_back(std::move(step));
  }
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
  const auto reply = object_->GetLink().Call(Function::kIsLayerSupported, writer);
  const bool is_supported = reply->reader.Take<std::uint8_t>() != 0;
  reason = std::string(reply->reader.TakeText());
  object_->GetLink().CheckWhole(*reply);
  return is_supported;
}

IsolatedProfilingContext::IsolatedProfilingContext(std::unique_ptr<RemoteObject> object,
                                                   IBackendProfiling* profiling)
    : object_(std::move(object)) {
  object_->GetLink().AddProfiling(object_->GetId(), profiling);
}

// What is reported until the other side has destroyed it is still taken.
IsolatedProfilingContext::~IsolatedProfilingContext() {
  const std::uint64_t id = object_->GetId();
  const std::shared_ptr<WorkerLink> link = object_->ShareLink();
  object_.reset();
  link->RemoveProfiling(id);
}

std::vector<CounterDescription> IsolatedProfilingContext::GetCounters() const {
  const auto reply =
      object_->GetLink().Call(Function::kGetCounters, Writer().Put(object_->GetId()));
  auto counters = messages::TakeCounters(reply->reader);
  object_->GetLink().CheckWhole(*reply);
  return counters;
}

Status IsolatedProfilingContext::Keep(Function function, const Writer& body,
                                      std::shared_ptr<Step>& kept) {
  // It goes on as the parent has it.
  if (object_->GetLink().IsForked()) return Status::kSuccess;
  auto step = std::make_shared<Step>();
  step->function = function;
  step->body = body.Get();
  const auto reply = object_->GetLink().CallAndKeep(step);
  const auto status = reply->reader.Take<Status>();
  object_->GetLink().CheckWhole(*reply);
  if (status == Status::kSuccess) kept = std::move(step);
  return status;
}

Status IsolatedProfilingContext::ActivateCounters(std::uint64_t period_us, const std::uint32_t* ids,
                                                  std::uint32_t count) {
  Writer writer;
  writer.Put(object_->GetId()).Put(period_us).Put(static_cast<std::uint64_t>(count));
  for (std::uint32_t i = 0; i < count; ++i) writer.Put(ids[i]);
  return Keep(Function::kActivateCounters, writer, counters_);
}

Status IsolatedProfilingContext::SetTimeline(ProfilingState state) {
  return Keep(Function::kSetTimeline, Writer().Put(object_->GetId()).Put(state), timeline_);
}

}  // namespace backplane::isolation
