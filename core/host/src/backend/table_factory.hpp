// The factory of the workloads of one loaded network, over the table of a backend.
#pragma once

#include "backend/instance.hpp"

#include <backplane/api/i_workload_factory.hpp>

#include <memory>
#include <mutex>

namespace backplane::backend {

/// What the workloads of one network share: the builder, and then what it became.
class Loading {
 public:
  Loading(InstanceShare instance, const WorkloadFactoryArgs& args);
  ~Loading();
  Loading(const Loading&) = delete;
  Loading& operator=(const Loading&) = delete;

  const Instance& GetInstance() const { return *instance_; }
  const Scope& GetScope() const { return scope_; }
  /// Null: building has ended.
  bp_builder* GetBuilder() const { return builder_; }
  /// Ends building, the first time.
  /// Errors: DiagnosticException.
  bp_loaded* Load();

 private:
  InstanceShare instance_;
  Scope scope_;
  std::mutex mutex_;
  bp_builder* builder_ = nullptr;
  bp_loaded* loaded_ = nullptr;
};

class TableWorkload final : public IWorkload {
 public:
  TableWorkload(std::shared_ptr<const Loading> loading,
                std::shared_ptr<const IPreCompiledObject> compiled, bp_workload* workload)
      : loading_(std::move(loading)), compiled_(std::move(compiled)), workload_(workload) {}
  ~TableWorkload() override { loading_->GetInstance()->free_workload(workload_); }

  const bp_workload* Get() const { return workload_; }
  const Loading& GetLoading() const { return *loading_; }
  /// What it is given has the handles and the state of the backend.
  Status Execute(const ExecuteArgs& args) const override;

 private:
  std::shared_ptr<const Loading> loading_;
  std::shared_ptr<const IPreCompiledObject> compiled_;
  bp_workload* workload_;
};

class TableState final : public IExecutionState {
 public:
  TableState(std::shared_ptr<const Loading> loading, bp_state* state)
      : loading_(std::move(loading)), state_(state) {
    crossing.raw = state;
  }
  ~TableState() override { loading_->GetInstance()->free_state(state_); }

 private:
  std::shared_ptr<const Loading> loading_;
  bp_state* state_;
};

/// Null: the backend gave none.
/// Errors: DiagnosticException.
std::unique_ptr<IWorkloadFactory> MakeFactory(const InstanceShare& instance,
                                              const WorkloadFactoryArgs& args);

}  // namespace backplane::backend
