#pragma once

#include "elf/file.hpp"

#include <backplane/host/diagnostic.hpp>

#include <optional>
#include <string>
#include <vector>

namespace backplane::inspection {

struct FormatResult {
  std::vector<Diagnostic> diagnostics;
  std::optional<elf::File> elf;  // when the later stages can read it
};

/// Runs every check of the format. The descriptor must stay open as long as the result.
FormatResult CheckFormat(int descriptor, const std::string& path);

}  // namespace backplane::inspection
