#pragma once

/// From the entry point of a static backend to the backend itself, so that tests call its objects
/// with nothing between.

#include <backplane/api/c_table.hpp>

#include <memory>
#include <stdexcept>
#include <utility>

namespace backplane {
namespace conformance {

/// Takes the backend out of an instance of the table that `factory`, the entry point, returns. The
/// table is one that BACKPLANE_BACKEND writes.
/// Errors: std::runtime_error when it does not start.
inline std::unique_ptr<IBackendInternal> TakeBackend(void* (*factory)()) {
  static const bp_host kHost = [] {
    auto host = c_form::Make<bp_host>();
    host.fail = [](bp_error* /*error*/, const bp_failure* failure) { return failure->status; };
    return host;
  }();
  const auto& table = *static_cast<const bp_backend*>(factory());
  auto args = c_form::Make<bp_start_args>();
  args.host = &kHost;
  bp_instance* instance = nullptr;
  if (table.start(&args, &instance, nullptr) != BP_STATUS_SUCCESS) {
    throw std::runtime_error("the backend does not start");
  }
  std::unique_ptr<IBackendInternal> backend(
      c_form::From<c_form::Instance>(instance)->backend.release());
  table.stop(instance);
  return backend;
}

}  // namespace conformance
}  // namespace backplane
