#pragma once

/// Runs layers on CpuAcc as a host would: through the entry points of the static backend.

#include "conformance/take_backend.hpp"
#include "test/run_stored.hpp"

#include <backplane/api/i_backend_internal.hpp>
#include <backplane/api/static_backend.hpp>

#include <memory>
#include <string>
#include <vector>

BACKPLANE_DECLARE_STATIC_BACKEND(Backplane_CpuAcc);

namespace backplane {
namespace cpuacc_test {

using namespace cpuref_test;

inline std::unique_ptr<IBackendInternal> MakeCpuAcc() {
  return conformance::TakeBackend(BACKPLANE_STATIC_ENTRY_POINTS(Backplane_CpuAcc).backend_factory);
}

/// Which inputs of a layer are constants.
enum class ConstantInputs { kNone, kAllButFirst, kAll };

/// How a layer is run.
struct RunSetup {
  bool IsConstant(std::size_t input) const {
    return constants == ConstantInputs::kAll ||
           (constants == ConstantInputs::kAllButFirst && input > 0);
  }

  int num_threads = 1;
  ConstantInputs constants = ConstantInputs::kNone;
};

inline std::string ToText(const RunSetup& setup) {
  return std::to_string(setup.num_threads) + " threads, constants " +
         std::to_string(static_cast<int>(setup.constants));
}

inline BackendOptions MakeThreadOptions(int num_threads) {
  return {"CpuAcc", {{"threads", num_threads}}};
}

/// Why CpuAcc refuses the layer; empty when it is supported.
std::string GetCpuAccRefusal(const TestLayer& layer);

/// Makes the workload with contents for its constant inputs, which must outlive it.
/// Errors: std::invalid_argument when it is refused.
std::unique_ptr<IWorkload> MakeCpuAccWorkload(const TestLayer& layer,
                                              const std::vector<StoredTensor>& inputs,
                                              const RunSetup& setup,
                                              std::unique_ptr<IWorkloadFactory>& factory);

/// Makes and runs a layer that is supported. Twice, because states are used again. The outputs are
/// filled with what no test expects before.
std::vector<StoredTensor> RunOnCpuAcc(const TestLayer& layer, std::vector<StoredTensor> inputs,
                                      const RunSetup& setup);

}  // namespace cpuacc_test
}  // namespace backplane
