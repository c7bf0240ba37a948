#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <string>

namespace backplane::files {

struct TextFile {
  std::string text;
  struct stat status {};
  std::string fault;  // why it was not read, as found and expected; "" when it was
};

/// Reads all of a regular file, without ever waiting for it.
TextFile ReadTextFile(const std::string& path, std::size_t max_bytes);

}  // namespace backplane::files
