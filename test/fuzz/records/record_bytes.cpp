/// What libFuzzer calls with every input: the bytes are read as the records of a process that ran a
/// backend, and as a verdict that was kept.

#include "read_record.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size_bytes) {
  const auto read =
      backplane::fuzz::ReadAsEveryRecord({reinterpret_cast<const char*>(bytes), size_bytes});
  if (!read.fault.empty()) {
    std::fprintf(stderr, "%s\n", read.fault.c_str());
    std::abort();
  }
  return 0;
}
