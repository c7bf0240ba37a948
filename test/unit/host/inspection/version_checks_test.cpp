#include "libraries/dependency_checks.hpp"

#include "dependency_folder.hpp"
#include "libraries/library_releases.hpp"
#include "object_file.hpp"

#include <elf.h>
#include <gtest/gtest.h>

namespace backplane::inspection {
namespace {

using namespace std::string_literals;

constexpr const char* kLibrary = "libinspected_versioned.so.1";

using SymbolVersions = DependencyFolder;

// In bytes of equal length.
std::string Rename(std::string bytes, const std::string& from, const std::string& to) {
  for (std::size_t at = bytes.find(from); at != std::string::npos; at = bytes.find(from, at)) {
    bytes.replace(at, to.size(), to);
  }
  return bytes;
}

TEST_F(SymbolVersions, AcceptsWhatTheLibraryHas) {
  const std::string path = Place("versioned_user.so");
  PlaceLibrary(kLibrary);
  const std::vector<Diagnostic> diagnostics = Inspect(path);
  EXPECT_TRUE(diagnostics.empty()) << ToText(diagnostics.front());
}

TEST_F(SymbolVersions, RejectsEveryMissingOneWithWhatThereIs) {
  const std::string bytes = ReadBytes(GetObjectPath("versioned_user.so"));
  const std::string path =
      Write("versioned_user.so", Rename(bytes, "VERSIONED_1.", "VERSIONED_2."));
  PlaceLibrary(kLibrary);
  const Diagnostic diagnostic =
      ExpectOne(Inspect(path), DiagnosticCode::kMissingSymbolVersion, path,
                "needs a newer libinspected_versioned.so.1 than this machine has",
                "expected VERSIONED_2.9 and VERSIONED_2.10; " + directory_.string() + "/" +
                    kLibrary + " provides up to VERSIONED_1.10");
  EXPECT_NE(diagnostic.fix.find("install a newer libinspected_versioned.so.1"), std::string::npos);
}

TEST_F(SymbolVersions, TranslatesThoseOfTheCxxLibrary) {
  const std::string bytes = ReadBytes(GetGoodBackendPath());
  const std::string path = Write("x.so", Rename(bytes, "CXXABI_1.3\0"s, "CXXABI_9.9\0"s));
  ExpectOne(Inspect(path), DiagnosticCode::kMissingSymbolVersion, path,
            "needs a newer libstdc++.so.6 than this machine has", "provides up to CXXABI_");
}

TEST_F(SymbolVersions, RejectsALibraryThatLostAll) {
  const std::string path = Place("versioned_user.so");
  ObjectFile library(ReadBytes(GetObjectPath(std::string("libraries/") + kLibrary)));
  for (const std::int64_t tag : {DT_VERDEF, DT_VERDEFNUM, DT_VERSYM}) {
    library.GetDynamicEntry(tag).d_tag = DT_DEBUG;
  }
  Write(kLibrary, library.bytes);
  ExpectOne(Inspect(path), DiagnosticCode::kLostSymbolVersions, path,
            "expected VERSIONED_1.9 and VERSIONED_1.10",
            directory_.string() + "/" + kLibrary + " is a replacement without versions");
}

TEST(LibraryReleases, AreNamedForVersionsOfBothLibraries) {
  EXPECT_EQ(libraries::FindRelease("GLIBC_2.38").name, "glibc 2.38");
  EXPECT_EQ(libraries::FindRelease("GLIBC_2.38").systems, "Ubuntu 23.10, Fedora 39");
  EXPECT_EQ(libraries::FindRelease("GLIBC_2.77").name, "glibc 2.77");
  EXPECT_EQ(libraries::FindRelease("GLIBCXX_3.4.32").name, "GCC 13.2");
  EXPECT_EQ(libraries::FindRelease("CXXABI_1.3.15").name, "GCC 14.1");
  EXPECT_EQ(libraries::FindRelease("VERSIONED_1.9").name, "");
}

}  // namespace
}  // namespace backplane::inspection
