#include "creation/choose_allocator.hpp"

#include <backplane/host/capabilities.hpp>

#include <string>
#include <utility>

namespace backplane::creation {
namespace {

const char* GetSourceName(MemorySource source) {
  switch (source) {
    case MemorySource::kUndefined:
      return "undefined";
    case MemorySource::kMalloc:
      return "malloc";
    case MemorySource::kFileDescriptor:
      return "file descriptor";
    case MemorySource::kDmaBuf:
      return "dma-buf";
    case MemorySource::kDmaBufProtected:
      return "protected dma-buf";
  }
  return "unknown";
}

Diagnostic MakeDiagnostic(DiagnosticCode code, const std::string& id, const std::string& what) {
  Diagnostic diagnostic{code};
  diagnostic.subject = {SubjectKind::kBackend, id};
  diagnostic.what = what;
  return diagnostic;
}

void RequireProtectedCapability(const std::string& id, const BackendCapabilities& capabilities) {
  const BackendOption wanted{kCapabilityProtectedMemory, true};
  const CapabilityMatch match = MatchCapability(capabilities, wanted);
  if (match == CapabilityMatch::kSame) return;
  Diagnostic diagnostic =
      MakeDiagnostic(DiagnosticCode::kNotProtected, id,
                     "backend \"" + id + "\" cannot work in protected memory, which is asked for");
  const std::string name = std::string("capability \"") + wanted.name + "\"";
  if (match == CapabilityMatch::kAbsent) {
    diagnostic.why = "found no " + name + "; expected true";
  } else {
    const OptionValue& found = *FindCapability(capabilities, wanted.name);
    diagnostic.why = "found the " + name + " with the " + GetOptionTypeName(found.type) + " " +
                     ToText(found) + "; expected the bool true";
  }
  diagnostic.fix =
      "use backends that state this capability, or make another runtime without protected mode";
  throw DiagnosticException(std::move(diagnostic));
}

/// An object of the application, behind the barrier that objects of plugins are behind.
PluginObject<ICustomAllocator> WrapCustom(const std::string& id, const ContextSettings& settings,
                                          const PluginObject<IBackendInternal>& backend) {
  auto origin = std::make_shared<PluginOrigin>();
  origin->backend_id = id;
  origin->declared_version = IBackendInternal::GetApiVersion();
  origin->logger = backend.GetOrigin()->logger;
  return {FindCustomAllocator(settings, id), std::move(origin)};
}

void RequireAccepted(const PluginObject<IBackendInternal>& backend,
                     const PluginObject<ICustomAllocator>& custom,
                     progress::ProgressObserver* observer) {
  const std::string& id = backend.GetOrigin()->backend_id;
  CustomAllocatorArgs args;
  args.allocator = custom.Share();
  std::string reason;
  progress::AnnounceCall(observer,
                         FunctionInfo<&IBackendInternal::UseCustomMemoryAllocator>::kName);
  auto accepts = backend.Call<&IBackendInternal::UseCustomMemoryAllocator>(args, reason);
  if (accepts.GetOrThrow()) return;
  if (!accepts.WasCalled()) reason = "the backend is older than custom allocators";
  if (reason.empty()) reason = "it gives no reason; ask the vendor of the backend for one";
  Diagnostic diagnostic =
      MakeDiagnostic(DiagnosticCode::kAllocatorRefused, id,
                     "backend \"" + id + "\" refuses the custom allocator of the application");
  diagnostic.why = reason;
  diagnostic.fix = "give an allocator as the backend wants it, or none for this backend";
  throw DiagnosticException(std::move(diagnostic));
}

PluginObject<ICustomAllocator> AskDefault(const PluginObject<IBackendInternal>& backend,
                                          progress::ProgressObserver* observer) {
  progress::AnnounceCall(observer, FunctionInfo<&IBackendInternal::GetDefaultAllocator>::kName);
  auto allocator = backend.Call<&IBackendInternal::GetDefaultAllocator>();
  return {std::move(allocator.GetOrThrow()), backend.GetOrigin()};
}

void RequireProtectedSource(const std::string& id, const PluginObject<ICustomAllocator>& allocator,
                            const std::string& whose) {
  std::string found = "no allocator";
  if (allocator) {
    auto source = allocator.Call<&ICustomAllocator::GetMemorySource>();
    if (!source.HasFailed() && source.value == MemorySource::kDmaBufProtected) return;
    found = whose + (source.HasFailed()
                         ? ", whose GetMemorySource threw: " + source.failure->why
                         : std::string(", of the kind \"") + GetSourceName(source.value) + "\"");
  }
  Diagnostic diagnostic =
      MakeDiagnostic(DiagnosticCode::kNoProtectedAllocator, id,
                     "backend \"" + id + "\" has no allocator of protected memory");
  diagnostic.why = "found " + found + "; expected one of the kind \"" +
                   GetSourceName(MemorySource::kDmaBufProtected) + "\"";
  diagnostic.fix =
      "give one in CreationOptions::custom_allocators, or make another runtime without protected "
      "mode";
  throw DiagnosticException(std::move(diagnostic));
}

}  // namespace

std::shared_ptr<ICustomAllocator> FindCustomAllocator(const ContextSettings& settings,
                                                      const std::string& backend_id) {
  for (const CustomAllocator& custom : settings.allocators) {
    if (custom.backend_id == backend_id) return custom.allocator;
  }
  return nullptr;
}

PluginObject<ICustomAllocator> ChooseAllocator(const PluginObject<IBackendInternal>& backend,
                                               const BackendCapabilities& capabilities,
                                               const ContextSettings& settings,
                                               progress::ProgressObserver* observer) {
  const std::string& id = backend.GetOrigin()->backend_id;
  const bool is_protected = settings.protection == MemoryProtection::kProtected;
  if (is_protected) RequireProtectedCapability(id, capabilities);
  PluginObject<ICustomAllocator> custom = WrapCustom(id, settings, backend);
  if (custom) {
    if (is_protected) RequireProtectedSource(id, custom, "that of the application");
    RequireAccepted(backend, custom, observer);
    return custom;
  }
  if (!is_protected) return {};
  PluginObject<ICustomAllocator> own = AskDefault(backend, observer);
  RequireProtectedSource(id, own, "that of the backend");
  return own;
}

}  // namespace backplane::creation
