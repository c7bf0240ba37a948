#pragma once

/// Since which version each function of a backend's interfaces exists, from the table
/// functions.def.

#include <backplane/api/i_backend_internal.hpp>

#include <cstdint>

namespace backplane {

/// The row of one function, for example FunctionInfo<&IWorkload::Execute>. A function without a row
/// does not compile.
template <auto kFunction>
struct FunctionInfo;

#define BACKPLANE_FUNCTION(interface, function, major, minor)       \
  template <>                                                       \
  struct FunctionInfo<&interface::function> {                       \
    static constexpr const char* kName = #interface "::" #function; \
    static constexpr BackendVersion kSince{major, minor};           \
  };
#include <backplane/api/functions.def>
#undef BACKPLANE_FUNCTION

}  // namespace backplane
