#include <backplane/api/exceptions.hpp>
#include <backplane/host/contexts.hpp>
#include <backplane/host/logging.hpp>
#include <backplane/host/plugin_object.hpp>
#include <backplane/host/system_refusal.hpp>

#include <algorithm>
#include <cstring>
#include <exception>
#include <iterator>
#include <new>
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

/// Memory that a backend was refused is no fault of its vendor's.
Diagnostic DescribeNoMemory(const std::string& backend_id, const char* function,
                            const std::string& thrown) {
  Diagnostic diagnostic = DescribeOutOfMemory("");
  diagnostic.subject = {SubjectKind::kBackend, backend_id};
  diagnostic.what = "backend " + backend_id + " was refused memory in " + function;
  diagnostic.why = "it says: " + thrown + "; " + diagnostic.why;
  return diagnostic;
}

/// What is told for each reason.
struct UnavailabilityRow {
  UnavailabilityReason reason;
  DiagnosticCode code;
  const char* text;
  const char* cure;
};

constexpr DiagnosticCode GetUnavailabilityCode(UnavailabilityReason reason) {
  switch (reason) {
    case UnavailabilityReason::kNoDevice:
      return DiagnosticCode::kDeviceMissing;
    case UnavailabilityReason::kDriverMissing:
      return DiagnosticCode::kDriverMissing;
    case UnavailabilityReason::kDriverTooOld:
      return DiagnosticCode::kDriverTooOld;
    case UnavailabilityReason::kPermission:
      return DiagnosticCode::kDevicePermission;
    case UnavailabilityReason::kBusy:
      return DiagnosticCode::kDeviceBusy;
    case UnavailabilityReason::kLicense:
      return DiagnosticCode::kLicenseMissing;
    case UnavailabilityReason::kOther:
      break;
  }
  return DiagnosticCode::kBackendUnavailable;
}

constexpr UnavailabilityRow kUnavailabilityRows[] = {
#define BACKPLANE_UNAVAILABILITY_REASON(name, number, text, cure) \
  {UnavailabilityReason::k##name, GetUnavailabilityCode(UnavailabilityReason::k##name), text, cure},
#include <backplane/api/unavailability_reasons.def>
#undef BACKPLANE_UNAVAILABILITY_REASON
};

/// Of a newer backend, a reason may not be known.
const UnavailabilityRow& FindUnavailabilityRow(UnavailabilityReason reason) {
  for (const UnavailabilityRow& row : kUnavailabilityRows) {
    if (row.reason == reason) return row;
  }
  return kUnavailabilityRows[0];
}

std::string Cite(const std::string& text) {
  return text.empty() ? "it gives no reason; ask the vendor of the backend for one"
                      : "it says: " + text;
}

/// A plugin's own exception class may return null.
std::string GetWhat(const std::exception& exception) {
  const char* const text = exception.what();
  return text != nullptr ? CutText(text) : "nothing (what() is null)";
}

Diagnostic DescribeUnavailable(const std::string& backend_id, UnavailabilityReason reason,
                               const std::string& text) {
  const UnavailabilityRow& row = FindUnavailabilityRow(reason);
  Diagnostic diagnostic{row.code};
  diagnostic.subject = {SubjectKind::kBackend, backend_id};
  diagnostic.what = "backend " + backend_id + " cannot work here";
  if (row.reason != UnavailabilityReason::kOther) diagnostic.what += std::string(": ") + row.text;
  diagnostic.why = text;
  diagnostic.fix = row.cure;
  return diagnostic;
}

}  // namespace

std::unique_ptr<Diagnostic> DescribeCurrentException(const std::string& backend_id,
                                                     const char* function) {
  // The exception object belongs to the plugin: only copies of its text leave here.
  try {
    throw;
  } catch (const DiagnosticException& exception) {
    // Of the host itself, which speaks for a backend in another process.
    return std::make_unique<Diagnostic>(exception.GetDiagnostic());
  } catch (const BackendUnavailableException& exception) {
    return std::make_unique<Diagnostic>(
        DescribeUnavailable(backend_id, exception.GetReason(), GetWhat(exception)));
  } catch (const std::bad_alloc& exception) {
    return std::make_unique<Diagnostic>(DescribeNoMemory(backend_id, function, GetWhat(exception)));
  } catch (const std::exception& exception) {
    return std::make_unique<Diagnostic>(
        DescribeThrow(backend_id, function, Cite(GetWhat(exception))));
  } catch (...) {
    return std::make_unique<Diagnostic>(DescribeThrow(
        backend_id, function, "what it threw is not a std::exception, so it says nothing"));
  }
}

Diagnostic DescribeFailure(const std::string& backend_id, const char* function,
                           const SaidFailure& said) {
  const std::string text = said.text.empty()
                               ? std::string("nothing but \"") + GetStatusText(said.status) + '"'
                               : said.text;
  if (said.status == Status::kUnavailable) {
    return DescribeUnavailable(backend_id, said.reason, text);
  }
  if (said.status == Status::kOutOfMemory) return DescribeNoMemory(backend_id, function, text);
  return DescribeThrow(backend_id, function, Cite(text));
}

std::string CutText(const char* text) {
  constexpr std::size_t kMaxBytes = 2000;
  const std::size_t num_bytes = std::strlen(text);
  if (num_bytes <= kMaxBytes) return text;
  return std::string(text, kMaxBytes) + "... (cut here: the text has " + std::to_string(num_bytes) +
         " bytes)";
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

namespace backplane {

bool IsOwnUnavailability(const Diagnostic& diagnostic) {
  return std::any_of(
      std::begin(plugin_call::kUnavailabilityRows), std::end(plugin_call::kUnavailabilityRows),
      [&](const plugin_call::UnavailabilityRow& row) { return row.code == diagnostic.code; });
}

}  // namespace backplane
