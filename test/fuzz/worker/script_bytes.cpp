/// What libFuzzer calls with every input: the bytes say how the process of an isolated backend lies
/// to its host, and the host to it.

#include "run_script.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size_bytes) {
  const std::string fault =
      backplane::fuzz::RunScript({reinterpret_cast<const char*>(bytes), size_bytes});
  if (!fault.empty()) {
    std::fprintf(stderr, "%s\n", fault.c_str());
    std::abort();
  }
  return 0;
}
