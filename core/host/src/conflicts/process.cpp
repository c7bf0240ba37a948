#include "conflicts/process.hpp"

#include "elf/limits.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace backplane::conflicts {
namespace {

using libraries::SharedObject;

std::optional<FileIdentity> FindIdentity(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return GetFileIdentity(status);
}

/// False: it was reached before.
bool Reach(const Member* member, Arrival& arrival) {
  constexpr std::size_t kFew = 16;  // among which looking is quicker than a table
  std::vector<const Member*>& scope = arrival.scopes.back();
  if (scope.size() < kFew) {
    if (std::find(scope.begin(), scope.end(), member) != scope.end()) return false;
  } else {
    if (arrival.seen.empty()) arrival.seen.insert(scope.begin(), scope.end());
    if (!arrival.seen.insert(member).second) return false;
  }
  scope.push_back(member);
  return true;
}

}  // namespace

struct Process::Search {
  elf::LibraryRequester program = libraries::ReadProgram();
  libraries::LibrarySearch search{libraries::LoaderEnvironment::OfThisProcess()};
  libraries::SharedObjects objects;
  std::uint64_t num_places = 0;
};

Process::Process(HostProcess host, Foresight foresight)
    : host_(std::move(host)), foresight_(foresight) {
  for (const HostFile& file : host_.files) {
    auto member = std::make_shared<Member>();
    member->path = file.path;
    if (!file.soname.empty()) names_.emplace(file.soname, member.get());
    if (const auto identity = FindIdentity(file.path)) {
      identities_.emplace(*identity, member.get());
      program_identities_.emplace(*identity, member.get());
    }
    members_.push_back(std::move(member));
  }
}

Process::~Process() = default;

bool Process::HasFromBeginning(FileIdentity identity) const {
  return program_identities_.count(identity) != 0;
}

Process::Search& Process::GetSearch() {
  if (!search_) search_ = std::make_unique<Search>();
  return *search_;
}

Arrival Process::Foresee(const Candidate& candidate, std::shared_ptr<const FileAccount> account,
                         FileIdentity identity) {
  Arrival arrival;
  arrival.candidate = &candidate;
  auto file = std::make_shared<Member>();
  file->path = account->path;
  file->candidate = candidate.path;
  file->requester = account->requester;
  file->account = std::move(account);
  if (!file->account->soname.empty()) arrival.names.emplace(file->account->soname, file.get());
  arrival.identities.emplace_back(identity, file.get());
  BeginScope(arrival);
  Reach(file.get(), arrival);
  arrival.members.push_back(std::move(file));
  if (search_) search_->num_places = 0;
  AddNeeded(0, arrival);
  AddLate(arrival);
  return arrival;
}

void Process::BeginScope(Arrival& arrival) {
  arrival.scopes.emplace_back();
  arrival.seen.clear();
}

Member* Process::FindByName(const std::string& name, const Arrival& arrival) const {
  const auto found = names_.find(name);
  if (found != names_.end()) return found->second;
  const auto known = arrival.names.find(name);
  return known != arrival.names.end() ? known->second : nullptr;
}

/// Breadth first, as the loader does, because the first library of a name serves all.
void Process::AddNeeded(std::size_t first_member, Arrival& arrival) {
  for (std::size_t i = first_member; i < arrival.members.size(); ++i) {
    AddNeededOf(*arrival.members[i], arrival);
  }
}

void Process::AddNeededOf(const Member& member, Arrival& arrival) {
  for (const std::string& name : member.account->needed) {
    const Member* known = FindByName(name, arrival);
    if (known == nullptr) {
      AddLibrary(name, member, member.coming, arrival);
    } else if (Reach(known, arrival) && !known->candidate.empty() &&
               known->candidate != arrival.candidate->path) {
      NoteReplacement(name, *known, member, arrival);
    }
  }
}

/// What members open when they run: behind all that they are linked with.
void Process::AddLate(Arrival& arrival) {
  for (std::size_t i = 0; i < arrival.members.size(); ++i) {
    const Member& member = *arrival.members[i];
    for (const libraries::LateLibrary& late : member.account->late_libraries) {
      const bool is_needed = late.priority == libraries::LatePriority::kRequired;
      if (is_needed || foresight_ == Foresight::kPossible) {
        AddOneOf(late, member, arrival);
      } else {
        arrival.has_possible = true;
      }
    }
  }
}

