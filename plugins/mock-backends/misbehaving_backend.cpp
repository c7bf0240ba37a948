/// A backend that runs Relu on float32, and does to its process what the name of a layer says:
/// "<deed> in <place>", with a deed of deeds.def and one of these places.
///   support   when it is asked whether it supports the layer
///   compile   when it is offered a sub-graph with the layer
///   load      when it makes the workload
///   execute   when the layer runs and its first element is kCue
///   thread    as execute, in a thread of its own, which it waits for
///   later     as execute, in a thread of its own, which it does not wait for
///   map       when a tensor whose first element is kCue is mapped to be read, and the layer is the
///             last one for which it made a workload; in rows with the word own_memory only, which
///             gives it a kind of tensor memory of its own
/// All other layers, and all other elements, are right.

#include "mapped_memory.hpp"
#include "row.hpp"

#include <backplane/api/backend.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using backplane::mock::Deed;
using backplane::mock::kRow;

constexpr char kMemoryId[] = "Mock/Misbehaves/Mapped";

constexpr float kCue = 13;

// Tensors do not know of layers.
std::atomic<Deed> deed_of_map{Deed::kNothing};

void WhenMapped(float first) {
  if (first == kCue) backplane::mock::Do(deed_of_map);
}

struct DeedName {
  const char* name;
  Deed deed;
};

constexpr DeedName kDeeds[] = {
#define BACKPLANE_DEED(name) {#name, Deed::k##name},
#include "deeds.def"
#undef BACKPLANE_DEED
};

/// kNothing: the layer's name says nothing of this place.
Deed FindDeed(const char* layer_name, const char* place) {
  const std::string name = layer_name;
  for (const DeedName& one : kDeeds) {
    if (name == std::string(one.name) + " in " + place) return one.deed;
  }
  return Deed::kNothing;
}

class LayerSupport final : public backplane::ILayerSupport {
 public:
  bool IsLayerSupported(const backplane::LayerSupportQuery& query,
                        std::string& reason) const override {
    backplane::mock::Do(FindDeed(query.layer_name, "support"));
    const bool is_relu =
        query.layer_type == backplane::LayerType::kActivation &&
        backplane::CopyDescriptor<backplane::ActivationDescriptor>(*query.descriptor).function ==
            backplane::ActivationFunction::kRelu;
    if (!is_relu) reason = "only Relu is supported";
    return is_relu;
  }
};

class Workload final : public backplane::IWorkload {
 public:
  Workload(const char* layer_name, std::int64_t num_elements)
      : deed_(FindDeed(layer_name, "execute")),
        deed_of_thread_(FindDeed(layer_name, "thread")),
        deed_of_later_(FindDeed(layer_name, "later")),
        num_elements_(num_elements) {}

  backplane::Status Execute(const backplane::ExecuteArgs& args) const override {
    const float* input = args.GetInput(0).Get<float>();
    float* output = args.GetOutput(0).Get<float>();
    if (input == nullptr || output == nullptr) return backplane::Status::kInvalidArgument;
    if (input[0] == kCue) {
      backplane::mock::Do(deed_);
      if (deed_of_thread_ != Deed::kNothing) {
        std::thread([this] { backplane::mock::Do(deed_of_thread_); }).join();
      }
      if (deed_of_later_ != Deed::kNothing) {
        std::thread(backplane::mock::Do, deed_of_later_).detach();
      }
    }
    for (std::int64_t i = 0; i < num_elements_; ++i) output[i] = std::max(0.0F, input[i]);
    return backplane::Status::kSuccess;
  }

 private:
  Deed deed_;
  Deed deed_of_thread_;
  Deed deed_of_later_;
  std::int64_t num_elements_;
};

class WorkloadFactory final : public backplane::IWorkloadFactory {
 public:
  std::unique_ptr<backplane::IWorkload> CreateWorkload(
      const backplane::WorkloadArgs& args) override {
    backplane::mock::Do(FindDeed(args.layer_name, "load"));
    deed_of_map = FindDeed(args.layer_name, "map");
    return std::make_unique<Workload>(args.layer_name, args.outputs[0]->shape.GetNumElements());
  }
};

class MisbehavingBackend final : public backplane::IBackendInternal {
 public:
  const char* GetId() const override { return kRow.name; }

  std::unique_ptr<backplane::IWorkloadFactory> CreateWorkloadFactory(
      const backplane::WorkloadFactoryArgs& /*args*/) const override {
    return std::make_unique<WorkloadFactory>();
  }

  std::shared_ptr<const backplane::ILayerSupport> GetLayerSupport(
      const backplane::LayerSupportArgs& /*args*/) const override {
    return std::make_shared<LayerSupport>();
  }

  void RegisterTensorHandleFactories(backplane::TensorHandleFactoryRegistry& registry,
                                     const backplane::BackendCallArgs& /*args*/) const override {
    if (!kRow.has_own_memory) return;
    const auto status = registry.RegisterFactory(
        std::make_unique<backplane::mock::MappedMemory>(kMemoryId, WhenMapped));
    if (status != backplane::Status::kSuccess) throw std::runtime_error("it is not wanted");
  }

  std::vector<std::string> GetHandleFactoryPreferences(
      const backplane::BackendCallArgs& /*args*/) const override {
    return kRow.has_own_memory ? std::vector<std::string>{kMemoryId} : std::vector<std::string>{};
  }

  backplane::OptimizationViews OptimizeSubgraphView(
      const backplane::OptimizeSubgraphArgs& args) const override {
    for (const backplane::LayerId id : args.subgraph->layers) {
      const backplane::LayerView* layer = nullptr;
      if (args.reader->GetLayer(id, &layer) != backplane::Status::kSuccess) continue;
      backplane::mock::Do(FindDeed(layer->name, "compile"));
    }
    return IBackendInternal::OptimizeSubgraphView(args);
  }
};

}  // namespace

BACKPLANE_BACKEND(MisbehavingBackend, kRow.name);
