#pragma once

#include "inspection/elf_file.hpp"
#include "inspection/library_search.hpp"
#include "inspection/needed_versions.hpp"
#include "inspection/symbol_table.hpp"
#include "wire/file_descriptor.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace backplane::inspection {

/// What a shared object says of the libraries and symbols that it needs and has.
struct SharedObject {
  std::string path;                 // as the loader would name it
  wire::FileDescriptor descriptor;  // declared first: closed after `elf`
  std::unique_ptr<ElfFile> elf;     // never null
  std::string soname;               // the name under which others need it; may be empty
  std::vector<std::string> needed;  // the libraries that it needs directly
  LibraryRequester requester;
  std::vector<NeededVersion> needed_versions;  // their texts are those of `elf`
  std::vector<std::string> defined_versions;
  std::optional<SymbolTable> symbols;
};

/// Reads what is in `elf`, which the format stage accepted. Never null.
std::shared_ptr<const SharedObject> ReadSharedObject(const std::string& path,
                                                     wire::FileDescriptor descriptor, ElfFile elf);

/// The name under which other files need this one; may be empty.
std::string ReadSoname(const ElfFile& elf);

/// The libraries that a file needs directly.
std::vector<std::string> ReadNeeded(const ElfFile& elf);

/// What an object says about where to look for what it needs.
LibraryRequester ReadRequester(const ElfFile& elf, const std::string& path);

/// The program that this process runs: its DT_RPATH counts for everything that it opens.
LibraryRequester ReadProgram();

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

}  // namespace backplane::inspection
