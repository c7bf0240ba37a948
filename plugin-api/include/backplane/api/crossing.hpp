#pragma once

/// What objects keep that cross the boundary as they are.

#include <backplane/c/backend.h>
#include <backplane/api/tensor_info.hpp>

#include <cstdint>

namespace backplane::c_form {

/// To whom an object speaks outside of calls. Null: to nobody.
struct Origin {
  const bp_host* host = nullptr;
  const bp_log* log = nullptr;
};

/// Where the extents of a view lie that was handed over.
struct ShownExtents {
  std::int64_t dims[kMaxRank] = {};
  std::int64_t strides[kMaxRank] = {};
};

/// What an execution state keeps for the other side.
struct StateOrigin : Origin {
  bp_state* raw = nullptr;  // where this stands for a state of a table; else null
};

/// What a handle keeps for the other side.
struct HandleOrigin : Origin {
  bp_handle* raw = nullptr;  // where this stands for a handle of a table; else null
  bp_view shown{};           // of GetMemoryView, as runs get it
  ShownExtents exported;     // of the last Export
  ShownExtents mapped;       // of the last Map
};

}  // namespace backplane::c_form
