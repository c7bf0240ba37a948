#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace backplane::scanning {

/// What is looked at to choose between files that give one backend id.
struct Variant {
  std::string vendor;           // the manifest's, else that of the file name
  std::string family;           // <vendor>_<name> of the file name; "" when it is no backend's
  std::size_t search_path = 0;  // the number of the directory; earlier ones are lower
  std::int64_t rank = 0;
  std::string version;     // of the product; "" comes behind every version
  unsigned cpu_level = 0;  // N of the directory x86-64-vN that the file is in; 0: in none
};

/// One file in the order in which the files of an id are tried.
struct Standing {
  std::size_t index = 0;                        // among those given
  std::optional<std::size_t> replaced_by = {};  // index of the one with the same name before it
};

/// The order in which files of one id are tried, until one can be used. `variants` are in the order
/// of paths. The files of the vendor whose file comes first are before those of others. Of one
/// vendor, those that an earlier search path replaces by a file of the same name come last; before
/// that the rank decides, then the version, then the CPU level, each the higher first, then the
/// order of paths.
std::vector<Standing> OrderVariants(const std::vector<Variant>& variants);

/// What decides between two files of one vendor, neither of which replaces the other: "its rank is
/// 10, that of Acme_V4_backend.so is 20". `chosen` comes first; `chosen_name` is how it is called.
std::string DescribeDecision(const Variant& chosen, const std::string& chosen_name,
                             const Variant& other);

}  // namespace backplane::scanning
