// A backend that runs one operator: the negative half of a ReLU cut off.

#include <backplane/api/backend.hpp>

#include <algorithm>
#include <cstdint>

namespace {

using namespace backplane;

class ReluWorkload final : public IWorkload {
 public:
  explicit ReluWorkload(std::int64_t num_elements) : num_elements_(num_elements) {}

  Status Execute(const ExecuteArgs& args) const override {
    const float* from = args.GetInput(0).Get<float>();
    float* to = args.GetOutput(0).Get<float>();
    if (from == nullptr || to == nullptr) return Status::kInvalidArgument;
    std::transform(from, from + num_elements_, to, [](float x) { return std::max(x, 0.0F); });
    return Status::kSuccess;
  }

 private:
  std::int64_t num_elements_;
};

class WorkloadFactory final : public IWorkloadFactory {
 public:
  std::unique_ptr<IWorkload> CreateWorkload(const WorkloadArgs& args) override {
    return std::make_unique<ReluWorkload>(args.inputs[0]->shape.GetNumElements());
  }
};

class LayerSupport final : public ILayerSupport {
 public:
  bool IsLayerSupported(const LayerSupportQuery& query, std::string& reason) const override {
    if (query.layer_type != LayerType::kActivation) {
      reason = std::string("layer type ") + GetLayerTypeName(query.layer_type) +
               " is not supported, only Activation";
      return false;
    }
    const auto descriptor = CopyDescriptor<ActivationDescriptor>(*query.descriptor);
    if (descriptor.function != ActivationFunction::kRelu ||
        query.inputs[0]->data_type != DataType::kFloat32) {
      reason = "only ReLU of float32 is supported";
      return false;
    }
    return true;
  }
};

class NpuBackend final : public IBackendInternal {
 public:
  const char* GetId() const override { return "AcmeNpu"; }
  std::unique_ptr<IWorkloadFactory> CreateWorkloadFactory(
      const WorkloadFactoryArgs& /*args*/) const override {
    return std::make_unique<WorkloadFactory>();
  }
  std::shared_ptr<const ILayerSupport> GetLayerSupport(
      const LayerSupportArgs& /*args*/) const override {
    return std::make_shared<LayerSupport>();
  }
};

}  // namespace

BACKPLANE_BACKEND(NpuBackend, "AcmeNpu");
