#pragma once

/// What a host offers to a backend during a call. It uses all that it is told.

#include "isolation/worker_life.hpp"
#include "lying_worker.hpp"

#include <backplane/api/i_backend_internal.hpp>

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace backplane::fuzz {

/// Of every tensor.
inline TensorInfo MakeInfo() {
  return {{2, 3}, DataType::kFloat32};
}

/// Ends the process of a backend again and again, as another thread of an application may when a
/// run takes too long.
class EndsInTime {
 public:
  explicit EndsInTime(isolation::WorkerLife& life) : thread_([this, &life] { Watch(life); }) {}
  ~EndsInTime() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      is_over_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  EndsInTime(const EndsInTime&) = delete;
  EndsInTime& operator=(const EndsInTime&) = delete;

 private:
  void Watch(isolation::WorkerLife& life) {
    constexpr std::chrono::milliseconds kPatience{2 * kPatienceMs};
    std::unique_lock<std::mutex> lock(mutex_);
    while (!changed_.wait_for(lock, kPatience, [this] { return is_over_; })) {
      if (const auto worker = life.FindLast()) worker->End("it took too long");
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_over_ = false;
  std::thread thread_;
};

/// Reads all that it is told.
class ReadingProfiling final : public IBackendProfiling {
 public:
  Status ReportTimelineEvent(const TimelineEvent& event) override {
    num_bytes_ += event.name.size() + event.lane.size();
    return Status::kSuccess;
  }
  Status ReportCounterSamples(const CounterSample* samples, std::uint32_t count) override {
    for (std::uint32_t i = 0; i < count; ++i) num_bytes_ += samples[i].id;
    return Status::kSuccess;
  }

 private:
  std::uint64_t num_bytes_ = 0;
};

/// Reads all layers that it gets, and keeps the compiled objects.
class ReadingBuilder final : public ISubgraphBuilder {
 public:
  Status AddLayer(const ReplacementLayer& layer, LayerId* id) override {
    Read(layer.name, std::strlen(layer.name));
    if (layer.descriptor != nullptr) Read(layer.descriptor, layer.descriptor->size_bytes);
    Read(layer.inputs, layer.num_inputs * sizeof(OutputSlot));
    for (std::uint32_t i = 0; i < layer.num_outputs; ++i) {
      num_bytes_ += layer.output_infos[i]->GetSizeBytes();
    }
    *id = ++last_id_;
    return Status::kSuccess;
  }
  Status AddPreCompiledLayer(const ReplacementLayer& layer,
                             std::shared_ptr<const IPreCompiledObject> object,
                             LayerId* id) override {
    if (object) compiled_.push_back(std::move(object));
    return AddLayer(layer, id);
  }
  Status AddConstant(const ConstTensor& tensor, const char* name, LayerId* id) override {
    Read(tensor.data, tensor.info.GetSizeBytes());
    Read(name, std::strlen(name));
    *id = ++last_id_;
    return Status::kSuccess;
  }

  std::shared_ptr<const IPreCompiledObject> GetCompiled() const {
    return compiled_.empty() ? nullptr : compiled_.back();
  }

 private:
  void Read(const void* data, std::uint64_t size_bytes) {
    const auto* const bytes = static_cast<const unsigned char*>(data);
    for (std::uint64_t i = 0; i < size_bytes; ++i) num_bytes_ += bytes[i];
  }

  std::vector<std::shared_ptr<const IPreCompiledObject>> compiled_;
  LayerId last_id_ = 100;
  std::uint64_t num_bytes_ = 0;
};

class KeepingCache final : public ICompiledSubgraphCache {
 public:
  Status Load(const char* key, std::vector<std::uint8_t>* content) override {
    const auto found = kept_.find(key);
    if (found == kept_.end()) return Status::kNotFound;
    *content = found->second;
    return Status::kSuccess;
  }
  Status Store(const char* key, const void* content, std::uint64_t size_bytes) override {
    const auto* const bytes = static_cast<const std::uint8_t*>(content);
    kept_[key].assign(bytes, bytes + size_bytes);
    return Status::kSuccess;
  }

 private:
  std::map<std::string, std::vector<std::uint8_t>> kept_;
};

/// A sub-graph of one layer with one input.
class OneLayer final : public ISubgraphReader {
 public:
  OneLayer() {
    layer_.layer_type = LayerType::kActivation;
    layer_.id = 2;
    layer_.name = "one";
    layer_.inputs = &input_;
    layer_.input_infos = infos_;
    layer_.constants = &no_constant_;
    layer_.num_inputs = 1;
    layer_.num_outputs = 1;
    layer_.output_infos = infos_;
    view.layers = {2};
    view.inputs = {input_};
    view.outputs = {{2, 0}};
  }
  Status GetLayer(LayerId id, const LayerView** layer) const override {
    *layer = id == layer_.id ? &layer_ : nullptr;
    return *layer != nullptr ? Status::kSuccess : Status::kNotFound;
  }

  SubgraphView view;

 private:
  const TensorInfo info_ = MakeInfo();
  const TensorInfo* const infos_[1] = {&info_};
  const OutputSlot input_{1, 0};
  const ConstTensor* const no_constant_ = nullptr;
  LayerView layer_;
};

}  // namespace backplane::fuzz
