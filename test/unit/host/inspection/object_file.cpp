#include "object_file.hpp"
#include "support/build_tree.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace backplane::inspection {

std::string GetObjectPath(const std::string& name) {
  return test::InBuildTree(INSPECTION_OBJECTS_DIR) + "/" + name;
}

std::string GetGoodBackendPath() {
  return GetObjectPath("Test_Good_backend.so");
}

std::string ReadBytes(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  EXPECT_TRUE(stream) << path;
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

AnonymousFile::AnonymousFile(const std::string& bytes)
    : descriptor_(memfd_create("object", MFD_CLOEXEC)) {
  if (descriptor_ < 0 ||
      write(descriptor_, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
    throw std::runtime_error("no anonymous file");
  }
}

AnonymousFile::~AnonymousFile() {
  close(descriptor_);
}

InspectedFile InspectBytes(const std::string& bytes, const std::string& path) {
  const AnonymousFile file(bytes);
  return InspectFile(file.GetDescriptor(), path);
}

InspectedFile InspectPath(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  EXPECT_GE(descriptor, 0) << path;
  InspectedFile file = InspectFile(descriptor, path);
  close(descriptor);
  return file;
}

std::vector<Diagnostic> GetDiagnosticsOf(const InspectedFile& file, Stage stage) {
  for (const StageOutcome& outcome : file.stages) {
    if (outcome.stage == stage) return outcome.diagnostics;
  }
  ADD_FAILURE() << "the stage did not run";
  return {};
}

Diagnostic ExpectOne(const std::vector<Diagnostic>& diagnostics, DiagnosticCode code,
                     const std::string& path, const std::string& found, const std::string& expected,
                     Severity severity) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) text += ToText(diagnostic) + "\n";
  EXPECT_EQ(diagnostics.size(), 1U) << text;
  if (diagnostics.size() != 1) return Diagnostic{code};
  const Diagnostic& diagnostic = diagnostics.front();
  EXPECT_EQ(diagnostic.code, code) << text;
  EXPECT_EQ(diagnostic.severity, severity) << text;
  EXPECT_EQ(diagnostic.subject.kind, SubjectKind::kFile) << text;
  EXPECT_EQ(diagnostic.subject.name, path) << text;
  EXPECT_NE(text.find(found), std::string::npos) << text << "lacks: " << found;
  EXPECT_NE(text.find(expected), std::string::npos) << text << "lacks: " << expected;
  EXPECT_FALSE(diagnostic.fix.empty()) << text;
  return diagnostic;
}

Diagnostic FindOne(const std::vector<Diagnostic>& diagnostics, DiagnosticCode code) {
  const auto found = std::find_if(diagnostics.begin(), diagnostics.end(),
                                  [code](const Diagnostic& row) { return row.code == code; });
  if (found != diagnostics.end()) return *found;
  ADD_FAILURE() << "no " << GetDiagnosticName(code);
  return Diagnostic{code};
}

ElfW(Phdr) & ObjectFile::GetSegment(std::uint32_t type, int n) {
  for (unsigned i = 0; i < GetHeader().e_phnum; ++i) {
    auto& segment = At<ElfW(Phdr)>(GetHeader().e_phoff + i * sizeof(ElfW(Phdr)));
    if (segment.p_type == type && n-- == 0) return segment;
  }
  throw std::runtime_error("no such segment");
}

ElfW(Dyn) & ObjectFile::GetDynamicEntry(std::int64_t tag) {
  const ElfW(Phdr)& segment = GetSegment(PT_DYNAMIC);
  for (std::uint64_t i = 0; i < segment.p_filesz / sizeof(ElfW(Dyn)); ++i) {
    auto& entry = At<ElfW(Dyn)>(segment.p_offset + i * sizeof(ElfW(Dyn)));
    if (entry.d_tag == tag) return entry;
  }
  throw std::runtime_error("no such entry");
}

ElfW(Dyn) & ObjectFile::GetNeeded(const std::string& library) {
  // The first segment is mapped from its offset, so that the address is the offset.
  const std::uint64_t strings = GetDynamicEntry(DT_STRTAB).d_un.d_ptr;
  const ElfW(Phdr)& segment = GetSegment(PT_DYNAMIC);
  for (std::uint64_t i = 0; i < segment.p_filesz / sizeof(ElfW(Dyn)); ++i) {
    auto& entry = At<ElfW(Dyn)>(segment.p_offset + i * sizeof(ElfW(Dyn)));
    if (entry.d_tag == DT_NEEDED && library == &bytes[strings + entry.d_un.d_val]) return entry;
  }
  throw std::runtime_error("no such library");
}

AbiNote& ObjectFile::GetNote(int n) {
  const std::string name(kAbiNoteName, sizeof(kAbiNoteName));
  std::size_t position = bytes.find(name);
  while (n-- > 0 && position != std::string::npos) position = bytes.find(name, position + 1);
  if (position == std::string::npos) throw std::runtime_error("no such note");
  constexpr std::size_t kPaddedNameBytes = 12;
  return At<AbiNote>(position + kPaddedNameBytes);
}

}  // namespace backplane::inspection
