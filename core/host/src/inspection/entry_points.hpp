#pragma once

#include "elf/file.hpp"

#include <backplane/host/diagnostic.hpp>

#include <string>
#include <vector>

namespace backplane::inspection {

struct EntryPointsResult {
  std::vector<Diagnostic> diagnostics;
  bool has_any = false;  // one of the three is there, in whatever form
};

/// Looks for the three entry points among the symbols that the file exports itself.
EntryPointsResult CheckEntryPoints(const elf::File& elf, const std::string& path);

/// The names of the entry points that the file does not export in any form.
std::vector<std::string> FindMissingEntryPoints(const elf::File& elf);

}  // namespace backplane::inspection
