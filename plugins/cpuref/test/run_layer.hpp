#pragma once

/// Runs one layer on CpuRef, or another backend, as a host would: through the entry points of the
/// static backend.

#include "conformance/random.hpp"
#include "conformance/take_backend.hpp"
#include "conformance/test_layer.hpp"

#include <gtest/gtest.h>
#include <backplane/api/i_backend_internal.hpp>
#include <backplane/api/static_backend.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

BACKPLANE_DECLARE_STATIC_BACKEND(Backplane_CpuRef);

namespace backplane {
namespace cpuref_test {

using namespace conformance;

inline std::unique_ptr<IBackendInternal> MakeBackend() {
  return conformance::TakeBackend(BACKPLANE_STATIC_ENTRY_POINTS(Backplane_CpuRef).backend_factory);
}

/// Why a backend refuses the layer; empty when it is supported.
inline std::string GetRefusal(IBackendInternal& backend, const TestLayer& layer) {
  const LayerQuestion question(layer);
  const std::string untouched = "untouched";
  std::string reason = untouched;
  const bool is_supported =
      backend.GetLayerSupport(LayerSupportArgs())->IsLayerSupported(question.Get(), reason);
  EXPECT_EQ(is_supported, reason == untouched) << "a reason goes with a refusal, and only with it";
  EXPECT_FALSE(reason.empty());
  return is_supported ? "" : reason;
}

inline std::string GetRefusal(const TestLayer& layer) {
  return GetRefusal(*MakeBackend(), layer);
}

/// The same of CpuRef. The factory is gone, too, when there is no place to keep it.
inline std::unique_ptr<IWorkload> MakeWorkload(
    const TestLayer& layer, std::unique_ptr<IWorkloadFactory>* kept_factory = nullptr) {
  std::unique_ptr<IWorkloadFactory> factory =
      MakeBackend()->CreateWorkloadFactory(WorkloadFactoryArgs());
  std::unique_ptr<IWorkload> workload = MakeWorkload(*factory, layer);
  if (kept_factory != nullptr) *kept_factory = std::move(factory);
  return workload;
}

/// The handles of dense float32 tensors, which must outlive them.
class FloatHandles {
 public:
  explicit FloatHandles(std::vector<FloatTensor>& tensors) {
    for (FloatTensor& tensor : tensors) {
      handles_.push_back(std::make_unique<MemoryHandle>(tensor.GetInfo(), tensor.data.data()));
      pointers_.push_back(handles_.back().get());
    }
  }

  const std::vector<ITensorHandle*>& Get() const { return pointers_; }

 private:
  std::vector<std::unique_ptr<MemoryHandle>> handles_;
  std::vector<ITensorHandle*> pointers_;
};

/// Asks, makes and runs a float32 layer with one output; the result, or nothing after a failed
/// expectation. The output is filled with a number that no test expects before.
inline std::vector<float> RunLayer(LayerType type, const BaseDescriptor& descriptor,
                                   std::vector<FloatTensor> inputs, const TensorShape& output) {
  std::vector<FloatTensor> results = {FloatTensor(output)};
  results[0].data.assign(results[0].data.size(), 12345.0F);
  TestLayer layer(type, descriptor, {}, results[0].GetInfo());
  for (const FloatTensor& input : inputs) layer.inputs.push_back(input.GetInfo());
  const std::string refusal = GetRefusal(layer);
  EXPECT_EQ(refusal, "");
  if (!refusal.empty()) return {};
  const FloatHandles input_handles(inputs);
  const FloatHandles output_handles(results);
  std::unique_ptr<IWorkloadFactory> factory;
  const std::unique_ptr<IWorkload> workload = MakeWorkload(layer, &factory);
  const std::unique_ptr<IExecutionState> state = factory->CreateExecutionState();
  EXPECT_EQ(Execute(*workload, input_handles.Get(), output_handles.Get(), state.get()),
            Status::kSuccess);
  return std::move(results[0].data);
}

}  // namespace cpuref_test
}  // namespace backplane
