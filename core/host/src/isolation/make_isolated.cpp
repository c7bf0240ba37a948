#include "isolation/make_isolated.hpp"

#include "isolation/isolated_backend.hpp"
#include "isolation/isolation_rules.hpp"
#include "isolation/worker_life.hpp"
#include "probing/probe_file.hpp"

#include <backplane/host/logging.hpp>

#include <utility>

namespace backplane::isolation {

BackendRegistration MakeIsolatedRegistration(const Candidate& candidate,
                                             const discovery::CandidateFile& file,
                                             const ScanOptions& options) {
  const std::string& id = candidate.identity->id;
  WorkerPlan plan;
  plan.backend_id = id;
  plan.program = probing::FindProgram(options.probe_settings, probing::ProbeDepth::kServe);
  plan.file = {candidate.path, file.canonical_path, discovery::MakeFileStamp(file.status)};
  plan.settings = options.isolation;
  plan.sandbox = PlanSandbox(options, &*candidate.identity, candidate.path);
  plan.sandbox.processors = options.isolation.processors;
  plan.sandbox.max_open_files = options.isolation.max_open_files;
  plan.logger = CreateBackendLogger(id);
  auto origin = std::make_shared<PluginOrigin>();
  origin->backend_id = id;
  origin->declared_version = candidate.identity->api_version;
  origin->code_file = std::make_shared<CodeFile>(file.canonical_path, file.status);
  origin->logger = plan.logger;
  auto life = std::make_shared<WorkerLife>(std::move(plan));
  origin->isolation = life;
  BackendRegistration registration;
  registration.origin = std::move(origin);
  registration.source = file.canonical_path;
  registration.factory = [life = std::move(life)] {
    return std::unique_ptr<IBackendInternal>(std::make_unique<IsolatedBackend>(life));
  };
  return registration;
}

}  // namespace backplane::isolation
