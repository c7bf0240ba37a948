#pragma once

#include <backplane/host/diagnostic.hpp>

#include <optional>
#include <string>

namespace backplane::inspection {

/// kNoExecFileSystem when the flags of a mounted file system, as fstatvfs gives them, forbid to map
/// code from it.
std::optional<Diagnostic> CheckMountFlags(unsigned long flags, const std::string& path);

/// The same for the file system of an opened file.
std::optional<Diagnostic> CheckFileSystem(int descriptor, const std::string& path);

}  // namespace backplane::inspection
