#pragma once

#include <backplane/api/i_workload_factory.hpp>
#include <backplane/api/static_backend.hpp>
#include <backplane/host/backend_registry.hpp>

#include <functional>
#include <string>
#include <vector>

namespace backplane {

/// What a compiling backend does with a layer of a sub-graph that it is offered.
enum class Treatment { kCompile, kLeave, kFail };

/// A backend that runs its layers with the workloads of another one, and compiles sub-graphs into
/// programs of such workloads.
struct CompilingBackend {
  std::string id;
  StaticEntryPoints inner;
  std::function<bool(const std::string& layer)> takes;
  std::function<Treatment(const std::string& layer)> treats;
  std::vector<InPlacePair> in_place = {};  // of all that it compiles
};

/// What to register for it. The registration keeps a copy of what it is given.
BackendRegistration MakeRegistration(const CompilingBackend& backend);

}  // namespace backplane
