/// A library that its own program can open, and no other.

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace {

[[maybe_unused]] const bool kIsAtHome = [] {
  if (std::strcmp(program_invocation_short_name, "mock_moody_program") != 0) std::abort();
  return true;
}();

}  // namespace
