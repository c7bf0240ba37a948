#include "backend/table_factory.hpp"

#include "backend/custom_layers.hpp"
#include "backend/offer.hpp"
#include "backend/table_kinds.hpp"

#include <backplane/api/c_values.hpp>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace backplane::backend {
namespace {

class TableFactory final : public IWorkloadFactory {
 public:
  explicit TableFactory(std::shared_ptr<Loading> loading) : loading_(std::move(loading)) {}

  std::unique_ptr<IWorkload> CreateWorkload(const WorkloadArgs& args) override {
    const Instance& instance = loading_->GetInstance();
    if (loading_->GetBuilder() == nullptr) {
      throw std::logic_error("a workload is asked for after the network was loaded");
    }
    CLayer made(args.layer_type, args.layer_name, args.descriptor, args.inputs, args.num_inputs,
                args.outputs, args.num_outputs);
    const c_form::CConstants constants(args.constants, args.num_inputs);
    const std::vector<bp_kind*> kinds = FindKindsOf(args);
    made.layer.constants = constants.Get();
    made.layer.kinds = kinds.data();
    if (const auto* own = dynamic_cast<const TableCompiled*>(args.pre_compiled.get())) {
      made.layer.compiled = own->Get();
    }
    auto given = c_form::Make<bp_layer_args>();
    given.scope = loading_->GetScope().Get();
    given.layer = &made.layer;
    bp_workload* workload = nullptr;
    bp_error error;
    instance.Require("IWorkloadFactory::CreateWorkload",
                     instance->make_workload(loading_->GetBuilder(), &given, &workload, &error),
                     error);
    if (workload == nullptr) return nullptr;
    return std::make_unique<TableWorkload>(loading_, args.pre_compiled, workload);
  }

  std::unique_ptr<IExecutionState> CreateExecutionState() override {
    const Instance& instance = loading_->GetInstance();
    bp_loaded* const loaded = loading_->Load();
    if (instance->make_state == nullptr) return nullptr;
    auto args = c_form::Make<bp_state_args>();
    args.scope = loading_->GetScope().Get();
    bp_state* state = nullptr;
    bp_error error;
    instance.Require("IWorkloadFactory::CreateExecutionState",
                     instance->make_state(loaded, &args, &state, &error), error);
    return state != nullptr ? std::make_unique<TableState>(loading_, state) : nullptr;
  }

  Status WaitForFence(const FenceView& fence, std::uint64_t timeout_ns) override {
    const Instance& instance = loading_->GetInstance();
    if (instance->wait == nullptr) return Status::kUnsupported;
    auto args = c_form::Make<bp_wait_args>();
    args.scope = loading_->GetScope().Get();
    args.fence = reinterpret_cast<const bp_fence*>(&fence);
    args.timeout_ns = timeout_ns;
    bp_error error;
    return instance.Answer("IWorkloadFactory::WaitForFence",
                           instance->wait(loading_->Load(), &args, &error), error);
  }

  std::uint64_t GetConstantBytes() const override {
    const Instance& instance = loading_->GetInstance();
    if (instance->memory == nullptr) return 0;
    const bp_scope_args args = loading_->GetScope().MakeArgs();
    auto report = c_form::Make<bp_memory_report>();
    bp_error error;
    instance.Require("IWorkloadFactory::GetConstantBytes",
                     instance->memory(loading_->Load(), &args, &report, &error), error);
    return report.constants;
  }

 private:
  /// The objects of the backend's own kinds, inputs and then outputs.
  std::vector<bp_kind*> FindKindsOf(const WorkloadArgs& args) {
    std::vector<bp_kind*> found(std::size_t{args.num_inputs} + args.num_outputs);
    for (std::uint32_t i = 0; i < found.size(); ++i) {
      const bool is_input = i < args.num_inputs;
      const char* const* const ids = is_input ? args.input_factories : args.output_factories;
      const char* const id = ids != nullptr ? ids[is_input ? i : i - args.num_inputs] : nullptr;
      if (id != nullptr && *id != '\0') found[i] = FindKind(id);
    }
    return found;
  }
  bp_kind* FindKind(const std::string& id) {
    if (id == kHostTensorHandleFactoryId) return nullptr;
    if (!kinds_) kinds_ = FindKinds(loading_->GetInstance(), loading_->GetScope());
    const auto at = std::find_if(kinds_->begin(), kinds_->end(),
                                 [&](const auto& kind) { return kind.first == id; });
    return at != kinds_->end() ? at->second : nullptr;
  }

  std::shared_ptr<Loading> loading_;
  std::optional<std::vector<std::pair<std::string, bp_kind*>>> kinds_;
};

}  // namespace

Loading::Loading(InstanceShare instance, const WorkloadFactoryArgs& args)
    : instance_(std::move(instance)),
      scope_(*instance_, args.logger, args.context, args.model_context, args.options) {
  const bp_scope_args given = scope_.MakeArgs();
  bp_error error;
  instance_->Require("IBackendInternal::CreateWorkloadFactory",
                     (*instance_)->make_builder(instance_->Get(), &given, &builder_, &error),
                     error);
}

Loading::~Loading() {
  if (loaded_ != nullptr) (*instance_)->free_loaded(loaded_);
  if (builder_ != nullptr) (*instance_)->free_builder(builder_);
}

bp_loaded* Loading::Load() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (builder_ == nullptr) return loaded_;
  const bp_scope_args args = scope_.MakeArgs();
  bp_loaded* loaded = nullptr;
  bp_error error;
  bp_status status = (*instance_)->make_loaded(builder_, &args, &loaded, &error);
  if (status == BP_STATUS_SUCCESS && loaded == nullptr) {
    status = Fail(&error, Status::kFailure, "make_loaded gave nothing");
  }
  instance_->Require("IBackendInternal::CreateWorkloadFactory", status, error);
  loaded_ = loaded;
  (*instance_)->free_builder(std::exchange(builder_, nullptr));
  return loaded_;
}

Status TableWorkload::Execute(const ExecuteArgs& args) const {
  const Instance& instance = loading_->GetInstance();
  bp_run_args given = c_form::Copy(args.Get());
  given.scope = loading_->GetScope().Get();
  bp_error error;
  const bp_status status = instance->run(workload_, &given, &error);
  if (error.said) instance.Require("IWorkload::Execute", status, error);
  return c_form::ToStatus(status);
}

std::unique_ptr<IWorkloadFactory> MakeFactory(const InstanceShare& instance,
                                              const WorkloadFactoryArgs& args) {
  auto loading = std::make_shared<Loading>(instance, args);
  if (loading->GetBuilder() == nullptr) return nullptr;
  return std::make_unique<TableFactory>(std::move(loading));
}

}  // namespace backplane::backend
