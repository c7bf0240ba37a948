#pragma once

/// What the host gives to a backend, as the C++ interfaces have it.

#include <backplane/c/backend.h>
#include <backplane/api/c_memory.hpp>
#include <backplane/api/crossing.hpp>
#include <backplane/api/i_backend_profiling_context.hpp>
#include <backplane/api/i_custom_allocator.hpp>
#include <backplane/api/i_logger.hpp>

#include <cstdint>

// Hidden, so that each file calls its own, however it is linked.
#pragma GCC visibility push(hidden)

namespace backplane::c_form {

class HostLogger final : public ILogger {
 public:
  explicit HostLogger(const Origin& origin) : origin_(origin) {}
  bool IsEnabled(LogLevel level) const override {
    return static_cast<std::uint32_t>(level) >= origin_.host->log_level(origin_.log);
  }
  Status Log(LogLevel level, const char* message) override {
    if (message == nullptr) return Status::kInvalidArgument;
    origin_.host->log(origin_.log, static_cast<std::uint32_t>(level), message);
    return Status::kSuccess;
  }

 private:
  Origin origin_;
};

/// An allocator of the application.
class HostAllocator final : public ICustomAllocator {
 public:
  HostAllocator(const bp_host* host, bp_allocator* allocator, std::uint64_t source)
      : host_(host), allocator_(allocator), source_(ToEnum<MemorySource>(source)) {}
  Status Allocate(std::uint64_t size_bytes, std::uint64_t alignment_bytes,
                  MemoryBlock* block) override {
    const bp_requirements requirements{sizeof(bp_requirements), 0, size_bytes, alignment_bytes};
    auto view = Make<bp_view>();
    const bp_status status = host_->allocate(allocator_, &requirements, &view, nullptr);
    if (status == BP_STATUS_SUCCESS) *block = ToBlock(view);
    return ToStatus(status);
  }
  Status Free(const MemoryBlock& block) override {
    const bp_view view = ToC(block);
    host_->free_block(allocator_, &view);
    return Status::kSuccess;
  }
  MemorySource GetMemorySource() const override { return source_; }

 private:
  const bp_host* host_;
  bp_allocator* allocator_;
  MemorySource source_;
};

class HostProfiling final : public IBackendProfiling {
 public:
  HostProfiling(const bp_host* host, bp_sink* sink) : host_(host), sink_(sink) {}
  Status ReportTimelineEvent(const TimelineEvent& event) override {
    auto made = Make<bp_event>();
    made.begin_ns = event.begin_ns;
    made.end_ns = event.end_ns;
    made.name = event.name.c_str();
    made.lane = event.lane.c_str();
    return ToStatus(host_->add(sink_, BP_ITEM_EVENT, &made, nullptr));
  }
  Status ReportCounterSamples(const CounterSample* samples, std::uint32_t count) override {
    for (std::uint32_t i = 0; i < count; ++i) {
      auto made = Make<bp_sample>();
      made.counter = samples[i].id;
      made.time_ns = samples[i].time_ns;
      made.value = samples[i].value;
      const bp_status status = host_->add(sink_, BP_ITEM_SAMPLE, &made, nullptr);
      if (status != BP_STATUS_SUCCESS) return ToStatus(status);
    }
    return Status::kSuccess;
  }

 private:
  const bp_host* host_;
  bp_sink* sink_;
};

}  // namespace backplane::c_form

#pragma GCC visibility pop
