#include "object_file.hpp"

#include <elf.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace backplane::inspection {
namespace {

namespace fs = std::filesystem;

// A directory with a backend and some of the libraries that it needs.
class Dependencies : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "dependencies-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory_ = fs::canonical(pattern);
  }
  void TearDown() override { fs::remove_all(directory_); }

  std::string Place(const std::string& object) {
    fs::copy_file(GetObjectPath(object), directory_ / object);
    return directory_ / object;
  }

  void PlaceLibrary(const std::string& name, const std::string& folder = ".") {
    fs::create_directories(directory_ / folder);
    fs::copy_file(GetObjectPath("libraries/" + name), directory_ / folder / name);
  }

  static std::vector<Diagnostic> Inspect(const std::string& path,
                                         const IsDefinedInProcess& is_defined = {}) {
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    EXPECT_GE(descriptor, 0) << path;
    const StageOutcome outcome = InspectDependencies(descriptor, path, path, is_defined);
    close(descriptor);
    EXPECT_EQ(outcome.stage, Stage::kDependencies);
    EXPECT_GT(outcome.duration.count(), 0);
    return outcome.diagnostics;
  }

  fs::path directory_;
};

TEST_F(Dependencies, AcceptsGoodBackend) {
  EXPECT_TRUE(Inspect(GetGoodBackendPath()).empty());
}

TEST_F(Dependencies, AcceptsLibrariesBesideTheBackend) {
  const std::string path = Place("needy.so");
  for (const char* name :
       {"libinspected_mid.so.1", "libinspected_dep.so.1", "libinspected_side.so.1"}) {
    PlaceLibrary(name);
  }
  const std::vector<Diagnostic> diagnostics = Inspect(path);
  EXPECT_TRUE(diagnostics.empty()) << ToText(diagnostics.front());
}

TEST_F(Dependencies, ReportsEveryMissingLibraryWithItsChain) {
  const std::string path = Place("needy.so");
  PlaceLibrary("libinspected_mid.so.1");
  const Diagnostic diagnostic =
      ExpectOne(Inspect(path), DiagnosticCode::kMissingDependency, path,
                "needs libinspected_side.so.1 and libinspected_dep.so.1, which were not found",
                "libinspected_mid.so.1 -> libinspected_dep.so.1: searched ");
  EXPECT_NE(diagnostic.why.find("RUNPATH " + directory_.string()), std::string::npos);
  EXPECT_NE(diagnostic.why.find("/etc/ld.so.cache"), std::string::npos);
  EXPECT_NE(diagnostic.why.find("/usr/lib"), std::string::npos);
}

TEST_F(Dependencies, FindsLibrariesOfLibrariesByRpathButNotByRunpath) {
  const std::string by_runpath = Place("needy.so");
  const std::string by_rpath = Place("needy_rpath.so");
  for (const char* name :
       {"libinspected_mid.so.1", "libinspected_side.so.1", "libinspected_dep.so.1"}) {
    PlaceLibrary(name, "libraries");
  }
  EXPECT_TRUE(Inspect(by_rpath).empty());
  ExpectOne(Inspect(by_runpath), DiagnosticCode::kMissingDependency, by_runpath,
            "libinspected_mid.so.1 and libinspected_side.so.1", "were not found");
}

TEST_F(Dependencies, SaysWhatIsWrongWithALibraryItFound) {
  const std::string path = Place("needy.so");
  PlaceLibrary("libinspected_dep.so.1");
  PlaceLibrary("libinspected_side.so.1");
  ObjectFile library(ReadBytes(GetObjectPath("libraries/libinspected_mid.so.1")));
  library.GetHeader().e_machine = EM_AARCH64;
  const fs::path wrong = directory_ / "libinspected_mid.so.1";
  std::ofstream(wrong, std::ios::binary) << library.bytes;
  ExpectOne(Inspect(path), DiagnosticCode::kMissingDependency, path,
            wrong.string() + " was found, but libinspected_mid.so.1 is built for AArch64",
            "searched RUNPATH");
  fs::resize_file(wrong, 200);
  ExpectOne(Inspect(path), DiagnosticCode::kMissingDependency, path,
            wrong.string() + " was found, but libinspected_mid.so.1 is truncated",
            "needs libinspected_mid.so.1");
}

// The shortest circle is a library that needs itself; its own name satisfies it.
TEST_F(Dependencies, SurvivesCircles) {
  const std::string path = Place("needy.so");
  PlaceLibrary("libinspected_side.so.1");
  ObjectFile library(ReadBytes(GetObjectPath("libraries/libinspected_mid.so.1")));
  const std::uint64_t soname = library.GetDynamicEntry(DT_SONAME).d_un.d_val;
  library.GetNeeded("libinspected_dep.so.1").d_un.d_val = soname;
  std::ofstream(directory_ / "libinspected_mid.so.1", std::ios::binary) << library.bytes;
  const std::vector<Diagnostic> diagnostics = Inspect(path);
  EXPECT_TRUE(diagnostics.empty()) << ToText(diagnostics.front());
}

TEST_F(Dependencies, FindsEntryPointsThatOnlyALibraryHas) {
  const std::string path = GetObjectPath("borrower.so");
  ExpectOne(Inspect(path), DiagnosticCode::kBorrowedEntryPoint, path,
            "has GetBackendId only through libinspected_lender.so.1",
            "found GetBackendId in " + GetObjectPath("libraries/libinspected_lender.so.1"));
}

TEST_F(Dependencies, ReportsEveryUndefinedSymbolDemangled) {
  const std::string path = GetObjectPath("undefined.so");
  const Diagnostic diagnostic =
      ExpectOne(Inspect(path), DiagnosticCode::kUndefinedSymbol, path,
                "undefined.so needs 3 symbols that nothing defines", "; searched lib");
  for (const char* name : {"acme::Compute(int)", "acme::table", "acme_start"}) {
    EXPECT_NE(diagnostic.why.find(name), std::string::npos) << name;
  }
  EXPECT_EQ(diagnostic.why.find("Maybe"), std::string::npos);
}

TEST_F(Dependencies, AsksTheProcessForSymbols) {
  const std::string path = GetObjectPath("undefined.so");
  const auto is_defined = [](const std::string& symbol, const std::string& version) {
    EXPECT_EQ(version, "") << symbol;
    return symbol != "acme_start";
  };
  ExpectOne(Inspect(path, is_defined), DiagnosticCode::kUndefinedSymbol, path,
            "needs 1 symbol that nothing defines",
            "undefined: acme_start; searched this program, ");
}

TEST_F(Dependencies, ListsTenOfManyUndefinedSymbols) {
  const std::string path = GetObjectPath("many_undefined.so");
  const Diagnostic diagnostic = ExpectOne(Inspect(path), DiagnosticCode::kUndefinedSymbol, path,
                                          "needs 12 symbols", "lost_10 and 2 more");
  EXPECT_EQ(diagnostic.why.find("lost_11"), std::string::npos);
}

TEST_F(Dependencies, LeavesDamagedFilesToTheFormatStage) {
  const std::string path = directory_ / "text.so";
  std::ofstream(path) << "text\n";
  ExpectOne(Inspect(path), DiagnosticCode::kNotElf, path, "looks like text",
            "expected an ELF shared object");
}

}  // namespace
}  // namespace backplane::inspection
