#include "backend/identify_backend.hpp"

#include <backplane/api/manifest.hpp>
#include <backplane/host/plugin_object.hpp>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

namespace backplane::backend {
namespace {

using manifest_rule::kMaxIdBytes;

Diagnostic Describe(DiagnosticCode code, const std::string& source, std::string what,
                    std::string why, std::string fix) {
  Diagnostic diagnostic{code};
  diagnostic.subject = {SubjectKind::kFile, source};
  diagnostic.what = std::move(what);
  diagnostic.why = std::move(why);
  diagnostic.fix = std::move(fix);
  return diagnostic;
}

std::string ToString(BackendVersion version) {
  return std::to_string(version.major) + '.' + std::to_string(version.minor);
}

/// "", or what is wrong with an id.
std::string FindFaultInId(const std::string& id) {
  if (id.empty()) return "it is empty";
  if (id == "Unknown") return "it is \"Unknown\", which stands for no backend";
  if (id.size() > kMaxIdBytes) return "it is longer than " + std::to_string(kMaxIdBytes) + " bytes";
  const auto odd = std::find_if_not(id.begin(), id.end(), manifest_rule::IsOfId);
  if (odd != id.end()) return "it is \"" + id + "\", which has the character \"" + *odd + '"';
  return "";
}

/// Anything thrown by a plain entry point becomes a diagnostic.
template <typename Call>
std::optional<Diagnostic> CallEntryPoint(const std::string& source, const char* name, Call&& call) {
  try {
    call();
    return std::nullopt;
  } catch (...) {
    auto diagnostic = plugin_call::DescribeCurrentException(source, name);
    diagnostic->subject = {SubjectKind::kFile, source};
    diagnostic->what = std::string(name) + " of " + source + " threw an exception";
    diagnostic->fix = "report this to the vendor of the backend; until then remove the file";
    return std::move(*diagnostic);
  }
}

std::optional<Diagnostic> ReadId(const StaticEntryPoints& entry_points, const std::string& source,
                                 std::string& id) {
  const char* text = nullptr;
  std::size_t length = 0;
  auto failure = CallEntryPoint(source, "GetBackendId", [&] {
    text = entry_points.get_backend_id();
    if (text != nullptr) length = strnlen(text, kMaxIdBytes + 1);
  });
  if (failure) return failure;
  if (text == nullptr) {
    return Describe(DiagnosticCode::kNullBackendId, source,
                    "GetBackendId of " + source + " returned a null pointer",
                    "expected the backend's id", "the backend's vendor must return its id");
  }
  id.assign(text, length);
  const std::string fault = FindFaultInId(id);
  if (fault.empty()) return std::nullopt;
  return Describe(DiagnosticCode::kInvalidBackendId, source,
                  "the id that GetBackendId of " + source + " returned is not allowed",
                  fault + "; expected 1 to " + std::to_string(kMaxIdBytes) +
                      " letters, digits and the characters . _ + -",
                  "the backend's vendor must give it an id of its own");
}

std::optional<Diagnostic> CheckAgainstNote(BackendVersion version, BackendVersion note,
                                           const std::string& source) {
  if (version == note) return std::nullopt;
  return Describe(DiagnosticCode::kVersionDisagreesWithNote, source,
                  "GetVersion and the ABI note of " + source + " disagree",
                  "GetVersion says " + ToString(version) + ", the headers it was built with say " +
                      ToString(note),
                  "the backend's vendor must return IBackendInternal::GetApiVersion()");
}

/// A text that changes, or lies in memory that is reused, is no id.
std::optional<Diagnostic> CheckIdStays(const StaticEntryPoints& entry_points,
                                       const std::string& source, const std::string& id) {
  std::string again;
  if (auto failure = ReadId(entry_points, source, again)) return failure;
  if (again == id) return std::nullopt;
  return Describe(DiagnosticCode::kInvalidBackendId, source,
                  "GetBackendId of " + source + " returned another id when it was asked again",
                  "found \"" + id + "\" and then \"" + again + "\", expected the same",
                  "the backend's vendor must return a constant text");
}

}  // namespace

std::optional<Diagnostic> CheckVersion(BackendVersion backend, BackendVersion host,
                                       const std::string& source) {
  if (IsCompatible(backend, host)) return std::nullopt;
  const std::string why =
      "found version " + ToString(backend) + ", this host has " + ToString(host);
  if (backend.major != host.major) {
    return Describe(DiagnosticCode::kApiMajorMismatch, source,
                    source + " was built for another major version of the Backend API",
                    why + "; the majors must be equal",
                    "get a build of the backend for Backend API " + std::to_string(host.major) +
                        ".x, or a host of version " + std::to_string(backend.major) + ".x");
  }
  return Describe(DiagnosticCode::kApiMinorTooNew, source,
                  source + " was built for a later version of the Backend API",
                  why + "; a host takes its own minor version and earlier ones",
                  "update the host to Backend API " + ToString(backend) +
                      " or later, or get an older build of the backend");
}

IdentificationResult IdentifyBackend(const StaticEntryPoints& entry_points,
                                     const std::string& source,
                                     const std::optional<BackendVersion>& note,
                                     ProgressObserver* observer) {
  IdentificationResult result;
  BackendIdentity identity;
  AnnounceCall(observer, "GetBackendId");
  result.failure = ReadId(entry_points, source, identity.id);
  if (result.failure) return result;
  BackendVersion& version = identity.api_version;
  AnnounceCall(observer, "GetVersion");
  result.failure = CallEntryPoint(
      source, "GetVersion", [&] { entry_points.get_version(&version.major, &version.minor); });
  if (result.failure) return result;
  result.identity = identity;
  // The note is what the compiler saw: a function that says otherwise is what has to be mended,
  // whether or not this host could use the version that it claims.
  if (note) result.failure = CheckAgainstNote(version, *note, source);
  if (!result.failure) result.failure = CheckVersion(version, kBackendApiVersion, source);
  if (!result.failure) result.failure = CheckIdStays(entry_points, source, identity.id);
  return result;
}

}  // namespace backplane::backend
