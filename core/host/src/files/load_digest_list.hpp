#pragma once

#include "files/digest_list.hpp"

#include <backplane/host/diagnostic.hpp>

#include <sys/stat.h>

#include <optional>
#include <string>

namespace backplane::files {

struct LoadedDigestList {
  DigestList list;
  struct stat status {};
  std::optional<Diagnostic> failure;  // the list is then of no use
};

/// Reads a list of digests. It must be a regular file without a line that cannot be read.
LoadedDigestList LoadDigestList(const std::string& path);

}  // namespace backplane::files
