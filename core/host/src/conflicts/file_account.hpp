#pragma once

#include "conflicts/proto_files.hpp"
#include "elf/file.hpp"
#include "libraries/late_libraries.hpp"
#include "libraries/library_search.hpp"

#include <cstdint>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace backplane::conflicts {

/// A variable, not a constant, of which the loader gives all files of a process one
/// (STB_GNU_UNIQUE).
struct UniqueSymbol {
  std::string name;
  std::uint64_t size_bytes = 0;
};

/// What a file of initial-exec thread-local variables takes of the reserve that a process has for
/// all of them.
struct StaticTls {
  std::uint64_t size_bytes = 0;  // 0: it takes nothing
  std::uint64_t alignment = 1;   // never 0
};

/// What one file says that matters to the other files of its process.
struct FileAccount {
  std::string path;    // as the loader would name it
  std::string soname;  // may be empty
  std::vector<std::string> needed;
  std::vector<libraries::LateLibrary> late_libraries;  // that it opens when it runs, as it says
  elf::LibraryRequester requester;
  StaticTls static_tls;
  bool has_openmp = false;             // an OpenMP runtime, exported or not
  std::vector<ProtoFile> proto_files;  // that it registers when it is opened
  bool has_proto_pool = false;         // it exports what they are registered with
  std::vector<UniqueSymbol> unique_symbols;
  // Of a library, whose symbols are looked up as long as it matters, nothing from here on.
  std::vector<std::string> exports;  // but for the entry points of a backend
  // Only of a file that brings libraries along.
  std::vector<std::string> imports;
  std::vector<std::pair<std::string, std::string>> needed_versions;  // of a library, by its name
};

/// The names under which libraries are there before any candidate is opened.
using LibraryNames = std::unordered_set<std::string>;

/// Whose account it is.
enum class AccountOf { kCandidate, kLibrary };

/// Reads the account of a file that the format stage accepted: each part of the file at most once,
/// and of names and bytes no more than is bounded. `path` is what the loader will be given.
/// Threads: any.
FileAccount ReadFileAccount(const elf::File& elf, const std::string& path,
                            const LibraryNames& present, AccountOf whose);

/// Whether two files are the same byte by byte. False also when one cannot be read, or when they
/// are larger than any library that comes with a backend.
bool HasSameContents(const std::string& a, const std::string& b);

}  // namespace backplane::conflicts
