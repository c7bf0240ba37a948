#pragma once

#include <string>
#include <string_view>

namespace backplane::inspection {

/// What a file that is not ELF looks like, and what to do with such a one.
struct ForeignFormat {
  std::string name;  // "a Git LFS pointer"
  std::string fix;
};

/// Judges by the first bytes of a file, which must not be empty.
ForeignFormat RecogniseForeignFormat(std::string_view beginning);

}  // namespace backplane::inspection
