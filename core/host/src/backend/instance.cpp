#include "backend/instance.hpp"

#include "backend/host_table.hpp"

#include <utility>

namespace backplane::backend {

Instance::Instance(const bp_backend& table, std::string id, std::shared_ptr<ILogger> logger,
                   std::shared_ptr<const void> library)
    : library_(std::move(library)), logger_(std::move(logger)), id_(std::move(id)), table_(table) {
  if (table_.start == nullptr) return;
  auto args = c_form::Make<bp_start_args>();
  args.host = &GetHostTable();
  args.log = ToC(logger_.get());
  bp_error error;
  Require("BackendFactory", table_.start(&args, &instance_, &error), error);
}

Instance::~Instance() {
  if (table_.stop != nullptr) table_.stop(instance_);
}

TableContext::~TableContext() {
  if (context_ != nullptr && (*instance_)->free_context != nullptr) {
    (*instance_)->free_context(context_);
  }
}

Status TableContext::OnNetworkEvent(const NetworkEvent& event) {
  if ((*instance_)->network_event == nullptr) return Status::kSuccess;
  const Scope scope(*instance_, nullptr, this, nullptr, nullptr);
  auto args = c_form::Make<bp_network_args>();
  args.event = static_cast<std::uint32_t>(event.kind);
  args.scope = scope.Get();
  args.network_id = event.network_id;
  args.outcome = c_form::ToC(event.outcome);
  bp_error error;
  return instance_->Answer("IBackendContext::OnNetworkEvent",
                           (*instance_)->network_event(context_, &args, &error), error);
}

TableModel::~TableModel() {
  if (model_ != nullptr && (*instance_)->free_model != nullptr) (*instance_)->free_model(model_);
}

Scope::Scope(const Instance& instance, ILogger* logger, IBackendContext* context,
             std::shared_ptr<const IBackendModelContext> model, const BackendOptions* options)
    : scope_(c_form::Make<bp_scope>()), model_(std::move(model)) {
  scope_.host = &GetHostTable();
  scope_.log = ToC(logger != nullptr ? logger : instance.GetLogger());
  scope_.instance = instance.Get();
  if (const auto* const own = dynamic_cast<TableContext*>(context)) scope_.context = own->Get();
  if (const auto* const own = dynamic_cast<const TableModel*>(model_.get())) {
    scope_.model = own->Get();
  }
  if (options == nullptr) return;
  options_ = *options;
  for (const BackendOption& option : options_.options) values_.Add(option);
  scope_.options = values_.GetNamed().data();
  scope_.num_options = static_cast<std::uint32_t>(values_.GetNamed().size());
}

bp_scope_args Scope::MakeArgs() const {
  auto args = c_form::Make<bp_scope_args>();
  args.scope = &scope_;
  return args;
}

}  // namespace backplane::backend
