/// A backend that says it runs every layer, before all others, and fails when it runs one. Its
/// options make it refuse layers and be unavailable, so that tests see where they arrive.

#include <backplane/api/backend.hpp>

namespace {

constexpr int kRank = 1000;

const backplane::OptionValue* FindOption(const backplane::BackendOptions& options,
                                         const char* name) {
  for (const backplane::BackendOption& option : options.options) {
    if (option.name == name) return &option.value;
  }
  return nullptr;
}

struct ModelContext final : backplane::IBackendModelContext {
  bool takes_layers = true;
  std::string reason = "it was told to refuse";
};

class LayerSupport final : public backplane::ILayerSupport {
 public:
  explicit LayerSupport(std::shared_ptr<const ModelContext> context)
      : context_(std::move(context)) {}

  bool IsLayerSupported(const backplane::LayerSupportQuery& /*query*/,
                        std::string& reason) const override {
    if (!context_->takes_layers) reason = context_->reason;
    return context_->takes_layers;
  }

 private:
  std::shared_ptr<const ModelContext> context_;
};

class Workload final : public backplane::IWorkload {
 public:
  backplane::Status Execute(const backplane::ExecuteArgs& /*args*/) const override {
    return backplane::Status::kFailure;
  }
};

class WorkloadFactory final : public backplane::IWorkloadFactory {
 public:
  std::unique_ptr<backplane::IWorkload> CreateWorkload(
      const backplane::WorkloadArgs& /*args*/) override {
    return std::make_unique<Workload>();
  }
};

backplane::OptionSchema MakeSchema(const char* name, const backplane::OptionValue& default_value) {
  backplane::OptionSchema schema;
  schema.name = name;
  schema.type = default_value.type;
  schema.default_value = default_value;
  return schema;
}

class ClaimingBackend final : public backplane::IBackendInternal {
 public:
  const char* GetId() const override { return BACKPLANE_MOCK_NAME; }

  std::unique_ptr<backplane::IWorkloadFactory> CreateWorkloadFactory(
      const backplane::WorkloadFactoryArgs& /*args*/) const override {
    return std::make_unique<WorkloadFactory>();
  }

  std::unique_ptr<backplane::IBackendContext> CreateBackendContext(
      const backplane::BackendContextArgs& args) const override {
    const backplane::OptionValue* device = FindOption(*args.options, "device");
    if (device != nullptr && device->int_value != 0) {
      throw backplane::BackendUnavailableException("there is no device " +
                                                   std::to_string(device->int_value));
    }
    return nullptr;
  }

  std::shared_ptr<const backplane::IBackendModelContext> CreateBackendSpecificModelContext(
      const backplane::ModelContextArgs& args) const override {
    auto context = std::make_shared<ModelContext>();
    const backplane::OptionValue* takes_layers = FindOption(*args.options, "takes_layers");
    if (takes_layers != nullptr) context->takes_layers = takes_layers->int_value != 0;
    const backplane::OptionValue* reason = FindOption(*args.options, "reason");
    if (reason != nullptr) context->reason = reason->string_value;
    return context;
  }

  std::shared_ptr<const backplane::ILayerSupport> GetLayerSupport(
      const backplane::LayerSupportArgs& args) const override {
    return std::make_shared<LayerSupport>(
        std::static_pointer_cast<const ModelContext>(args.model_context));
  }

  backplane::BackendCapabilities GetCapabilities() const override {
    return {{backplane::kCapabilityRank, kRank}};
  }

  std::vector<backplane::OptionSchema> GetOptionSchemas() const override {
    backplane::OptionSchema device = MakeSchema("device", 0);
    device.has_range = 1;
    device.minimum = 0;
    device.maximum = 3;
    return {device, MakeSchema("takes_layers", true),
            MakeSchema("reason", "it was told to refuse")};
  }
};

}  // namespace

BACKPLANE_BACKEND(ClaimingBackend, BACKPLANE_MOCK_NAME);
