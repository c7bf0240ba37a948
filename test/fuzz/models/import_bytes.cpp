/// What libFuzzer calls with every input: the bytes are imported as if they were a model's file.

#include <backplane/host/diagnostic.hpp>
#include <backplane/onnx/import_model.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size_bytes) {
  const int descriptor = memfd_create("input", MFD_CLOEXEC);
  if (descriptor < 0) std::abort();
  if (write(descriptor, bytes, size_bytes) == static_cast<ssize_t>(size_bytes)) {
    try {
      const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
      if (backplane::onnx::ImportModel(path).network == nullptr) std::abort();
    } catch (const backplane::DiagnosticException& exception) {
      const backplane::Diagnostic& diagnostic = exception.GetDiagnostic();
      if (diagnostic.what.empty() || diagnostic.fix.empty()) std::abort();
    }
  }
  close(descriptor);
  return 0;
}
