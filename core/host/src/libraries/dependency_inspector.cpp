#include "libraries/dependency_inspector.hpp"

#include "diagnostics/file_words.hpp"
#include "elf/machine.hpp"
#include "inspection/format.hpp"
#include "inspection/limit_checks.hpp"
#include "libraries/dependency_checks.hpp"
#include "libraries/dependency_closure.hpp"
#include "libraries/late_libraries.hpp"

#include <memory>
#include <utility>

namespace backplane::libraries {
namespace {

void Append(std::vector<Diagnostic> more, std::vector<Diagnostic>& diagnostics) {
  for (Diagnostic& diagnostic : more) diagnostics.push_back(std::move(diagnostic));
}

std::vector<Diagnostic> CheckDependencies(const Library& file, const DependencyClosure& closure,
                                          const std::string& path,
                                          const IsDefinedInProcess& is_defined_in_process) {
  std::vector<Diagnostic> diagnostics = CheckBorrowedEntryPoints(file, closure, path);
  Append(CheckSymbolVersions(file, closure, path), diagnostics);
  // Without all libraries nobody can say which symbols are missing.
  if (!closure.missing.empty()) {
    Append(CheckNoneIsMissing(closure, path), diagnostics);
  } else {
    Append(CheckSymbols(file, closure, path, is_defined_in_process), diagnostics);
  }
  for (const HygieneCheck check : kHygieneChecks) {
    if (std::optional<Diagnostic> diagnostic = check(file, closure, path)) {
      diagnostics.push_back(std::move(*diagnostic));
    }
  }
  return diagnostics;
}

Diagnostic DescribeExceeded(const DependencyClosure& closure, const std::string& path) {
  const bool is_of_places = *closure.exceeded == elf::Limit::kSearchedPlaces;
  const std::uint64_t found =
      is_of_places ? closure.num_places : closure.libraries.size() + closure.missing.size();
  return inspection::CheckLimit(*closure.exceeded, found, path).value();
}

}  // namespace

// What is the same for all candidates.
struct DependencyInspector::Knowledge {
  explicit Knowledge(LoaderEnvironment environment)
      : program(ReadProgram()), search(std::move(environment)) {}

  elf::LibraryRequester program;
  LibrarySearch search;
  SharedObjects objects;
};

DependencyInspector::DependencyInspector(IsDefinedInProcess is_defined_in_process,
                                         LoaderEnvironment environment)
    : is_defined_in_process_(std::move(is_defined_in_process)),
      environment_(std::move(environment)) {}

DependencyInspector::~DependencyInspector() = default;

inspection::StageOutcome DependencyInspector::Inspect(int descriptor, const std::string& path,
                                                      const std::string& canonical_path) {
  const std::lock_guard lock(mutex_);
  const auto start = std::chrono::steady_clock::now();
  inspection::StageOutcome outcome;
  outcome.stage = Stage::kDependencies;
  inspection::FormatResult format = inspection::CheckFormat(descriptor, path);
  if (!format.elf) {
    outcome.diagnostics = std::move(format.diagnostics);
  } else if (format.elf->GetHeader().e_machine == elf::kHostMachine) {
    if (!knowledge_) knowledge_ = std::make_unique<Knowledge>(environment_);
    Library file;
    file.name = diagnostics::GetFileName(canonical_path);
    file.object = ReadSharedObject(canonical_path, wire::FileDescriptor(), std::move(*format.elf));
    file.requester = file.object->requester;
    file.requester.needed_by = &knowledge_->program;
    const DependencyClosure closure =
        FindDependencies(file, knowledge_->search, knowledge_->objects);
    outcome.diagnostics = closure.exceeded
                              ? std::vector<Diagnostic>{DescribeExceeded(closure, path)}
                              : CheckDependencies(file, closure, path, is_defined_in_process_);
    Append(CheckLateLibraries(*file.object->elf, file.requester, knowledge_->search,
                              knowledge_->objects, path),
           outcome.diagnostics);
  }
  outcome.duration = std::chrono::steady_clock::now() - start;
  return outcome;
}

inspection::StageOutcome DependencyInspector::InspectLate(const elf::File& elf,
                                                          const std::string& path,
                                                          const std::string& canonical_path) {
  const std::lock_guard lock(mutex_);
  const auto start = std::chrono::steady_clock::now();
  inspection::StageOutcome outcome;
  outcome.stage = Stage::kDependencies;
  if (!knowledge_) knowledge_ = std::make_unique<Knowledge>(environment_);
  elf::LibraryRequester requester = elf::ReadRequester(elf, canonical_path);
  requester.needed_by = &knowledge_->program;
  outcome.diagnostics =
      CheckLateLibraries(elf, requester, knowledge_->search, knowledge_->objects, path);
  outcome.duration = std::chrono::steady_clock::now() - start;
  return outcome;
}

inspection::StageOutcome InspectDependencies(int descriptor, const std::string& path,
                                             const std::string& canonical_path,
                                             const IsDefinedInProcess& is_defined_in_process) {
  return DependencyInspector(is_defined_in_process).Inspect(descriptor, path, canonical_path);
}

}  // namespace backplane::libraries
