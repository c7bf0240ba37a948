// A tensor handle of the backend, and what it has imported.
#pragma once

#include "wire/file_descriptor.hpp"

#include <backplane/api/i_tensor_handle.hpp>

#include <cstdint>
#include <memory>
#include <utility>

namespace backplane::serving {

/// A tensor handle, with the descriptors that it was given.
///
/// Threads: one at a time.
struct ServedHandle {
  std::unique_ptr<ITensorHandle> handle;
  wire::FileDescriptor imported_file;
  MemoryView mapped;
  bool is_imported = false;
  std::uint64_t import_version = 0;  // the host's number for what it has imported, or has not

  Status Import(const MemoryView& view, std::uint64_t version) {
    const Status released = Unimport(version);
    if (released != Status::kSuccess) return released;
    const Status status = handle->Import(view);
    is_imported = status == Status::kSuccess;
    return status;
  }
  Status Unimport(std::uint64_t version) {
    import_version = version;
    return std::exchange(is_imported, false) ? handle->Unimport() : Status::kSuccess;
  }
};

}  // namespace backplane::serving
