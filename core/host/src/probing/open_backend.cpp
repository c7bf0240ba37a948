#include "probing/open_backend.hpp"

#include "backend/identify_backend.hpp"
#include "backend/open_table.hpp"
#include "backend/shared_library.hpp"
#include "inspection/format.hpp"
#include "inspection/inspect_file.hpp"
#include "inspection/loader_settings.hpp"

#include <backplane/host/logging.hpp>
#include <backplane/host/system_refusal.hpp>
#include <backplane/host/thread_places.hpp>

#include <elf.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

namespace backplane::probing {
namespace {

/// The needs of the file itself are known; the loader does not tell what other libraries took.
std::string GetStaticTlsCure(const files::CandidateFile& file) {
  const auto format = inspection::CheckFormat(file.descriptor.Get(), file.canonical_path);
  const auto* segment = format.elf ? format.elf->FindSegment(PT_TLS) : nullptr;
  const std::uint64_t set_bytes = inspection::GetOptionalStaticTlsBytes();
  const std::uint64_t needed_bytes = segment != nullptr ? segment->p_memsz : 0;
  return "start the program with more static thread-local storage, as with " +
         inspection::MakeStaticTlsSetting(4 * set_bytes + needed_bytes) + " (now it is " +
         std::to_string(set_bytes) + "); vendor: compile without -ftls-model=initial-exec";
}

/// Finds what the system refused in the loader's text, which has no number.
std::optional<SystemRefusal> FindSystemRefusal(const std::string& loader_text) {
  const auto says = [&](const char* words) { return loader_text.find(words) != std::string::npos; };
  if (says(std::strerror(EMFILE))) return ExplainRefusal(EMFILE);
  if (says(std::strerror(ENFILE))) return ExplainRefusal(ENFILE);
  // Rights too keep segments from being mapped, and it does not say which it was.
  rlimit addresses{};
  const bool is_limited =
      getrlimit(RLIMIT_AS, &addresses) == 0 && addresses.rlim_cur != RLIM_INFINITY;
  const bool is_memory = says(std::strerror(ENOMEM)) || says("out of memory") ||
                         (is_limited && says("failed to map segment"));
  return is_memory ? ExplainRefusal(ENOMEM) : std::nullopt;
}

Diagnostic DescribeLoaderRefusal(const files::CandidateFile& file, const std::string& path,
                                 const std::string& loader_text) {
  Diagnostic diagnostic{DiagnosticCode::kOpenFailed};
  diagnostic.subject = {SubjectKind::kFile, path};
  diagnostic.what = "the loader refused " + path;
  diagnostic.why = "it says: " + loader_text;
  diagnostic.fix = loader_text.find("static TLS") != std::string::npos
                       ? GetStaticTlsCure(file)
                       : "get a build of the backend for this system";
  if (const auto refusal = FindSystemRefusal(loader_text)) {
    diagnostic.why += "; found: " + refusal->found;
    diagnostic.fix = refusal->cure;
  }
  return diagnostic;
}

Diagnostic DescribeLostEntryPoint(const std::string& path, const char* name) {
  Diagnostic diagnostic{DiagnosticCode::kMissingEntryPoint};
  diagnostic.subject = {SubjectKind::kFile, path};
  diagnostic.what = "the loader does not find " + std::string(name) + " in " + path;
  diagnostic.why = "the file's symbol table has it, its hash table does not";
  diagnostic.fix = "the file is damaged: copy it again from where it came from";
  return diagnostic;
}

Diagnostic DescribeChangedRoot(const std::string& path) {
  Diagnostic diagnostic{DiagnosticCode::kChangedProcessState};
  diagnostic.subject = {SubjectKind::kFile, path};
  diagnostic.what = path + " changes the root directory of the process that loads it";
  diagnostic.why =
      "found another directory at / when it had been opened (its constructors call chroot or "
      "pivot_root); expected the one from before, in which all files of the application are";
  diagnostic.fix = "vendor: run what must be locked in in a process of its own";
  return diagnostic;
}

/// Which directory "/" is. Nothing: it cannot be told.
std::optional<std::pair<dev_t, ino_t>> FindRoot() {
  struct stat root {};
  if (::stat("/", &root) != 0) return std::nullopt;
  return std::make_pair(root.st_dev, root.st_ino);
}

/// The file itself defines them, as was inspected, and the loader looks there first.
std::optional<Diagnostic> FindEntryPoints(const backend::SharedLibrary& library,
                                          const std::string& path, StaticEntryPoints& out) {
  void* addresses[] = {library.FindSymbol("GetBackendId"), library.FindSymbol("GetVersion"),
                       library.FindSymbol("BackendFactory")};
  const char* names[] = {"GetBackendId", "GetVersion", "BackendFactory"};
  for (std::size_t i = 0; i < 3; ++i) {
    if (addresses[i] == nullptr) return DescribeLostEntryPoint(path, names[i]);
  }
  out.get_backend_id = reinterpret_cast<decltype(out.get_backend_id)>(addresses[0]);
  out.get_version = reinterpret_cast<decltype(out.get_version)>(addresses[1]);
  out.backend_factory = reinterpret_cast<decltype(out.backend_factory)>(addresses[2]);
  return std::nullopt;
}

BackendRegistration MakeRegistration(const BackendIdentity& identity,
                                     const std::optional<AbiNote>& note,
                                     const files::CandidateFile& file,
                                     const std::shared_ptr<backend::SharedLibrary>& library,
                                     const StaticEntryPoints& entry_points) {
  auto origin = std::make_shared<PluginOrigin>();
  origin->backend_id = identity.id;
  origin->declared_version = identity.api_version;
  if (note) origin->knows_minor = note->knows_minor;
  origin->library = library;
  origin->code_file = std::make_shared<CodeFile>(file.canonical_path, file.status);
  origin->logger = CreateBackendLogger(identity.id);
  BackendRegistration registration;
  registration.factory = backend::MakeBackendFactory(*origin, entry_points.backend_factory);
  registration.origin = std::move(origin);
  registration.source = file.canonical_path;
  return registration;
}

/// The loader names only the first fault, and often not its cause: the dependencies tell.
void ReportRefusal(files::CandidateFile& file, const std::string& loader_text,
                   const Candidate& candidate, CandidateLadder& ladder) {
  if (auto failure = files::OpenAgain(file, candidate.path)) {
    ladder.Report(std::move(*failure));
    return;
  }
  Diagnostic refusal = DescribeLoaderRefusal(file, candidate.path, loader_text);
  // Missing libraries cannot be told when the system refuses to look.
  if (!ladder.HasRun(Stage::kDependencies) && !FindSystemRefusal(loader_text)) {
    ladder.FailWithoutReason();
    ladder.Stop();
    auto why = libraries::InspectDependencies(file.descriptor.Get(), candidate.path,
                                              file.canonical_path, backend::IsDefinedInProcess);
    for (Diagnostic& diagnostic : why.diagnostics) {
      if (diagnostic.severity == Severity::kError) diagnostic.causes.push_back(refusal);
    }
    ladder.Add(Stage::kDependencies, why.duration, std::move(why.diagnostics));
    if (ladder.HasFailed()) return;
    ladder.Begin(Stage::kOpen);
  }
  ladder.Report(std::move(refusal));
}

}  // namespace

std::shared_ptr<DynamicBackend> OpenBackend(files::CandidateFile& file,
                                            const std::optional<AbiNote>& note,
                                            Candidate& candidate, CandidateLadder& ladder) {
  const CallScope scope([&] { return "in " + file.canonical_path + ", which was opened"; });
  ladder.Begin(Stage::kOpen);
  if (!files::IsStillTheSame(file)) {
    auto failure = files::OpenAgain(file, candidate.path);  // knows what became of it
    ladder.Report(failure ? std::move(*failure) : files::DescribeChange(candidate.path));
    return nullptr;
  }
  const auto root = FindRoot();
  auto opened = backend::SharedLibrary::Open(file.canonical_path);
  if (!opened.library) {
    ReportRefusal(file, opened.loader_text, candidate, ladder);
    return nullptr;
  }
  const auto& known = candidate.diagnostics;
  const bool leaves_threads = std::any_of(known.begin(), known.end(), [](const auto& diagnostic) {
    return diagnostic.code == DiagnosticCode::kLeftThreads;
  });
  if (leaves_threads) opened.library->KeepMapped();
  if (FindRoot() != root) {
    ladder.Report(DescribeChangedRoot(candidate.path));
    return nullptr;
  }
  if (!files::IsStillTheSame(file)) {
    ladder.Report(files::DescribeChange(candidate.path));
    return nullptr;
  }
  StaticEntryPoints entry_points{};
  if (auto failure = FindEntryPoints(*opened.library, candidate.path, entry_points)) {
    ladder.Report(std::move(*failure));
    return nullptr;
  }
  ladder.Begin(Stage::kIdentify);
  std::optional<BackendVersion> version;
  if (note) version = BackendVersion{note->api_major, note->needs_minor};
  auto identified =
      backend::IdentifyBackend(entry_points, candidate.path, version, ladder.GetObserver());
  if (identified.identity) candidate.identity = identified.identity;
  if (identified.failure) {
    ladder.Report(std::move(*identified.failure));
    return nullptr;
  }
  return std::make_shared<DynamicBackend>(
      MakeRegistration(*candidate.identity, note, file, opened.library, entry_points));
}

}  // namespace backplane::probing
