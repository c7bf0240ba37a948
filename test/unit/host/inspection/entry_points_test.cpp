#include "inspection/entry_points.hpp"

#include "object_file.hpp"

#include <elf.h>
#include <gtest/gtest.h>

namespace backplane::inspection {
namespace {

std::vector<Diagnostic> GetEntryPointDiagnostics(const std::string& path) {
  return GetDiagnosticsOf(InspectPath(path), Stage::kEntryPoints);
}

TEST(EntryPoints, RejectsLibraryWithoutAnyInOneLine) {
  const std::string path = GetObjectPath("no_backend.so");
  const InspectedFile file = InspectPath(path);
  ExpectOne(GetDiagnosticsOf(file, Stage::kEntryPoints), DiagnosticCode::kNoEntryPoints, path,
            "exports none of GetBackendId, GetVersion and BackendFactory",
            "a backend exports all three with C linkage");
  EXPECT_EQ(file.stages.back().stage, Stage::kEntryPoints);
}

TEST(EntryPoints, RejectsMissingOnesAndNamesAllThree) {
  const std::string path = GetObjectPath("only_id.so");
  const Diagnostic diagnostic = ExpectOne(
      GetEntryPointDiagnostics(path), DiagnosticCode::kMissingEntryPoint, path,
      "only_id.so exports GetBackendId but not GetVersion and BackendFactory; a backend needs all "
      "three with C linkage (see docs/backend-developer-guide.md#entry-points)",
      "BP3004");
  EXPECT_EQ(diagnostic.fix,
            "define GetVersion and BackendFactory in a source file that includes "
            "<backplane/api/backend.hpp>, and export it");
}

TEST(EntryPoints, RejectsCxxLinkage) {
  const std::string path = GetObjectPath("mangled.so");
  ExpectOne(GetEntryPointDiagnostics(path), DiagnosticCode::kMangledEntryPoint, path,
            "found GetBackendId as _Z12GetBackendIdv, GetVersion as _Z10GetVersionPjS_ and "
            "BackendFactory as _Z14BackendFactoryv",
            "expected the plain name, with C linkage");
}

TEST(EntryPoints, TellsCxxLinkageFromAbsence) {
  const std::string path = GetObjectPath("mangled_version.so");
  const std::vector<Diagnostic> diagnostics = GetEntryPointDiagnostics(path);
  ASSERT_EQ(diagnostics.size(), 2U);
  ExpectOne({diagnostics[0]}, DiagnosticCode::kMangledEntryPoint, path,
            "found GetVersion as _Z10GetVersionPjS_", "expected the plain name");
  ExpectOne({diagnostics[1]}, DiagnosticCode::kMissingEntryPoint, path,
            "exports GetBackendId but not BackendFactory", "needs all three");
}

TEST(EntryPoints, RejectsVariable) {
  const std::string path = GetObjectPath("data_entry_point.so");
  ExpectOne(GetEntryPointDiagnostics(path), DiagnosticCode::kEntryPointNotFunction, path,
            "found GetBackendId: a variable", "expected a function");
}

// The dynamic symbol of that name in the good backend.
ElfW(Sym) & FindSymbol(ObjectFile& object, const std::string& name) {
  const std::uint64_t symbols = object.GetDynamicEntry(DT_SYMTAB).d_un.d_ptr;
  const std::uint64_t strings = object.GetDynamicEntry(DT_STRTAB).d_un.d_ptr;
  std::uint64_t offset = symbols;
  while (std::string(&object.bytes[strings + object.At<ElfW(Sym)>(offset).st_name]) != name) {
    offset += sizeof(ElfW(Sym));
  }
  return object.At<ElfW(Sym)>(offset);
}

TEST(EntryPoints, FindsHiddenOneByItsLocalSymbol) {
  const std::string path = GetObjectPath("hidden_version.so");
  ExpectOne(GetEntryPointDiagnostics(path), DiagnosticCode::kHiddenEntryPoint, path,
            "defines GetVersion and BackendFactory, but does not export them",
            "GetVersion as the local symbol GetVersion and BackendFactory as the local symbol "
            "_Z14BackendFactoryv");
}

TEST(EntryPoints, SuggestsTheNearestExportedFunction) {
  const std::string path = GetObjectPath("misspelt_version.so");
  ExpectOne(GetEntryPointDiagnostics(path), DiagnosticCode::kMisspeltEntryPoint, path,
            "found GetVersion spelt GetVersoin and BackendFactory spelt backend_factory",
            "exactly these names");
}

TEST(EntryPoints, TakesOneSimilarNameAloneForChance) {
  const std::string path = GetObjectPath("similar_name.so");
  const InspectedFile file = InspectPath(path);
  ExpectOne(GetDiagnosticsOf(file, Stage::kEntryPoints), DiagnosticCode::kNoEntryPoints, path,
            "exports none of GetBackendId", "with C linkage");
}

TEST(EntryPoints, CountsHiddenOneOfAStrippedFileAsMissing) {
  ObjectFile object(ReadBytes(GetGoodBackendPath()));
  FindSymbol(object, "GetVersion").st_other = STV_HIDDEN;
  ExpectOne(GetDiagnosticsOf(InspectBytes(object.bytes), Stage::kEntryPoints),
            DiagnosticCode::kMissingEntryPoint, "/x/libx.so",
            "exports GetBackendId and BackendFactory but not GetVersion", "needs all three");
}

TEST(EntryPoints, AcceptsWeakAndProtectedFunctions) {
  ObjectFile object(ReadBytes(GetGoodBackendPath()));
  FindSymbol(object, "GetVersion").st_info = ELF64_ST_INFO(STB_WEAK, STT_FUNC);
  FindSymbol(object, "GetBackendId").st_other = STV_PROTECTED;
  EXPECT_TRUE(GetDiagnosticsOf(InspectBytes(object.bytes), Stage::kEntryPoints).empty());
}

TEST(EntryPoints, DoesNotCountUndefinedOnes) {
  ObjectFile object(ReadBytes(GetGoodBackendPath()));
  FindSymbol(object, "BackendFactory").st_shndx = SHN_UNDEF;
  ExpectOne(GetDiagnosticsOf(InspectBytes(object.bytes), Stage::kEntryPoints),
            DiagnosticCode::kMissingEntryPoint, "/x/libx.so",
            "exports GetBackendId and GetVersion but not BackendFactory", "needs all three");
}

TEST(EntryPoints, OfAnOldVersionIsNotFoundByThoseWhoAskForNone) {
  const InspectedFile file = InspectPath(GetObjectPath("old_version.so"));
  ExpectOne(GetDiagnosticsOf(file, Stage::kEntryPoints), DiagnosticCode::kHiddenEntryPoint,
            GetObjectPath("old_version.so"), "exports GetVersion only as an old version",
            "found GetVersion as GetVersion@V1");
}

}  // namespace
}  // namespace backplane::inspection
