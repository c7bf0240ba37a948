#include <backplane/host/workload_call.hpp>

#include "backend/failure.hpp"
#include "backend/table_factory.hpp"
#include "backend/table_handle.hpp"

#include <backplane/api/c_memory.hpp>

#include <utility>

namespace backplane {
namespace {

/// A workload of this side: one of the core, or one that stands for another process's.
bp_status RunObject(const bp_workload* workload, const bp_run_args* args, bp_error* error) {
  try {
    return static_cast<bp_status>(
        reinterpret_cast<const IWorkload*>(workload)->Execute(ExecuteArgs(*args)));
  } catch (...) {
    error->said = std::make_unique<bp_error::Said>();
    error->said->thrown = std::current_exception();
    return BP_STATUS_FAILURE;
  }
}

std::unique_ptr<Diagnostic> DescribeSaid(const PluginOrigin& origin, const char* function,
                                         Status status, bp_error& error) noexcept {
  if (error.said->thrown) {
    try {
      std::rethrow_exception(error.said->thrown);
    } catch (...) {
      return plugin_call::DescribeCurrentException(origin.backend_id, function);
    }
  }
  const plugin_call::SaidFailure said{status, error.said->text,
                                      static_cast<UnavailabilityReason>(error.said->reason)};
  return std::make_unique<Diagnostic>(
      plugin_call::DescribeFailure(origin.backend_id, function, said));
}

}  // namespace

WorkloadCall::WorkloadCall(PluginObject<IWorkload> workload)
    : workload_(std::move(workload)),
      run_(RunObject),
      object_(reinterpret_cast<const bp_workload*>(workload_.Share().get())) {
  const auto* const of_table = dynamic_cast<const backend::TableWorkload*>(Get());
  if (of_table == nullptr) return;
  run_ = of_table->GetLoading().GetInstance()->run;
  object_ = of_table->Get();
  scope_ = of_table->GetLoading().GetScope().Get();
}

std::unique_ptr<Diagnostic> WorkloadCall::DescribeFailure(Status status,
                                                          bp_error& error) const noexcept {
  return DescribeSaid(*GetOrigin(), "IWorkload::Execute", status, error);
}

HandleCall::HandleCall(PluginObject<ITensorHandle> handle) : handle_(std::move(handle)) {
  const auto* const of_table = dynamic_cast<const backend::TableHandle*>(handle_.Share().get());
  if (of_table == nullptr) return;
  bind_ = of_table->GetInstance()->bind;
  get_view_ = of_table->GetInstance()->get_view;
  object_ = of_table->crossing.raw;
  scope_ = of_table->GetScope().Get();
}

PluginResult<Status> HandleCall::Import(const MemoryView& memory) const noexcept {
  if (bind_ == nullptr) return handle_.Call<&ITensorHandle::Import>(memory);
  const bp_view given = c_form::ToC(memory);
  return Bind("ITensorHandle::Import", BP_BIND_IMPORT, &given);
}

PluginResult<Status> HandleCall::Unimport() const noexcept {
  if (bind_ == nullptr) return handle_.Call<&ITensorHandle::Unimport>();
  return Bind("ITensorHandle::Unimport", BP_BIND_END_IMPORT, nullptr);
}

PluginResult<Status> HandleCall::Bind(const char* function, std::uint32_t action,
                                      const bp_view* memory) const noexcept {
  auto args = c_form::Make<bp_bind_args>();
  args.action = action;
  args.scope = scope_;
  args.memory = memory;
  bp_error error;
  const bp_status status = bind_(object_, &args, &error);
  return Finish(function, status, error);
}

PluginResult<Status> HandleCall::Show(bp_view& shown) const noexcept {
  constexpr char kFunction[] = "ITensorHandle::GetMemoryView";
  PluginResult<Status> result;
  if (get_view_ == nullptr) {
    auto found = handle_.Call<&ITensorHandle::GetMemoryView>();
    result.failure = std::move(found.failure);
    shown = found.value != nullptr ? c_form::ToC(*found.value) : bp_view{};
  } else {
    auto args = c_form::Make<bp_view_args>();
    args.scope = scope_;
    shown = c_form::Make<bp_view>();
    bp_error error;
    const bp_status status = get_view_(object_, &args, &shown, &error);
    result = Finish(kFunction, status, error);
    if (status == BP_STATUS_SUCCESS && shown.rank > kMaxRank) {
      backend::Fail(&error, Status::kFailure, "a view has the rank " + c_form::ToWord(shown.rank));
      result = Finish(kFunction, BP_STATUS_FAILURE, error);
    }
    if (result.HasFailed() || status != BP_STATUS_SUCCESS) shown = {};
    if (shown.dims == nullptr) shown.rank = 0;
  }
  const auto type = c_form::ToEnum<DataType>(shown.data_type);
  if (c_form::IsDense(shown, GetDataTypeSizeBytes(type))) shown.strides = nullptr;
  return result;
}

PluginResult<Status> HandleCall::Finish(const char* function, bp_status status,
                                        bp_error& error) const noexcept {
  PluginResult<Status> result;
  result.value = c_form::ToStatus(status);
  if (error.said && backend::IsFault(status)) {
    result.failure = DescribeSaid(*handle_.GetOrigin(), function, result.value, error);
  }
  return result;
}

}  // namespace backplane
