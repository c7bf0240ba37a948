#pragma once

#include "libraries/dependency_inspector.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace backplane::inspection {

/// A directory with a backend and some of the libraries that it needs.
class DependencyFolder : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  /// Copies an object into the directory; gives the path of the copy.
  std::string Place(const std::string& object);
  void PlaceLibrary(const std::string& name, const std::string& folder = ".");
  /// Writes a file into the directory; gives its path.
  std::string Write(const std::string& name, const std::string& bytes);

  /// What the stage dependencies says.
  static std::vector<Diagnostic> Inspect(const std::string& path,
                                         const libraries::IsDefinedInProcess& is_defined = {});

  std::filesystem::path directory_;
};

}  // namespace backplane::inspection
