#pragma once

/// Everything that is known about the file of a candidate, for whoever looks for a fault.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace backplane {

/// A value with a name, both in words.
struct NamedFact {
  std::string name;
  std::string value;
};

/// A library that a file needs, itself or through others.
struct NeededLibrary {
  std::string name;                // as it is needed
  std::string path;                // the file that the loader would take; empty: none
  std::string found_in;            // "RUNPATH", ...; without a path, where it was looked for
  std::vector<std::string> needs;  // the names of those that it needs itself
};

/// The versions of symbols that a file needs from one library.
struct NeededSymbolVersions {
  std::string library;                // its SONAME, as the file names it
  std::vector<std::string> versions;  // as "GLIBC_2.34", sorted by text
};

struct FileFacts {
  std::uint64_t size_bytes = 0;
  std::uint32_t owner_id = 0;
  std::uint32_t group_id = 0;
  std::string owner;       // the name; empty: the id has none
  std::string group;       // likewise
  std::uint32_t mode = 0;  // permissions, and the bits set-user-ID, set-group-ID and sticky
  std::chrono::system_clock::time_point modified;
  std::string sha256;  // in hexadecimal; empty: not computed

  /// Whether the contents were read, and the format is sound. When not, there is nothing below.
  bool is_format_sound = false;
  std::string machine;                 // "x86-64", ...
  std::string cpu_level;               // what it states to need; empty: nothing
  std::string soname;                  // empty: none
  std::string build_id;                // in hexadecimal; empty: none
  std::vector<NamedFact> package;      // the metadata of .note.package
  bool has_debug_information = false;  // its lines and variables, as compilers write them with -g
  std::string debug_link;              // the file that has it instead; empty: none is named
  std::size_t num_abi_notes = 0;       // one for each source file that includes the Backend API
  std::vector<NamedFact> abi;          // what they say; "0 and 1" where they differ
  std::size_t num_exports = 0;
  std::vector<std::string> exports;            // the first of them by name, as they are in the file
  std::size_t num_symbols_needed = 0;          // must be defined elsewhere
  std::size_t num_symbols_undefined = 0;       // of those, defined nowhere
  std::vector<NeededSymbolVersions> versions;  // of symbols, one entry for each library
  std::vector<std::string> needs;              // the names of the libraries that it needs itself
  std::vector<NeededLibrary> libraries;  // each once, in the order in which the loader meets them
};

}  // namespace backplane
