#include "profiling/network_recorder.hpp"

#include "profiling/clock.hpp"

#include <map>
#include <tuple>
#include <utility>

namespace backplane::profiling {

NetworkRecorder::NetworkRecorder(std::string network, NetworkId id, std::vector<StepName> steps,
                                 std::size_t max_events)
    : network_(std::move(network)), id_(id), steps_(std::move(steps)), max_events_(max_events) {
  GiveBack(Take());
}

RunBuffer& NetworkRecorder::Take() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!idle_.empty()) {
      RunBuffer& buffer = *idle_.back();
      idle_.pop_back();
      return buffer;
    }
  }
  auto made = std::make_unique<RunBuffer>(steps_.size(), max_events_);
  const std::lock_guard<std::mutex> lock(mutex_);
  idle_.reserve(buffers_.size() + 1);
  buffers_.push_back(std::move(made));
  return *buffers_.back();
}

void NetworkRecorder::GiveBack(RunBuffer& buffer) noexcept {
  const std::lock_guard<std::mutex> lock(mutex_);
  idle_.push_back(&buffer);
}

void NetworkRecorder::AddEvents(Profile& profile) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (std::size_t i = 0; i < buffers_.size(); ++i) AddLane(*buffers_[i], i + 1, profile);
}

void NetworkRecorder::AddLane(const RunBuffer& buffer, std::size_t number, Profile& profile) const {
  const auto lane = static_cast<std::uint32_t>(profile.lanes.size());
  profile.lanes.push_back(
      {"", "network " + std::to_string(id_) + " (" + network_ + ") #" + std::to_string(number)});
  buffer.Read(
      [&](const RunBuffer::Record& record) { profile.events.push_back(MakeEvent(record, lane)); },
      [](std::size_t /*step*/, const StepTotal& /*total*/) {});
  profile.num_lost_events += buffer.CountLost();
}

ProfileEvent NetworkRecorder::MakeEvent(const RunBuffer::Record& record, std::uint32_t lane) const {
  ProfileEvent event;
  event.kind = record.kind;
  event.lane = lane;
  event.begin_ns = record.begin_ns;
  event.end_ns = record.end_ns;
  event.has_failed = record.has_failed;
  if (record.kind == ProfileEventKind::kRun) {
    event.name = "run " + network_;
  } else if (record.kind == ProfileEventKind::kCopy) {
    event.name = record.index == 0 ? "copy inputs" : "copy outputs";
  } else {
    const StepName& step = steps_[record.index];
    event.name = record.kind == ProfileEventKind::kWait ? "wait for " + step.name : step.name;
    event.type = GetLayerTypeName(step.type);
    event.backend_id = step.backend_id;
  }
  return event;
}

std::vector<LayerProfile> NetworkRecorder::GetLayers() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<StepTotal> totals(steps_.size());
  for (const auto& buffer : buffers_) {
    buffer->Read([](const RunBuffer::Record& /*record*/) {},
                 [&](std::size_t step, const StepTotal& total) { AddTotal(total, totals[step]); });
  }
  std::vector<LayerProfile> layers;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    LayerProfile layer;
    layer.network = network_;
    layer.network_id = id_;
    layer.layer = steps_[i].layer;
    layer.name = steps_[i].name;
    layer.type = steps_[i].type;
    layer.backend_id = steps_[i].backend_id;
    AddTotal(totals[i], layer);
    layers.push_back(std::move(layer));
  }
  AddLayers(absorbed_, layers);
  return layers;
}

void NetworkRecorder::Absorb(const NetworkRecorder& gone) {
  const std::vector<LayerProfile> layers = gone.GetLayers();
  const std::lock_guard<std::mutex> lock(mutex_);
  AddLayers(layers, absorbed_);
}

void AddLayers(const std::vector<LayerProfile>& from, std::vector<LayerProfile>& to) {
  if (to.empty()) {
    to = from;
    return;
  }
  using Key = std::tuple<std::string, LayerType, std::string>;
  std::map<Key, std::size_t> known;
  for (std::size_t i = 0; i < to.size(); ++i) {
    known.emplace(Key(to[i].name, to[i].type, to[i].backend_id), i);
  }
  for (const LayerProfile& layer : from) {
    const auto [at, is_new] =
        known.emplace(Key(layer.name, layer.type, layer.backend_id), to.size());
    if (is_new) {
      to.push_back(layer);
    } else {
      AddTotal(layer, to[at->second]);
    }
  }
}

std::uint64_t NetworkRecorder::CountEvents() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::uint64_t count = 0;
  for (const auto& buffer : buffers_) {
    count += buffer->CountLost();
    buffer->Read([&](const RunBuffer::Record& /*record*/) { ++count; },
                 [](std::size_t /*step*/, const StepTotal& /*total*/) {});
  }
  return count;
}

void NetworkRecorder::Shrink() {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& buffer : buffers_) buffer->Shrink();
}

RunTimer::RunTimer(NetworkRecorder& recorder)
    : recorder_(recorder),
      buffer_(recorder.Take()),
      num_done_(recorder.GetNumSteps()),
      begin_ns_(Now()) {
  buffer_.GetTimes().ForgetWaits();
}

RunTimer::~RunTimer() {
  buffer_.TakeOver(begin_ns_, Now(), num_done_, has_failed_);
  recorder_.GiveBack(buffer_);
}

void RunTimer::SetFailed(std::size_t step) {
  num_done_ = step + 1;
  has_failed_ = true;
}

}  // namespace backplane::profiling
