#pragma once

#include "conflicts/static_tls.hpp"
#include "libraries/shared_object.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace backplane::conflicts {

/// A file that a process has before any candidate is opened.
struct HostFile {
  std::string path;
  std::string soname;  // may be empty, as that of the program
};

/// The process that will open the candidates, before it does.
struct HostProcess {
  std::vector<HostFile> files;  // the program first
  LibraryNames names;           // by which the loader would find one of them
  StaticTlsReserve static_tls{0};
  std::uint64_t num_openings = 0;  // as of PendingOpening::CountEnded, before it was looked at
  /// The path of the file whose definition of a symbol everybody uses; "": there is none.
  std::function<std::string(const std::string& symbol)> find_global_definer;
  /// The paths of all files that export a symbol, also of those that only some others see.
  std::function<std::vector<std::string>(const std::string& symbol)> list_definers;
};

/// The process that this code runs in, as it is now.
HostProcess DescribeThisProcess();

/// A process that runs a program, when it has started, from the files of the program and of all
/// that it needs. Nothing: it is not an ELF program for this machine that can be read.
std::optional<HostProcess> DescribeProgram(const std::string& path);

/// The ELF file of a program, which the stages for shared objects do not take. Null: there is none.
std::shared_ptr<const libraries::SharedObject> ReadProgramFile(const std::string& path);

}  // namespace backplane::conflicts
