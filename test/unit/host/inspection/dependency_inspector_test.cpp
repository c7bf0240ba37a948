#include "libraries/dependency_inspector.hpp"

#include "dependency_folder.hpp"
#include "object_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

namespace backplane::inspection {
namespace {

namespace fs = std::filesystem;

class InspectorOfAScan : public DependencyFolder {
 protected:
  void SetUp() override {
    DependencyFolder::SetUp();
    for (const char* name :
         {"libinspected_mid.so.1", "libinspected_dep.so.1", "libinspected_side.so.1"}) {
      PlaceLibrary(name);
    }
  }

  static std::vector<Diagnostic> InspectWith(libraries::DependencyInspector& inspector,
                                             const std::string& path) {
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    EXPECT_GE(descriptor, 0) << path;
    StageOutcome outcome = inspector.Inspect(descriptor, path, path);
    close(descriptor);
    return std::move(outcome.diagnostics);
  }
};

TEST_F(InspectorOfAScan, ReadsALibraryOnce) {
  const std::string path = Place("needy.so");
  libraries::DependencyInspector inspector({});
  EXPECT_TRUE(InspectWith(inspector, path).empty());
  fs::remove(directory_ / "libinspected_side.so.1");
  EXPECT_TRUE(InspectWith(inspector, path).empty());
  ExpectOne(Inspect(path), DiagnosticCode::kMissingDependency, path, "libinspected_side.so.1",
            "was not found");
}

TEST_F(InspectorOfAScan, RemembersWhatIsMissing) {
  const std::string path = Place("needy.so");
  fs::remove(directory_ / "libinspected_side.so.1");
  libraries::DependencyInspector inspector({});
  for (int i = 0; i < 2; ++i) {
    ExpectOne(InspectWith(inspector, path), DiagnosticCode::kMissingDependency, path,
              "libinspected_side.so.1", "was not found");
  }
}

TEST_F(InspectorOfAScan, NotesThatLibraryPathLeadsElsewhereThanTheRunPath) {
  const std::string path = Place("needy.so");
  PlaceLibrary("libinspected_side.so.1", "other");
  libraries::LoaderEnvironment environment = libraries::LoaderEnvironment::OfThisProcess();
  environment.library_path = directory_ / "other";
  libraries::DependencyInspector inspector({}, environment);
  ExpectOne(InspectWith(inspector, path), DiagnosticCode::kLibraryPathOverride, path,
            "will use the libinspected_side.so.1 that LD_LIBRARY_PATH leads to",
            directory_.string() + "/other/libinspected_side.so.1 instead of " +
                directory_.string() + "/libinspected_side.so.1",
            Severity::kNote);
}

TEST_F(InspectorOfAScan, SaysNothingOfALibraryPathThatLeadsToTheSameFile) {
  const std::string path = Place("needy.so");
  libraries::LoaderEnvironment environment = libraries::LoaderEnvironment::OfThisProcess();
  environment.library_path = directory_;
  libraries::DependencyInspector inspector({}, environment);
  EXPECT_TRUE(InspectWith(inspector, path).empty());
}

TEST_F(InspectorOfAScan, SaysWhoMayNotReadALibrary) {
  if (geteuid() == 0) GTEST_SKIP() << "root can read every file";
  const std::string path = Place("needy.so");
  const fs::path library = directory_ / "libinspected_side.so.1";
  fs::permissions(library, fs::perms::none);
  libraries::DependencyInspector inspector({});
  ExpectOne(InspectWith(inspector, path), DiagnosticCode::kMissingDependency, path,
            library.string() + " cannot be opened: Permission denied", "libinspected_side.so.1");
}

// As another word size would be on a system that has both; the loader goes on to the next place.
TEST_F(InspectorOfAScan, GoesOnBehindALibraryOfAnotherClass) {
  const std::string path = Place("needy.so");
  PlaceLibrary("libinspected_side.so.1", "good");
  ObjectFile library(ReadBytes(GetObjectPath("libraries/libinspected_side.so.1")));
  library.bytes[EI_CLASS] = ELFCLASS32;
  fs::create_directories(directory_ / "narrow");
  Write("narrow/libinspected_side.so.1", library.bytes);
  fs::remove(directory_ / "libinspected_side.so.1");
  libraries::LoaderEnvironment environment = libraries::LoaderEnvironment::OfThisProcess();
  environment.library_path = directory_ / "narrow";
  libraries::DependencyInspector only_narrow({}, environment);
  ExpectOne(InspectWith(only_narrow, path), DiagnosticCode::kMissingDependency, path,
            "narrow/libinspected_side.so.1 was found, but libinspected_side.so.1 is 32-bit",
            "which is there, but built for another machine");
  environment.library_path += ":" + (directory_ / "good").string();
  libraries::DependencyInspector both({}, environment);
  EXPECT_TRUE(InspectWith(both, path).empty());
}

}  // namespace
}  // namespace backplane::inspection
