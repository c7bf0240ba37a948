#pragma once

#include "conflicts/file_account.hpp"
#include "conflicts/host_process.hpp"
#include "libraries/dependency_closure.hpp"
#include "libraries/library_search.hpp"
#include "libraries/shared_object.hpp"

#include <backplane/host/load_report.hpp>

#include <sys/stat.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace backplane::conflicts {

using FileIdentity = std::pair<dev_t, ino_t>;

inline FileIdentity GetFileIdentity(const struct stat& status) {
  return {status.st_dev, status.st_ino};
}

/// How a file comes into the process.
enum class Coming {
  kAtOnce,   // when the candidate is opened, or before any is
  kLater,    // the candidate opens it when it runs, and does not work without it
  kPerhaps,  // the candidate opens it when it runs, or does without it
};

/// Which files are foreseen.
enum class Foresight { kCertain, kPossible };  // without or with those that come perhaps

/// A file that is in the process, or would be.
struct Member {
  std::string path;
  std::string candidate;  // the path of the candidate that it is or came with; "": the program's
  std::shared_ptr<const FileAccount> account;             // null: of the program's, not read
  std::shared_ptr<const libraries::SharedObject> object;  // null: a candidate, or not read
  elf::LibraryRequester requester;
  Coming coming = Coming::kAtOnce;
  std::size_t scope = 0;  // of its Arrival
};

/// A library that a candidate would get although it would find another one by itself.
struct Replacement {
  std::string name;
  const Member* taken = nullptr;
  std::shared_ptr<const libraries::SharedObject> own;  // never null
  Coming coming = Coming::kAtOnce;
};

/// What would come into the process with one candidate.
struct Arrival {
  const Candidate* candidate = nullptr;
  std::vector<std::shared_ptr<Member>> members;  // the candidate's file first, then its libraries
  /// Where symbols are looked for, the files that were there included: for the candidate's file
  /// and its libraries, then for each library that is opened later and its own.
  std::vector<std::vector<const Member*>> scopes;
  std::vector<Replacement> replaced;
  bool has_possible = false;               // libraries that would come perhaps were left out
  std::unordered_set<const Member*> seen;  // those of the last scope, once they are many
  std::unordered_map<std::string, Member*> names;  // by which they are found from then on
  std::vector<std::pair<FileIdentity, Member*>> identities;

  const Member& GetFile() const { return *members.front(); }
};

/// The process that will open the candidates, as the loader will have filled it: the program's
/// files, and those of the candidates that stay, in the order in which they are opened.
class Process {
 public:
  Process(HostProcess host, Foresight foresight);
  ~Process();

  const HostProcess& GetHost() const { return host_; }
  const LibraryNames& GetHostNames() const { return host_.names; }

  /// Whether the process has this file open from the beginning.
  bool HasFromBeginning(FileIdentity identity) const;

  /// What opening a candidate would bring along.
  Arrival Foresee(const Candidate& candidate, std::shared_ptr<const FileAccount> account,
                  FileIdentity identity);

  /// Takes the files of a candidate in.
  void Admit(const Arrival& arrival);

  /// The files that the program has, with their accounts. Reads them when it is first called.
  const std::vector<const Member*>& ReadProgramFiles();

  /// The file of the program whose definition of a symbol everybody uses; null: there is none.
  const Member* FindProgramDefiner(const std::string& symbol) const;

  /// A file of the program that defines one of some symbols, seen by others or not; null: none.
  const Member* FindAnyDefiner(const std::vector<std::string>& symbols) const;

 private:
  struct Search;  // how libraries are found and read

  Search& GetSearch();
  void BeginScope(Arrival& arrival);
  void AddNeeded(std::size_t first_member, Arrival& arrival);
  void AddNeededOf(const Member& member, Arrival& arrival);
  void AddLate(Arrival& arrival);
  void AddOneOf(const libraries::LateLibrary& late, const Member& opened_by, Arrival& arrival);
  Member* FindByName(const std::string& name, const Arrival& arrival) const;
  const Member* AddLibrary(const std::string& name, const Member& needed_by, Coming coming,
                           Arrival& arrival);
  void NoteReplacement(const std::string& name, const Member& taken, const Member& needed_by,
                       Arrival& arrival);
  const Member* FindProgramFile(const std::string& path) const;
  std::shared_ptr<const libraries::SharedObject> FindFile(const std::string& name,
                                                          const Member& needed_by);

  HostProcess host_;
  const Foresight foresight_;
  std::unique_ptr<Search> search_;  // null until it is needed
  std::vector<std::shared_ptr<Member>> members_;
  std::unordered_map<std::string, Member*> names_;
  std::map<FileIdentity, Member*> identities_;
  std::map<FileIdentity, Member*> program_identities_;
  std::optional<std::vector<const Member*>> program_files_;
};

}  // namespace backplane::conflicts
