#pragma once

/// The bytes of ELF files in tests: read, changed, inspected.

#include "inspection/inspect_file.hpp"

#include <link.h>

#include <cstdint>
#include <string>

namespace backplane::inspection {

/// The path of an object that the build made.
std::string GetObjectPath(const std::string& name);
/// The good backend, from which most damaged files are made.
std::string GetGoodBackendPath();

std::string ReadBytes(const std::string& path);

/// An opened file that nobody else sees.
class AnonymousFile {
 public:
  explicit AnonymousFile(const std::string& bytes);
  AnonymousFile(const AnonymousFile&) = delete;
  AnonymousFile& operator=(const AnonymousFile&) = delete;
  ~AnonymousFile();
  int GetDescriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

/// Inspects bytes as if they were a file of that name.
InspectedFile InspectBytes(const std::string& bytes, const std::string& path = "/x/libx.so");
InspectedFile InspectPath(const std::string& path);

/// The diagnostics of one stage; a failed expectation when the stage did not run.
std::vector<Diagnostic> GetDiagnosticsOf(const InspectedFile& file, Stage stage);

/// Expects exactly one diagnostic, with this code and severity, about the file, whose words contain
/// both texts and end in an action; gives it.
Diagnostic ExpectOne(const std::vector<Diagnostic>& diagnostics, DiagnosticCode code,
                     const std::string& path, const std::string& found, const std::string& expected,
                     Severity severity = Severity::kError);

/// The one with this code, of several; a failed expectation when there is none.
Diagnostic FindOne(const std::vector<Diagnostic>& diagnostics, DiagnosticCode code);

/// An ELF file of this machine, to be changed.
class ObjectFile {
 public:
  explicit ObjectFile(std::string file_bytes) : bytes(std::move(file_bytes)) {}

  ElfW(Ehdr) & GetHeader() { return At<ElfW(Ehdr)>(0); }
  /// The n-th program header of a type.
  ElfW(Phdr) & GetSegment(std::uint32_t type, int n = 0);
  /// The first entry of the dynamic section with a tag.
  ElfW(Dyn) & GetDynamicEntry(std::int64_t tag);
  /// The DT_NEEDED entry of a library.
  ElfW(Dyn) & GetNeeded(const std::string& library);
  /// The n-th ABI note.
  AbiNote& GetNote(int n);

  template <typename Record>
  Record& At(std::uint64_t offset) {
    return *reinterpret_cast<Record*>(&bytes.at(offset));
  }

  std::string bytes;
};

}  // namespace backplane::inspection
