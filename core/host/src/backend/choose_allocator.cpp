#include "backend/make_context.hpp"

#include <backplane/host/capabilities.hpp>

#include <string>
#include <utility>

namespace backplane::backend {
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

// What of a capability is not as wanted, or "".
std::string FindLack(const BackendCapabilities& capabilities, const char* wanted) {
  const CapabilityMatch match = MatchCapability(capabilities, {wanted, true});
  if (match == CapabilityMatch::kSame) return "";
  const std::string name = std::string("capability \"") + wanted + "\"";
  if (match == CapabilityMatch::kAbsent) return "found no " + name + "; expected true";
  const OptionValue& found = *FindCapability(capabilities, wanted);
  return "found the " + name + " with the " + GetOptionTypeName(found.type) + " " + ToText(found) +
         "; expected the bool true";
}

void RequireProtectedCapability(const std::string& id, const BackendCapabilities& capabilities) {
  const std::string lack = FindLack(capabilities, kCapabilityProtectedMemory);
  if (lack.empty()) return;
  Diagnostic diagnostic =
      MakeDiagnostic(DiagnosticCode::kNotProtected, id,
                     "backend \"" + id + "\" cannot work in protected memory, which is asked for");
  diagnostic.why = lack;
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

void RequireProtectedSource(const std::string& id,
                            const PluginObject<ICustomAllocator>& allocator) {
  std::string found = "no allocator";
  if (allocator) {
    auto source = allocator.Call<&ICustomAllocator::GetMemorySource>();
    if (!source.HasFailed() && source.value == MemorySource::kDmaBufProtected) return;
    found =
        std::string("that of the application") +
        (source.HasFailed() ? ", whose GetMemorySource threw: " + source.failure->why
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
                                               const ContextSettings& settings) {
  const std::string& id = backend.GetOrigin()->backend_id;
  PluginObject<ICustomAllocator> custom = WrapCustom(id, settings, backend);
  if (settings.protection == MemoryProtection::kProtected) {
    RequireProtectedCapability(id, capabilities);
    RequireProtectedSource(id, custom);
  }
  if (custom) {
    const std::string lack = FindLack(capabilities, kCapabilityCustomAllocator);
    if (!lack.empty()) throw DiagnosticException(DescribeRefusedAllocator(id, lack));
  }
  return custom;
}

Diagnostic DescribeRefusedAllocator(const std::string& backend_id, const std::string& why) {
  Diagnostic diagnostic = MakeDiagnostic(
      DiagnosticCode::kAllocatorRefused, backend_id,
      "backend \"" + backend_id + "\" refuses the custom allocator of the application");
  diagnostic.why = why.empty() ? "it gives no reason; ask the vendor of the backend for one" : why;
  diagnostic.fix = "give an allocator as the backend wants it, or none for this backend";
  return diagnostic;
}

}  // namespace backplane::backend
