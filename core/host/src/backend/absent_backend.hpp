#pragma once

#include <backplane/host/backend_registry.hpp>

#include <string>
#include <vector>

namespace backplane::backend {

/// Why a backend cannot be used: one whose id is known, or the file of one.
struct UnusableBackend {
  std::string id;    // empty: known by its file only
  std::string file;  // empty: known by its id only
  Diagnostic reason;
};

/// Answers whoever asked for a backend by a name that is no registered id: kBackendRejected with
/// the reasons when what is called so cannot be used; else kBackendNotRegistered with what was
/// probably meant. A file may be named by its name, by <vendor>_<name>, or by <name> alone.
Diagnostic DescribeAbsent(const std::string& asked,
                          const std::vector<BackendRegistration>& registrations,
                          const std::vector<UnusableBackend>& unusable);

}  // namespace backplane::backend
