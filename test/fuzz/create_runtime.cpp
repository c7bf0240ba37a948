/// Creates a runtime over a directory of damaged backends, each of which runs in a process of its
/// own first, and prints what became of each.

#include <backplane/runtime/i_runtime.hpp>

#include <cstdio>

namespace {

void Print(const backplane::Candidate& candidate) {
  const backplane::Diagnostic* reason = backplane::GetHeadline(candidate);
  std::printf("%s %s %s\n", backplane::GetCandidateStatusName(candidate.status),
              reason != nullptr ? backplane::GetDiagnosticName(reason->code) : "-",
              candidate.path.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: fuzz_create_runtime DIRECTORY\n");
    return 64;
  }
  backplane::CreationOptions options;
  options.dynamic_backends_path = argv[1];
  options.probe = backplane::BackendProbe::kChild;
  try {
    const auto runtime = backplane::IRuntime::Create(options);
    for (const auto& candidate : runtime->GetLoadReport().candidates) Print(candidate);
    return 0;
  } catch (const backplane::DiagnosticException& exception) {
    std::fprintf(stderr, "%s\n", exception.what());
    return 1;
  }
}
