#pragma once

#include "discovery/file_descriptor.hpp"
#include "inspection/elf_file.hpp"
#include "inspection/library_search.hpp"

#include <memory>
#include <string>
#include <vector>

namespace backplane::inspection {

/// A library that another one needs, or the file from which everything starts.
struct Library {
  std::string name;      // as it is needed
  std::string path;      // as the loader would name it
  std::string found_in;  // the kind of place, "RUNPATH", ...
  LibraryRequester requester;
  const Library* needed_by = nullptr;  // null: the file from which everything starts
  discovery::FileDescriptor descriptor;
  std::unique_ptr<ElfFile> elf;  // never null
};

/// A library that the loader would not find, or not take.
struct MissingLibrary {
  std::string chain;      // "libmid.so.1 -> libdep.so.1"
  std::string searched;   // where
  std::string not_taken;  // what was found instead, and what is wrong with it; may be empty
  std::string name;       // the last of the chain
};

struct DependencyClosure {
  std::vector<std::unique_ptr<Library>> libraries;  // each once, without the file itself
  std::vector<MissingLibrary> missing;
};

/// Finds everything that `file` needs, directly or not. `file` must outlive the result.
DependencyClosure FindDependencies(const Library& file, const LibrarySearch& search);

/// The name under which other files need this one; may be empty.
std::string ReadSoname(const ElfFile& elf);

/// The libraries that a file needs directly.
std::vector<std::string> ReadNeeded(const ElfFile& elf);

/// What an object says about where to look.
LibraryRequester ReadRequester(const ElfFile& elf, const std::string& path);

/// The program that this process runs: its DT_RPATH counts for everything that it opens.
LibraryRequester ReadProgram();

}  // namespace backplane::inspection
