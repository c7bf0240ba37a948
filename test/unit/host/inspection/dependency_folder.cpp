#include "dependency_folder.hpp"

#include "object_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace backplane::inspection {

namespace fs = std::filesystem;

void DependencyFolder::SetUp() {
  std::string pattern = testing::TempDir() + "dependencies-XXXXXX";
  ASSERT_NE(mkdtemp(pattern.data()), nullptr);
  directory_ = fs::canonical(pattern);
}

void DependencyFolder::TearDown() {
  fs::remove_all(directory_);
}

std::string DependencyFolder::Place(const std::string& object) {
  fs::copy_file(GetObjectPath(object), directory_ / object);
  return directory_ / object;
}

void DependencyFolder::PlaceLibrary(const std::string& name, const std::string& folder) {
  fs::create_directories(directory_ / folder);
  fs::copy_file(GetObjectPath("libraries/" + name), directory_ / folder / name);
}

std::string DependencyFolder::Write(const std::string& name, const std::string& bytes) {
  std::ofstream(directory_ / name, std::ios::binary) << bytes;
  return directory_ / name;
}

std::vector<Diagnostic> DependencyFolder::Inspect(const std::string& path,
                                                  const libraries::IsDefinedInProcess& is_defined) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  EXPECT_GE(descriptor, 0) << path;
  const StageOutcome outcome = libraries::InspectDependencies(descriptor, path, path, is_defined);
  close(descriptor);
  EXPECT_EQ(outcome.stage, Stage::kDependencies);
  EXPECT_GT(outcome.duration.count(), 0);
  return outcome.diagnostics;
}

}  // namespace backplane::inspection
