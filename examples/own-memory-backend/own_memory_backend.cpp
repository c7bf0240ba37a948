// A backend with a kind of tensor memory of its own: ReLU of float32, on tensors whose rows are
// aligned. The core plans that memory, and copies between it and that of other backends.

#include "tensor_handle.hpp"

#include <backplane/api/backend.hpp>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace example_own_memory {
namespace {

using namespace backplane;

constexpr char kId[] = "OwnMemory";
constexpr int kRank = 10;

/// Why a layer cannot run here; empty when it can.
std::string FindRefusal(LayerType type, const BaseDescriptor& descriptor, const TensorInfo& input) {
  const bool is_relu =
      type == LayerType::kActivation &&
      CopyDescriptor<ActivationDescriptor>(descriptor).function == ActivationFunction::kRelu;
  if (!is_relu) return "only ReLU is supported";
  return input.data_type == DataType::kFloat32 ? "" : "only float32 is supported";
}

/// ReLU of the elements from one axis on, wherever each of the two tensors has them.
void Rectify(const MemoryView& input, const MemoryView& output, std::uint32_t axis,
             const unsigned char* from, unsigned char* to) {
  if (axis == input.rank) {
    const float value = *reinterpret_cast<const float*>(from);
    *reinterpret_cast<float*>(to) = value < 0.0F ? 0.0F : value;
    return;
  }
  for (std::int64_t index = 0; index < input.dims[axis]; ++index) {
    Rectify(input, output, axis + 1, from + index * input.strides_bytes[axis],
            to + index * output.strides_bytes[axis]);
  }
}

class Workload final : public IWorkload {
 public:
  // An input may be a constant, which is dense; a view says for both kinds where elements lie.
  Status Execute(const ExecuteArgs& args) const override {
    if (args.GetNumWaitFences() != 0) return Status::kUnsupported;
    const RunTensor input = args.GetInput(0);
    const RunTensor output = args.GetOutput(0);
    if (input.GetData() == nullptr || output.GetData() == nullptr) return Status::kInvalidArgument;
    Rectify(input.Describe(), output.Describe(), 0, input.Get<const unsigned char>(),
            output.Get<unsigned char>());
    return Status::kSuccess;
  }
};

class WorkloadFactory final : public IWorkloadFactory {
 public:
  std::unique_ptr<IWorkload> CreateWorkload(const WorkloadArgs& args) override {
    const std::string refusal = FindRefusal(args.layer_type, *args.descriptor, *args.inputs[0]);
    if (!refusal.empty()) throw std::invalid_argument(refusal);
    return std::make_unique<Workload>();
  }
};

class LayerSupport final : public ILayerSupport {
 public:
  bool IsLayerSupported(const LayerSupportQuery& query, std::string& reason) const override {
    const std::string refusal =
        query.num_inputs == 0 ? "only ReLU is supported"
                              : FindRefusal(query.layer_type, *query.descriptor, *query.inputs[0]);
    if (refusal.empty()) return true;
    reason = refusal;
    return false;
  }
};

class Backend final : public IBackendInternal {
 public:
  const char* GetId() const override { return kId; }

  std::unique_ptr<IWorkloadFactory> CreateWorkloadFactory(
      const WorkloadFactoryArgs& /*args*/) const override {
    return std::make_unique<WorkloadFactory>();
  }

  std::shared_ptr<const ILayerSupport> GetLayerSupport(
      const LayerSupportArgs& /*args*/) const override {
    return std::make_shared<LayerSupport>();
  }

  void RegisterTensorHandleFactories(TensorHandleFactoryRegistry& registry,
                                     const BackendCallArgs& /*args*/) const override {
    // When it is refused, the host says why.
    static_cast<void>(registry.RegisterFactory(std::make_unique<TensorHandleFactory>()));
  }

  std::vector<std::string> GetHandleFactoryPreferences(
      const BackendCallArgs& /*args*/) const override {
    return {kFactoryId};
  }

  BackendCapabilities GetCapabilities() const override { return {{kCapabilityRank, kRank}}; }
};

}  // namespace
}  // namespace example_own_memory

BACKPLANE_BACKEND(example_own_memory::Backend, example_own_memory::kId);
