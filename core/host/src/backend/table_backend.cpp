#include "backend/table_backend.hpp"

#include "backend/custom_layers.hpp"
#include "backend/list_items.hpp"
#include "backend/offer.hpp"
#include "backend/table_factory.hpp"
#include "backend/table_kinds.hpp"

#include <backplane/api/exceptions.hpp>

#include <utility>

namespace backplane::backend {
namespace {

class TableLayerSupport final : public ILayerSupport {
 public:
  TableLayerSupport(InstanceShare instance, const LayerSupportArgs& args)
      : instance_(std::move(instance)),
        scope_(*instance_, nullptr, args.context, args.model_context, nullptr) {}

  bool IsLayerSupported(const LayerSupportQuery& query, std::string& reason) const override {
    CLayer made(query.layer_type, query.layer_name, query.descriptor, query.inputs,
                query.num_inputs, query.outputs, query.num_outputs);
    // Only that they are constants is said of them.
    std::vector<bp_constant> room(query.num_inputs, c_form::Make<bp_constant>());
    std::vector<const bp_constant*> constants(query.num_inputs);
    for (std::uint32_t i = 0; i < query.num_inputs; ++i) {
      if (query.input_is_constant == nullptr || query.input_is_constant[i] == 0) continue;
      room[i].info = made.inputs.Get()[i];
      constants[i] = &room[i];
    }
    made.layer.constants = constants.data();
    auto args = c_form::Make<bp_layer_args>();
    args.scope = scope_.Get();
    args.layer = &made.layer;
    std::vector<std::uint64_t> in_place(query.num_outputs);
    std::vector<bp_kind*> kinds(std::size_t{query.num_inputs} + query.num_outputs);
    auto support = c_form::Make<bp_support>();
    support.in_place = in_place.data();
    support.kinds = kinds.data();
    if (query.layer_type != LayerType::kCustom) return Ask(args, support, reason);
    std::string refusal = FindUndeclared(GetOperators(*instance_, scope_), query);
    if (refusal.empty()) refusal = FindOtherOutputs(*instance_, args);
    if (refusal.empty()) return Ask(args, support, reason);
    reason = std::move(refusal);
    return false;
  }

 private:
  bool Ask(const bp_layer_args& args, bp_support& support, std::string& reason) const {
    bp_error error;
    const bp_status status = (*instance_)->supports(instance_->Get(), &args, &support, &error);
    if (status == BP_STATUS_UNSUPPORTED) {
      if (error.said) reason = error.said->text;
      return false;
    }
    instance_->Require("ILayerSupport::IsLayerSupported", status, error);
    return true;
  }

  InstanceShare instance_;
  Scope scope_;
};

}  // namespace

std::unique_ptr<IWorkloadFactory> TableBackend::CreateWorkloadFactory(
    const WorkloadFactoryArgs& args) const {
  return MakeFactory(instance_, args);
}

std::unique_ptr<IBackendContext> TableBackend::CreateBackendContext(
    const BackendContextArgs& args) const {
  const Instance& instance = *instance_;
  if (instance->make_context == nullptr) return nullptr;
  const Scope scope(instance, args.logger, nullptr, nullptr, args.options);
  auto given = c_form::Make<bp_context_args>();
  given.is_protected = args.is_protected_mode;
  given.scope = scope.Get();
  std::shared_ptr<bp_allocator> allocator;
  if (args.allocator) {
    allocator = std::make_shared<bp_allocator>(bp_allocator{args.allocator});
    given.allocator = allocator.get();
    given.allocator_source = ToFlags(args.allocator->GetMemorySource());
  }
  auto made = std::make_unique<TableContext>(instance_, std::move(allocator));
  bp_context* context = nullptr;
  bp_error error;
  const bp_status status = instance->make_context(instance.Get(), &given, &context, &error);
  if (status == BP_STATUS_UNSUPPORTED) {
    throw UnsupportedException(error.said ? error.said->text : "it gives no reason");
  }
  instance.Require("IBackendInternal::CreateBackendContext", status, error);
  if (context == nullptr) return nullptr;
  made->Set(context);
  return made;
}

std::shared_ptr<const IBackendModelContext> TableBackend::CreateBackendSpecificModelContext(
    const ModelContextArgs& args) const {
  const Instance& instance = *instance_;
  if (instance->make_model == nullptr) return nullptr;
  const Scope scope(instance, args.logger, args.context, nullptr, args.options);
  const bp_scope_args given = scope.MakeArgs();
  bp_model* model = nullptr;
  bp_error error;
  instance.Require("IBackendInternal::CreateBackendSpecificModelContext",
                   instance->make_model(instance.Get(), &given, &model, &error), error);
  return model != nullptr ? std::make_shared<TableModel>(instance_, model) : nullptr;
}

std::unique_ptr<IBackendProfilingContext> TableBackend::CreateBackendProfilingContext(
    const ProfilingContextArgs& args) const {
  return MakeProfiling(instance_, args);
}

std::shared_ptr<const ILayerSupport> TableBackend::GetLayerSupport(
    const LayerSupportArgs& args) const {
  return std::make_shared<TableLayerSupport>(instance_, args);
}

OptimizationViews TableBackend::OptimizeSubgraphView(const OptimizeSubgraphArgs& args) const {
  if ((*instance_)->optimize == nullptr) return IBackendInternal::OptimizeSubgraphView(args);
  return Offer(instance_, args).Run();
}

void TableBackend::RegisterTensorHandleFactories(TensorHandleFactoryRegistry& registry,
                                                 const BackendCallArgs& args) const {
  RegisterKinds(instance_, args, registry);
}

std::vector<std::string> TableBackend::GetHandleFactoryPreferences(
    const BackendCallArgs& args) const {
  return GetPreferredKinds(*instance_, args);
}

BackendCapabilities TableBackend::GetCapabilities() const {
  BackendCapabilities capabilities;
  const Scope scope(*instance_, nullptr, nullptr, nullptr, nullptr);
  ListItems<bp_named_value>(
      *instance_, BP_ITEM_CAPABILITY, scope, "IBackendInternal::GetCapabilities",
      [&](const bp_named_value& item) { capabilities.push_back(ReadOption(item)); });
  return capabilities;
}

std::vector<OperatorDeclaration> TableBackend::GetOperators() const {
  return backend::GetOperators(*instance_, Scope(*instance_, nullptr, nullptr, nullptr, nullptr));
}

std::vector<OperatorCase> TableBackend::GetOperatorCases() const {
  return backend::GetOperatorCases(*instance_,
                                   Scope(*instance_, nullptr, nullptr, nullptr, nullptr));
}

std::vector<OptionSchema> TableBackend::GetOptionSchemas() const {
  std::vector<OptionSchema> schemas;
  const Scope scope(*instance_, nullptr, nullptr, nullptr, nullptr);
  ListItems<bp_option_schema>(
      *instance_, BP_ITEM_OPTION, scope, "IBackendInternal::GetOptionSchemas",
      [&](const bp_option_schema& item) {
        schemas.push_back(ReadSchema(item));
        if (schemas.back().is_list == 0) return;
        throw std::invalid_argument(
            "option \"" + schemas.back().name +
            "\" has a list as its initial value; options are single values");
      });
  return schemas;
}

}  // namespace backplane::backend
