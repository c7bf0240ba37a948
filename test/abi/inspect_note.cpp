// Prints what the host reads from a shared object before any of its code runs, in one line:
//   notes=2 sanitizers=0 entry-points=ok codes=none manifest=Noted/-7

#include "inspection/abi_notes.hpp"
#include "inspection/format.hpp"
#include "inspection/inspect_file.hpp"

#include <fcntl.h>

#include <cstdio>
#include <set>
#include <string>

namespace {

using backplane::Diagnostic;
using backplane::inspection::StageOutcome;

std::string JoinCodes(const backplane::inspection::InspectedFile& file) {
  std::set<std::string> codes;
  for (const StageOutcome& outcome : file.stages) {
    for (const Diagnostic& diagnostic : outcome.diagnostics) {
      codes.insert(backplane::GetDiagnosticId(diagnostic.code));
    }
  }
  std::string text;
  for (const std::string& code : codes) text += (text.empty() ? "" : ",") + code;
  return text.empty() ? "none" : text;
}

const char* DescribeEntryPoints(const backplane::inspection::InspectedFile& file) {
  for (const StageOutcome& outcome : file.stages) {
    if (outcome.stage != backplane::Stage::kEntryPoints) continue;
    return outcome.diagnostics.empty() ? "ok" : "bad";
  }
  return "unread";
}

std::string DescribeManifest(const backplane::inspection::InspectedFile& file) {
  if (!file.manifest) return "none";
  return file.manifest->id + "/" + std::to_string(file.manifest->rank.value_or(0));
}

}  // namespace

int main(int argc, char** argv) {
  const int descriptor = argc == 2 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1;
  if (descriptor < 0) {
    std::fprintf(stderr, "usage: abi_inspect_note FILE\n");
    return 64;
  }
  const auto format = backplane::inspection::CheckFormat(descriptor, argv[1]);
  if (!format.elf) {
    std::puts("unreadable");
    return 1;
  }
  const auto found = backplane::inspection::ReadAbiNotes(*format.elf);
  const auto file = backplane::inspection::InspectFile(descriptor, argv[1]);
  const backplane::AbiNote first = found.notes.empty() ? backplane::AbiNote{} : found.notes.front();
  std::printf("notes=%zu sanitizers=%u entry-points=%s codes=%s manifest=%s\n", found.notes.size(),
              first.sanitizers, DescribeEntryPoints(file), JoinCodes(file).c_str(),
              DescribeManifest(file).c_str());
  return 0;
}
