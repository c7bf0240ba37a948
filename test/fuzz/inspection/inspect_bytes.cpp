/// What libFuzzer calls with every input: the bytes are inspected as if they were a backend.

#include "conflicts/file_account.hpp"
#include "inspection/inspect_file.hpp"
#include "libraries/dependency_inspector.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <memory>

namespace {

using backplane::libraries::DependencyInspector;

const char* const kPath = "/fuzz/Fuzz_Input_backend.so";

void ExpectWords(const backplane::inspection::StageOutcome& outcome) {
  for (const backplane::Diagnostic& diagnostic : outcome.diagnostics) {
    if (diagnostic.what.empty() || diagnostic.why.empty() || diagnostic.fix.empty()) std::abort();
  }
}

// Keeps the libraries of the system, but not for ever the names that inputs invent.
DependencyInspector& GetInspector() {
  constexpr int kInputsOfOne = 1000;
  static int num_inputs = 0;
  static std::unique_ptr<DependencyInspector> inspector;
  if (num_inputs++ % kInputsOfOne == 0) {
    inspector = std::make_unique<DependencyInspector>(backplane::libraries::IsDefinedInProcess());
  }
  return *inspector;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size_bytes) {
  const int descriptor = memfd_create("input", MFD_CLOEXEC);
  if (descriptor < 0) std::abort();
  if (write(descriptor, bytes, size_bytes) == static_cast<ssize_t>(size_bytes)) {
    const auto file = backplane::inspection::InspectFile(descriptor, kPath);
    for (const auto& outcome : file.stages) ExpectWords(outcome);
    if (file.elf)
      backplane::conflicts::ReadFileAccount(*file.elf, kPath, {},
                                            backplane::conflicts::AccountOf::kCandidate);
    ExpectWords(GetInspector().Inspect(descriptor, kPath, kPath));
  }
  close(descriptor);
  return 0;
}
