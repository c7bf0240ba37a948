#pragma once

#include "elf/file.hpp"
#include "elf/needed_versions.hpp"
#include "elf/symbol_table.hpp"
#include "libraries/library_search.hpp"
#include "wire/file_descriptor.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace backplane::libraries {

/// What a shared object says of the libraries and symbols that it needs and has.
struct SharedObject {
  std::string path;                 // as the loader would name it
  wire::FileDescriptor descriptor;  // declared first: closed after `elf`
  std::unique_ptr<elf::File> elf;   // never null
  std::string soname;               // the name under which others need it; may be empty
  std::vector<std::string> needed;  // the libraries that it needs directly
  elf::LibraryRequester requester;
  std::vector<elf::NeededVersion> needed_versions;  // their texts are those of `elf`
  std::vector<std::string> defined_versions;
  std::optional<elf::SymbolTable> symbols;
};

/// Reads what is in `elf`, which the format stage accepted. Never null.
std::shared_ptr<const SharedObject> ReadSharedObject(const std::string& path,
                                                     wire::FileDescriptor descriptor,
                                                     elf::File elf);

/// The program that this process runs: its DT_RPATH counts for everything that it opens.
elf::LibraryRequester ReadProgram();

/// What lies at a path where the loader would look for a library.
struct FoundFile {
  std::shared_ptr<const SharedObject> object;  // null: nothing that the loader would take
  std::string fault;                           // why not; empty when there is nothing at all
  bool ends_search = false;                    // the loader looks no further
  bool is_of_other_machine = false;            // the fault: built for another machine
  int refusal = 0;                             // the fault: the system's error, of ExplainRefusal
};

/// The files that were looked at while libraries were searched for, each read once.
class SharedObjects {
 public:
  const FoundFile& Get(const std::string& path);

 private:
  std::map<std::string, FoundFile> files_;
};

}  // namespace backplane::libraries
