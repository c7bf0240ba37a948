#include <backplane/api/exceptions.hpp>
#include <backplane/host/logging.hpp>
#include <backplane/host/plugin_object.hpp>

#include <cstring>
#include <exception>
#include <string>

namespace backplane::plugin_call {
namespace {

Diagnostic DescribeThrow(const std::string& backend_id, const char* function,
                         const std::string& thrown) {
  Diagnostic diagnostic{DiagnosticCode::kBackendThrew};
  diagnostic.subject = {SubjectKind::kBackend, backend_id};
  diagnostic.what = "backend " + backend_id + " threw an exception from " + function;
  diagnostic.why = thrown;
  diagnostic.fix =
      "report this to the vendor of the backend, or disable it with "
      "BACKPLANE_DISABLE_BACKENDS=" +
      backend_id;
  return diagnostic;
}

/// A plugin's own exception class may return null, or more than anybody reads.
std::string GetWhat(const std::exception& exception) {
  constexpr std::size_t kMaxBytes = 2000;
  const char* text = exception.what();
  if (text == nullptr) return "nothing (what() is null)";
  const std::size_t num_bytes = std::strlen(text);
  if (num_bytes <= kMaxBytes) return text;
  return std::string(text, kMaxBytes) + "... (cut here: the text has " + std::to_string(num_bytes) +
         " bytes)";
}

}  // namespace

std::unique_ptr<Diagnostic> DescribeCurrentException(const std::string& backend_id,
                                                     const char* function) {
  // The exception object belongs to the plugin: only copies of its text leave here.
  try {
    throw;
  } catch (const BackendUnavailableException& exception) {
    Diagnostic diagnostic{DiagnosticCode::kBackendUnavailable};
    diagnostic.subject = {SubjectKind::kBackend, backend_id};
    diagnostic.what = "backend " + backend_id + " cannot work here";
    diagnostic.why = GetWhat(exception);
    diagnostic.fix = "provide what the backend asks for, or use another backend";
    return std::make_unique<Diagnostic>(std::move(diagnostic));
  } catch (const std::exception& exception) {
    return std::make_unique<Diagnostic>(
        DescribeThrow(backend_id, function, "it says: " + GetWhat(exception)));
  } catch (...) {
    return std::make_unique<Diagnostic>(DescribeThrow(
        backend_id, function, "what it threw is not a std::exception, so it says nothing"));
  }
}

void ReportDestructorException(const std::string& backend_id) noexcept {
  try {
    const auto diagnostic = DescribeCurrentException(backend_id, "a destructor");
    Log("registration", LogLevel::kWarning, ToText(*diagnostic));
  } catch (...) {
    // Nothing can be said when even describing fails; the object is gone either way.
    return;
  }
}

}  // namespace backplane::plugin_call