/// The first of its names that is found, or there.
void Process::AddOneOf(const libraries::LateLibrary& late, const Member& opened_by,
                       Arrival& arrival) {
  const bool is_needed = late.priority == libraries::LatePriority::kRequired;
  const Coming coming =
      is_needed && opened_by.coming != Coming::kPerhaps ? Coming::kLater : Coming::kPerhaps;
  const std::size_t first = arrival.members.size();
  BeginScope(arrival);
  for (const std::string& name : late.sonames) {
    const Member* known = FindByName(name, arrival);
    if (known != nullptr) Reach(known, arrival);
    if (known != nullptr || AddLibrary(name, opened_by, coming, arrival) != nullptr) break;
  }
  AddNeeded(first, arrival);
}

/// Null: there is none, which the loader says itself, or whoever reads the notes.
const Member* Process::AddLibrary(const std::string& name, const Member& needed_by, Coming coming,
                                  Arrival& arrival) {
  if (arrival.members.size() >= elf::GetMost(elf::Limit::kLibraries)) return nullptr;
  auto object = FindFile(name, needed_by);
  if (!object) return nullptr;
  const auto identity = FindIdentity(object->path);
  const auto same = identity ? identities_.find(*identity) : identities_.end();
  if (same != identities_.end()) {
    arrival.names.emplace(name, same->second);
    Reach(same->second, arrival);
    return same->second;
  }
  auto library = std::make_shared<Member>();
  library->path = object->path;
  library->candidate = arrival.candidate->path;
  library->coming = coming;
  library->scope = arrival.scopes.size() - 1;
  library->requester = object->requester;
  library->requester.needed_by = &needed_by.requester;
  library->account = std::make_shared<const FileAccount>(
      ReadFileAccount(*object->elf, object->path, host_.names, AccountOf::kLibrary));
  library->object = std::move(object);
  arrival.names.emplace(name, library.get());
  const std::string& soname = library->account->soname;
  if (!soname.empty()) arrival.names.emplace(soname, library.get());
  if (identity) arrival.identities.emplace_back(*identity, library.get());
  Reach(library.get(), arrival);
  arrival.members.push_back(std::move(library));
  return arrival.members.back().get();
}

void Process::NoteReplacement(const std::string& name, const Member& taken, const Member& needed_by,
                              Arrival& arrival) {
  auto own = FindFile(name, needed_by);
  if (!own || own->path == taken.path || FindIdentity(own->path) == FindIdentity(taken.path))
    return;
  arrival.replaced.push_back({name, &taken, std::move(own), needed_by.coming});
}

std::shared_ptr<const SharedObject> Process::FindFile(const std::string& name,
                                                      const Member& needed_by) {
  Search& search = GetSearch();
  elf::LibraryRequester requester = needed_by.requester;
  if (requester.needed_by == nullptr) requester.needed_by = &search.program;
  return libraries::FindLibrary(name, requester, search.search, search.objects, search.num_places)
      .object;
}

void Process::Admit(const Arrival& arrival) {
  members_.insert(members_.end(), arrival.members.begin(), arrival.members.end());
  for (const auto& [name, member] : arrival.names) names_.emplace(name, member);
  for (const auto& [identity, member] : arrival.identities) identities_.emplace(identity, member);
}

const std::vector<const Member*>& Process::ReadProgramFiles() {
  if (program_files_) return *program_files_;
  program_files_.emplace();
  for (std::size_t i = 0; i < host_.files.size(); ++i) {
    Member& member = *members_[i];
    member.object =
        i == 0 ? ReadProgramFile(member.path) : GetSearch().objects.Get(member.path).object;
    if (!member.object) continue;
    member.account = std::make_shared<const FileAccount>(
        ReadFileAccount(*member.object->elf, member.path, host_.names, AccountOf::kLibrary));
    program_files_->push_back(&member);
  }
  return *program_files_;
}

const Member* Process::FindProgramFile(const std::string& path) const {
  const auto identity = FindIdentity(path);
  const auto found = identity ? program_identities_.find(*identity) : program_identities_.end();
  return found != program_identities_.end() ? found->second : nullptr;
}

const Member* Process::FindProgramDefiner(const std::string& symbol) const {
  const std::string path = host_.find_global_definer(symbol);
  return path.empty() ? nullptr : FindProgramFile(path);
}

const Member* Process::FindAnyDefiner(const std::vector<std::string>& symbols) const {
  for (const std::string& symbol : symbols) {
    for (const std::string& path : host_.list_definers(symbol)) {
      if (const Member* file = FindProgramFile(path)) return file;
    }
  }
  return nullptr;
}

}  // namespace backplane::conflicts
