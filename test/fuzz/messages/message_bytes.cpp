/// What libFuzzer calls with every input: the bytes are read as what hosts and the processes of
/// isolated backends send each other.

#include "read_message.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size_bytes) {
  const std::string fault =
      backplane::fuzz::ReadAsEveryMessage({reinterpret_cast<const char*>(bytes), size_bytes});
  if (!fault.empty()) {
    std::fprintf(stderr, "%s\n", fault.c_str());
    std::abort();
  }
  return 0;
}
