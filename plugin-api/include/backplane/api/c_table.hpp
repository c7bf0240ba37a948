#pragma once

/// The table of a backend that is written against the C++ interfaces. All of this is compiled into
/// the backend: nothing of C++ crosses, and nothing that is thrown leaves.

#include <backplane/c/backend.h>
#include <backplane/api/over_c/describe.hpp>
#include <backplane/api/over_c/memory.hpp>
#include <backplane/api/over_c/networks.hpp>
#include <backplane/api/over_c/workloads.hpp>

#include <memory>

// Hidden, so that each file calls its own, however it is linked.
#pragma GCC visibility push(hidden)

namespace backplane::c_form {

/// The table of a backend; `start` makes its instances.
inline bp_backend MakeTable(const char* id,
                            bp_status (*start)(const bp_start_args*, bp_instance**, bp_error*)) {
  auto table = Make<bp_backend>();
  table.major = BP_API_MAJOR;
  table.needs_minor = BP_NEEDS_MINOR;
  table.knows_minor = BP_KNOWS_MINOR;
  table.id = id;
  table.start = start;
  table.stop = Stop;
  table.describe = Describe;
  table.make_context = MakeContext;
  table.free_context = FreeContext;
  table.network_event = NetworkHappens;
  table.make_model = MakeModel;
  table.free_model = FreeModel;
  table.supports = Supports;
  table.infer = Infer;
  table.optimize = Optimize;
  table.free_compiled = FreeCompiled;
  table.make_builder = MakeBuilder;
  table.free_builder = FreeBuilder;
  table.make_workload = MakeWorkload;
  table.free_workload = FreeWorkload;
  table.make_loaded = MakeLoaded;
  table.free_loaded = FreeLoaded;
  table.memory = Memory;
  table.make_state = MakeState;
  table.free_state = FreeState;
  table.run = Run;
  table.wait = Wait;
  table.requirements = Requirements;
  table.allocate = Allocate;
  table.free_block = FreeBlock;
  table.make_handle = MakeHandle;
  table.free_handle = FreeHandle;
  table.bind = Bind;
  table.get_view = GetView;
  table.map = Map;
  table.unmap = Unmap;
  table.make_profiler = MakeProfiler;
  table.activate = Activate;
  table.free_profiler = FreeProfiler;
  table.resize = Resize;
  table.in_place = InPlace;
  return table;
}

}  // namespace backplane::c_form

namespace backplane {

/// The table of the backend that `kMake`, a function that returns a
/// std::unique_ptr<IBackendInternal>, makes; what BackendFactory returns. Static. `id` is what
/// GetBackendId returns.
/// [any thread]
template <auto kMake>
void* GetBackendTable(const char* id) {
  static const char* const kept_id = id;
  static const bp_backend table = c_form::MakeTable(
      kept_id, [](const bp_start_args* args, bp_instance** instance, bp_error* error) {
        return c_form::Start(args, kept_id, kMake, instance, error);
      });
  return const_cast<bp_backend*>(&table);
}

/// Makes a backend of a class, for GetBackendTable.
template <typename Backend>
std::unique_ptr<IBackendInternal> MakeBackend() {
  return std::make_unique<Backend>();
}

}  // namespace backplane

#pragma GCC visibility pop
