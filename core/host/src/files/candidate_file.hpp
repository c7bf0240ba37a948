#pragma once

#include "files/file_stamp.hpp"
#include "wire/file_descriptor.hpp"

#include <backplane/host/diagnostic.hpp>

#include <sys/stat.h>

#include <optional>
#include <string>
#include <utility>

namespace backplane::files {

/// A regular file, open, with what tells it from every other.
struct CandidateFile {
  wire::FileDescriptor descriptor;
  struct stat status {};
  std::string canonical_path;
};

/// Opens a file to read it, whatever it is, without ever waiting for it.
/// `direct_path` is the canonical path unless the last part of `path` is a link; empty when it is
/// not known.
/// Errors: the diagnostic in the second half; the first is then of no use.
std::pair<CandidateFile, std::optional<Diagnostic>> OpenCandidateFile(
    const std::string& path, const std::string& direct_path);

/// Opens a file again whose descriptor was closed meanwhile; does nothing while it is open.
/// Errors: the diagnostic, when it is no longer there or no longer the same. `path` is for words.
std::optional<Diagnostic> OpenAgain(CandidateFile& file, const std::string& path);

/// What is said of a file that is not the one that was checked.
Diagnostic DescribeChange(const std::string& path);

/// Whether the file at the path is still the one that was opened, with the same content as far as
/// size and times tell.
bool IsStillTheSame(const CandidateFile& file);

}  // namespace backplane::files
