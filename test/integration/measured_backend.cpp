#include "measured_backend.hpp"

#include <backplane/api/backend.hpp>

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace backplane::test {
namespace {

constexpr std::uint32_t kJobsCounter = 3;

std::uint64_t Now() {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                        std::chrono::steady_clock::now().time_since_epoch())
                                        .count());
}

/// Does one job after the other on its own thread.
class Device final : public IBackendContext {
 public:
  ~Device() override {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      is_ending_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  Status OnNetworkEvent(const NetworkEvent& /*event*/) override { return Status::kSuccess; }

  /// Waits until the job is done.
  void Run(const std::string& name, const std::function<void()>& job) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return job_ == nullptr; });
    name_ = name;
    job_ = &job;
    changed_.notify_all();
    changed_.wait(lock, [&] { return job_ != &job; });
  }

  void SetSink(IBackendProfiling* sink) {
    const std::lock_guard<std::mutex> lock(mutex_);
    sink_ = sink;
  }
  void SetTimeline(ProfilingState state) {
    const std::lock_guard<std::mutex> lock(mutex_);
    timeline_ = state;
  }
  void SetCounting(bool is_counting) {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_counting_ = is_counting;
  }

 private:
  void Work() {
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return job_ != nullptr || is_ending_; });
      if (job_ == nullptr) return;
      const std::uint64_t begin_ns = Now();
      (*job_)();
      Report(begin_ns, Now());
      job_ = nullptr;
      changed_.notify_all();
    }
  }

  void Report(std::uint64_t begin_ns, std::uint64_t end_ns) {
    ++num_jobs_;
    if (sink_ == nullptr) return;
    if (timeline_ == ProfilingState::kOn) {
      TimelineEvent event;
      event.name = name_;
      event.lane = "device queue";
      event.begin_ns = begin_ns;
      event.end_ns = end_ns;
      static_cast<void>(sink_->ReportTimelineEvent(event));
    }
    if (!is_counting_) return;
    CounterSample sample;
    sample.id = kJobsCounter;
    sample.time_ns = end_ns;
    sample.value = num_jobs_;
    static_cast<void>(sink_->ReportCounterSamples(&sample, 1));
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::string name_;
  const std::function<void()>* job_ = nullptr;
  bool is_ending_ = false;
  IBackendProfiling* sink_ = nullptr;
  ProfilingState timeline_ = ProfilingState::kOff;
  bool is_counting_ = false;
  int num_jobs_ = 0;
  std::thread thread_{[this] { Work(); }};
};

class MeasuredProfiling final : public IBackendProfilingContext {
 public:
  MeasuredProfiling(Device& device, IBackendProfiling* sink) : device_(device) {
    device_.SetSink(sink);
  }
  ~MeasuredProfiling() override { device_.SetSink(nullptr); }

  std::vector<CounterDescription> GetCounters() const override {
    CounterDescription counter;
    counter.id = kJobsCounter;
    counter.name = "jobs";
    counter.text = "jobs that the device has done";
    return {counter};
  }

  Status ActivateCounters(std::uint64_t /*period_us*/, const std::uint32_t* ids,
                          std::uint32_t count) override {
    if (count > 1 || (count == 1 && ids[0] != kJobsCounter)) return Status::kNotFound;
    device_.SetCounting(count == 1);
    return Status::kSuccess;
  }

  Status SetTimeline(ProfilingState state) override {
    device_.SetTimeline(state);
    return Status::kSuccess;
  }

 private:
  Device& device_;
};

/// Copies its input to its output.
class MeasuredWorkload final : public IWorkload {
 public:
  MeasuredWorkload(Device& device, std::string name) : device_(device), name_(std::move(name)) {}

  Status Execute(const ExecuteArgs& args) const override {
    const RunTensor input = args.GetInput(0);
    const RunTensor output = args.GetOutput(0);
    device_.Run(name_, [&] {
      std::memmove(output.GetData(), input.GetData(), output.GetView()->num_bytes);
    });
    return Status::kSuccess;
  }

 private:
  Device& device_;
  std::string name_;
};

class MeasuredFactory final : public IWorkloadFactory {
 public:
  explicit MeasuredFactory(Device& device) : device_(device) {}
  std::unique_ptr<IWorkload> CreateWorkload(const WorkloadArgs& args) override {
    return std::make_unique<MeasuredWorkload>(device_, "job of " + std::string(args.layer_name));
  }

 private:
  Device& device_;
};

class MeasuredSupport final : public ILayerSupport {
 public:
  bool IsLayerSupported(const LayerSupportQuery& /*query*/,
                        std::string& /*reason*/) const override {
    return true;
  }
};

class MeasuredBackend final : public IBackendInternal {
 public:
  const char* GetId() const override { return kMeasuredBackend; }
  std::unique_ptr<IBackendContext> CreateBackendContext(
      const BackendContextArgs& /*args*/) const override {
    return std::make_unique<Device>();
  }
  std::unique_ptr<IBackendProfilingContext> CreateBackendProfilingContext(
      const ProfilingContextArgs& args) const override {
    return std::make_unique<MeasuredProfiling>(*static_cast<Device*>(args.context), args.profiling);
  }
  std::unique_ptr<IWorkloadFactory> CreateWorkloadFactory(
      const WorkloadFactoryArgs& args) const override {
    return std::make_unique<MeasuredFactory>(*static_cast<Device*>(args.context));
  }
  std::shared_ptr<const ILayerSupport> GetLayerSupport(
      const LayerSupportArgs& /*args*/) const override {
    return std::make_shared<MeasuredSupport>();
  }
};

const char* GetId() {
  return kMeasuredBackend;
}

void GetVersion(std::uint32_t* major, std::uint32_t* minor) {
  *major = kBackendApiVersion.major;
  *minor = kBackendApiVersion.minor;
}

// As BACKPLANE_BACKEND does it, for a program that has no entry points of the usual names.
void* GetTable() {
  static bp_backend table = c_form::MakeTable(
      kMeasuredBackend, [](const bp_start_args* args, bp_instance** instance, bp_error* error) {
        return c_form::Start(args, kMeasuredBackend, MakeBackend<MeasuredBackend>, instance, error);
      });
  return &table;
}

}  // namespace

StaticEntryPoints GetMeasuredBackend() {
  return {&GetId, &GetVersion, &GetTable};
}

}  // namespace backplane::test
