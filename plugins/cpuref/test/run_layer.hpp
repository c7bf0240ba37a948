#pragma once

/// Runs one layer on CpuRef, or another backend, as a host would: through the entry points of the
/// static backend.

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

}  // namespace cpuref_test
}  // namespace backplane
