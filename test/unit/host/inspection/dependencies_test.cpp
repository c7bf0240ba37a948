#include "dependency_folder.hpp"
#include "object_file.hpp"

#include <elf.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace backplane::inspection {
namespace {

namespace fs = std::filesystem;

using Dependencies = DependencyFolder;

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
            "needs libinspected_mid.so.1, which is there, but cannot be used");
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
  const Diagnostic diagnostic = ExpectOne(
      {FindOne(Inspect(path), DiagnosticCode::kUndefinedSymbol)}, DiagnosticCode::kUndefinedSymbol,
      path, "undefined.so needs 3 symbols that nothing defines", "; searched lib");
  for (const char* name : {"acme::Compute(int)", "acme::table", "acme_start"}) {
    EXPECT_NE(diagnostic.why.find(name), std::string::npos) << name;
  }
  EXPECT_EQ(diagnostic.why.find("Maybe"), std::string::npos);
}

TEST_F(Dependencies, WarnsOfWeakSymbolsThatNothingDefines) {
  const std::string path = GetObjectPath("undefined.so");
  const Diagnostic diagnostic =
      ExpectOne({FindOne(Inspect(path), DiagnosticCode::kUnresolvedWeakSymbol)},
                DiagnosticCode::kUnresolvedWeakSymbol, path, "needs 1 symbol weakly",
                "unresolved: acme::Maybe(); searched lib", Severity::kWarning);
  EXPECT_NE(diagnostic.why.find("calling that ends the process"), std::string::npos);
}

TEST_F(Dependencies, WarnsOfExportsThatTheProgramHasToo) {
  const std::string path = GetObjectPath("unhygienic.so");
  const auto is_defined = [](const std::string& symbol, const std::string& /*version*/) {
    return symbol == "unhygienic_helper";
  };
  ExpectOne({FindOne(Inspect(path, is_defined), DiagnosticCode::kExportsClash)},
            DiagnosticCode::kExportsClash, path, "exports 1 symbol that this program exports",
            "found unhygienic_helper in the file", Severity::kWarning);
}

TEST_F(Dependencies, TellsSymbolsOfTheHostFromOthers) {
  const std::string path = GetObjectPath("host_symbols.so");
  ExpectOne(Inspect(path), DiagnosticCode::kUndefinedHostSymbol, path,
            "needs 1 symbol of Backplane that this host does not export",
            "undefined: backplane::HostSecret(int); this host, with Backend API ");
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
