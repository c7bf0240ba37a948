#include "backend/table_backend.hpp"

#include "backend/list_items.hpp"

#include <backplane/api/c_values.hpp>

#include <string>
#include <utility>
#include <vector>

namespace backplane::backend {
namespace {

class TableProfiling final : public IBackendProfilingContext {
 public:
  TableProfiling(InstanceShare instance, const ProfilingContextArgs& args)
      : instance_(std::move(instance)),
        scope_(*instance_, args.logger, args.context, nullptr, nullptr) {
    sink_.profiling = args.profiling;
    auto made = c_form::Make<bp_profiler_args>();
    made.scope = scope_.Get();
    made.sink = &sink_;
    bp_error error;
    instance_->Require(
        "IBackendInternal::CreateBackendProfilingContext",
        (*instance_)->make_profiler(scope_.Get()->context, &made, &profiler_, &error), error);
  }
  ~TableProfiling() override {
    if (profiler_ != nullptr) (*instance_)->free_profiler(profiler_);
  }
  bool IsEmpty() const { return profiler_ == nullptr; }

  std::vector<CounterDescription> GetCounters() const override {
    std::vector<CounterDescription> counters;
    ListItems<bp_counter>(*instance_, BP_ITEM_COUNTER, scope_,
                          "IBackendProfilingContext::GetCounters", [&](const bp_counter& item) {
                            const bp_counter from = Read(item);
                            const auto text = [](const char* given) {
                              return std::string(given != nullptr ? given : "");
                            };
                            CounterDescription& made = counters.emplace_back();
                            made.id = from.id;
                            made.name = text(from.name);
                            made.unit = text(from.unit);
                            made.text = text(from.text);
                          });
    return counters;
  }

  Status ActivateCounters(std::uint64_t period_us, const std::uint32_t* ids,
                          std::uint32_t count) override {
    std::vector<std::uint32_t> counters(ids, ids + count);
    const Status status =
        Activate("IBackendProfilingContext::ActivateCounters", counters, period_us, has_timeline_);
    if (status != Status::kSuccess) return status;
    counters_ = std::move(counters);
    period_us_ = period_us;
    return status;
  }

  Status SetTimeline(ProfilingState state) override {
    const bool is_on = state == ProfilingState::kOn;
    const Status status =
        Activate("IBackendProfilingContext::SetTimeline", counters_, period_us_, is_on);
    if (status == Status::kSuccess) has_timeline_ = is_on;
    return status;
  }

 private:
  Status Activate(const char* function, const std::vector<std::uint32_t>& counters,
                  std::uint64_t period_us, bool has_timeline) {
    auto args = c_form::Make<bp_activate_args>();
    args.timeline = has_timeline ? 1 : 0;
    args.scope = scope_.Get();
    args.period_us = period_us;
    args.counters = counters.data();
    args.num_counters = static_cast<std::uint32_t>(counters.size());
    bp_error error;
    return instance_->Answer(function, (*instance_)->activate(profiler_, &args, &error), error);
  }

  InstanceShare instance_;
  Scope scope_;
  bp_sink sink_;
  bp_profiler* profiler_ = nullptr;
  std::vector<std::uint32_t> counters_;
  std::uint64_t period_us_ = 0;
  bool has_timeline_ = false;
};

}  // namespace

std::unique_ptr<IBackendProfilingContext> MakeProfiling(const InstanceShare& instance,
                                                        const ProfilingContextArgs& args) {
  if ((*instance)->make_profiler == nullptr) return nullptr;
  auto made = std::make_unique<TableProfiling>(instance, args);
  return made->IsEmpty() ? nullptr : std::move(made);
}

}  // namespace backplane::backend
