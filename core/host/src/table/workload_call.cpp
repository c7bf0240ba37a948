#include <backplane/host/workload_call.hpp>

#include "table/table_factory.hpp"

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

}  // namespace

WorkloadCall::WorkloadCall(PluginObject<IWorkload> workload)
    : workload_(std::move(workload)),
      run_(RunObject),
      object_(reinterpret_cast<const bp_workload*>(workload_.Share().get())) {
  const auto* const of_table = dynamic_cast<const table::TableWorkload*>(Get());
  if (of_table == nullptr) return;
  run_ = of_table->GetLoading().GetInstance()->run;
  object_ = of_table->Get();
  scope_ = of_table->GetLoading().GetScope().Get();
}

std::unique_ptr<Diagnostic> WorkloadCall::DescribeFailure(Status status,
                                                          bp_error& error) const noexcept {
  constexpr char kFunction[] = "IWorkload::Execute";
  if (error.said->thrown) {
    try {
      std::rethrow_exception(error.said->thrown);
    } catch (...) {
      return plugin_call::DescribeCurrentException(GetOrigin()->backend_id, kFunction);
    }
  }
  const plugin_call::SaidFailure said{status, error.said->text,
                                      static_cast<UnavailabilityReason>(error.said->reason)};
  return std::make_unique<Diagnostic>(
      plugin_call::DescribeFailure(GetOrigin()->backend_id, kFunction, said));
}

}  // namespace backplane
