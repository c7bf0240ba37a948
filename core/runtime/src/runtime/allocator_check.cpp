#include "runtime/allocator_check.hpp"

#include <backplane/host/diagnostic.hpp>

#include <set>
#include <string>
#include <utility>

namespace backplane {

namespace {

[[noreturn]] void Throw(DiagnosticCode code, const std::string& id, const std::string& what,
                        const std::string& why, const std::string& fix) {
  Diagnostic diagnostic{code};
  diagnostic.subject = {SubjectKind::kBackend, id};
  diagnostic.what = what;
  diagnostic.why = why;
  diagnostic.fix = fix;
  throw DiagnosticException(std::move(diagnostic));
}

}  // namespace

void CheckAllocators(const std::vector<CustomAllocator>& allocators) {
  std::set<std::string> ids;
  for (const CustomAllocator& custom : allocators) {
    const std::string& id = custom.backend_id;
    if (!custom.allocator) {
      Throw(DiagnosticCode::kNullAllocator, id,
            "the custom allocator for backend \"" + id + "\" is null",
            "found null; expected an ICustomAllocator",
            "give an allocator, or leave the backend out of CreationOptions::custom_allocators");
    }
    if (!ids.insert(id).second) {
      Throw(DiagnosticCode::kDuplicateAllocator, id,
            "backend \"" + id + "\" is given two custom allocators",
            "found a second entry for \"" + id +
                "\" in CreationOptions::custom_allocators; expected at most one",
            "give one allocator for each backend");
    }
  }
}

}  // namespace backplane
