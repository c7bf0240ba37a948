#include "libraries/dependency_checks.hpp"

#include "dependency_folder.hpp"
#include "object_file.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>

namespace backplane::inspection {
namespace {

namespace fs = std::filesystem;

class Hygiene : public DependencyFolder {
 protected:
  // Beside the libraries of needy.so, a version of it that one change has made.
  std::string PlaceNeedy(const std::string& bytes) {
    for (const char* name :
         {"libinspected_mid.so.1", "libinspected_dep.so.1", "libinspected_side.so.1"}) {
      PlaceLibrary(name);
    }
    return Write("needy.so", bytes);
  }

  static ObjectFile GetNeedy() { return ObjectFile(ReadBytes(GetObjectPath("needy.so"))); }
};

std::vector<Diagnostic> InspectFormat(const std::string& path) {
  return GetDiagnosticsOf(InspectPath(path), Stage::kFormat);
}

// Writes a text that is not longer over one of the string table.
void ReplaceText(ObjectFile& object, const std::string& text, const std::string& other) {
  const std::size_t position = object.bytes.find(text + '\0');
  ASSERT_NE(position, std::string::npos);
  ASSERT_LE(other.size(), text.size());
  std::memcpy(&object.bytes[position], other.c_str(), other.size() + 1);
}

TEST_F(Hygiene, WarnsOfARunPathThatIsRelative) {
  ObjectFile needy = GetNeedy();
  ReplaceText(needy, "$ORIGIN", ".:");
  const fs::path before = fs::current_path();
  const std::string path = PlaceNeedy(needy.bytes);
  fs::current_path(directory_);
  const std::vector<Diagnostic> diagnostics = InspectFormat(path);
  fs::current_path(before);
  ExpectOne(diagnostics, DiagnosticCode::kUnsafeRunPath, path,
            "\".\" is relative to the current directory",
            "\"\" is empty, which stands for the current directory", Severity::kWarning);
}

TEST_F(Hygiene, WarnsOfARunPathThatOthersMayWrite) {
  const std::string path = PlaceNeedy(GetNeedy().bytes);
  EXPECT_TRUE(InspectFormat(path).empty());
  fs::permissions(directory_, fs::perms::others_write, fs::perm_options::add);
  ExpectOne(InspectFormat(path), DiagnosticCode::kUnsafeRunPath, path,
            "\"$ORIGIN\" is writable by every user", "only their owner may write",
            Severity::kWarning);
}

TEST_F(Hygiene, WarnsOfALibraryNeededByRelativePath) {
  ObjectFile needy = GetNeedy();
  ReplaceText(needy, "libinspected_side.so.1", "./libside.so.1");
  const std::string path = PlaceNeedy(needy.bytes);
  const Diagnostic diagnostic = FindOne(Inspect(path), DiagnosticCode::kNeededByPath);
  ExpectOne({diagnostic}, DiagnosticCode::kNeededByPath, path, "needs \"./libside.so.1\" by path",
            "from the current directory", Severity::kWarning);
}

TEST_F(Hygiene, NotesThatALoadedLibraryTakesAPlace) {
  const std::string path = PlaceNeedy(GetNeedy().bytes);
  const std::string other = GetObjectPath("libraries/libinspected_side.so.1");
  void* library = dlopen(other.c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  const std::vector<Diagnostic> diagnostics = Inspect(path);
  dlclose(library);
  ExpectOne(diagnostics, DiagnosticCode::kReplacedLibrary, path,
            "will use the libinspected_side.so.1 that this program already has",
            other + " instead of " + directory_.string() + "/libinspected_side.so.1",
            Severity::kNote);
}

TEST_F(Hygiene, NotesUniqueSymbols) {
  const std::string path = Place("unhygienic.so");
  ExpectOne({FindOne(Inspect(path), DiagnosticCode::kUniqueSymbols)},
            DiagnosticCode::kUniqueSymbols, path, "shares C++ singletons", "Singleton<int>::value",
            Severity::kNote);
}

TEST_F(Hygiene, NotesAFileThatStaysInMemory) {
  ObjectFile object(ReadBytes(GetGoodBackendPath()));
  object.GetDynamicEntry(DT_RELACOUNT) = {DT_FLAGS_1, {DF_1_NODELETE}};
  const std::string path = Write("x.so", object.bytes);
  ExpectOne(Inspect(path), DiagnosticCode::kStaysInMemory, path, "stays in memory", "DF_1_NODELETE",
            Severity::kNote);
}

}  // namespace
}  // namespace backplane::inspection
