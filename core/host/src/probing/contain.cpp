#include "probing/contain.hpp"

#include <backplane/host/system_refusal.hpp>

#include <new>

namespace backplane::probing {

Diagnostic DescribeExaminationFailure(const std::string& path, Stage stage,
                                      const std::string& thrown) {
  const bool is_memory = thrown == std::bad_alloc().what();
  const Diagnostic refused = DescribeOutOfMemory("");
  Diagnostic diagnostic{DiagnosticCode::kExaminationFailed};
  diagnostic.subject = {SubjectKind::kFile, path};
  diagnostic.what = path + " could not be examined to the end";
  diagnostic.why = std::string("in the stage \"") + GetStageName(stage) +
                   "\" the host was given: " + thrown +
                   (is_memory ? ", memory was refused (" + refused.why + ")" : "") +
                   "; expected no error here, and the other candidates are not affected";
  diagnostic.fix =
      is_memory ? refused.fix + ", and scan again; when only this file does it, remove the file"
                : "remove the file, and send this text to the makers of Backplane";
  return diagnostic;
}

}  // namespace backplane::probing
