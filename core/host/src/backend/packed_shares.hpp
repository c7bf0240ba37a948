// Packed weights that networks and runtimes of this process share.
#pragma once

#include <backplane/c/backend.h>
#include <backplane/api/status.hpp>

#include <cstdint>
#include <memory>

namespace backplane::backend {

struct PackedShare {
  Status status = Status::kSuccess;
  std::shared_ptr<const void> content;
  std::uint64_t num_bytes = 0;
};

/// What was packed of the same content in the same way; made when there is none.
/// Errors: the status of `make`.
/// [any thread]
PackedShare SharePacked(const bp_packed_args& args, bp_error* error);

}  // namespace backplane::backend
