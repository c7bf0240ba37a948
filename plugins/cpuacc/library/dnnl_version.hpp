#pragma once

/// Which oneDNN CpuAcc works with, and how it says that there is none.

#include <backplane/api/exceptions.hpp>

#include <oneapi/dnnl/dnnl.h>

#include <string>

namespace backplane {
namespace cpuacc {

/// `found`: what is there instead.
BackendUnavailableException MakeUnavailable(
    const std::string& found, UnavailabilityReason reason = UnavailabilityReason::kOther);
BackendUnavailableException MakeUnavailableProcessor();

/// Errors: BackendUnavailableException for any but 2.6 and later of 2, and for one that runs its
/// loops with other threads than OpenMP's.
void RequireKnownVersion(const dnnl_version_t& version, const char* file_name);

}  // namespace cpuacc
}  // namespace backplane
