#include "loading/loaded_backend.hpp"

#include <backplane/host/thread_places.hpp>

#include <utility>

namespace backplane {

namespace {

Diagnostic DescribeNoFactory(const std::string& backend_id) {
  Diagnostic diagnostic{DiagnosticCode::kWorkloadNotCreated};
  diagnostic.subject = {SubjectKind::kBackend, backend_id};
  diagnostic.what = "backend \"" + backend_id + "\" gives no workload factory";
  diagnostic.why = "CreateWorkloadFactory returned null; expected an IWorkloadFactory";
  diagnostic.fix = "report this to the vendor of the backend, or prefer another backend";
  return diagnostic;
}

}  // namespace

LoadedBackend LoadBackend(std::shared_ptr<const NetworkBackend> backend) {
  const CallScope scope(
      [&] { return "in backend \"" + backend->id + "\", which made a workload factory"; });
  LoadedBackend loaded;
  loaded.backend = std::move(backend);
  const PluginObject<IBackendInternal>& maker = loaded.backend->backend;
  WorkloadFactoryArgs args;
  args.model_context = loaded.backend->model_context.Share();
  args.options = &loaded.backend->options;
  args.logger = maker.GetOrigin()->logger.get();
  args.context = loaded.backend->GetContext();
  auto factory = maker.Call<&IBackendInternal::CreateWorkloadFactory>(args);
  loaded.factory = {std::move(factory.GetOrThrow()), maker.GetOrigin()};
  if (!loaded.factory) throw DiagnosticException(DescribeNoFactory(loaded.backend->id));
  return loaded;
}

}  // namespace backplane
