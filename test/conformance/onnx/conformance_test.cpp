// The operator tests of ONNX, all of them, on the reference backend, and on the fast one with the
// reference behind it: those that Debian has, with constants made of inputs where shapes depend on
// them, and those of ONNX 1.23 as they are; then models with values that other programs computed:
// those of test/foreign, and those beside the repository. For each collection a list says which do
// not pass and why; it must say exactly what is found, so that progress shows too.
//
// BACKPLANE_ONNX_FILTER=node/test_slice* runs only those and prints why each failed.
// BACKPLANE_UPDATE_GOLDEN=1 writes the lists anew. BACKPLANE_FOREIGN_VALUES=DIR takes DIR/values,
// in which make_foreign.py made more, in place of its archive.

#include <backplane/runtime/i_runtime.hpp>

#include "run_folder.hpp"

#include <gtest/gtest.h>

#include <fnmatch.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace backplane::test {
namespace {

namespace fs = std::filesystem;

/// Tests of ONNX, in folders.
struct Collection {
  fs::path root;
  std::vector<const char*> groups;  // folders in it
  InputUse use = InputUse::kInputs;
  execute_network::WantedTolerance tolerance = kToleranceOfOnnx;
  const char* not_passed = "";  // the list of those that do not pass; empty: all pass
  const char* cure = "";        // where there are none
};

Collection MakeDebianCollection() {
  return {BACKPLANE_ONNX_TESTDATA, {"node", "simple", "pytorch-operator", "pytorch-converted"},
          InputUse::kInputs,       kToleranceOfOnnx,
          BACKPLANE_NOT_PASSED,    "install libonnx-testdata"};
}

// Of IR version 10 and operator sets up to 28.
Collection MakeNewCollection() {
  return {BACKPLANE_ONNX_1_23_TESTDATA,
          {"node"},
          InputUse::kInputsOnly,
          kToleranceOfOnnx,
          BACKPLANE_NOT_PASSED_1_23,
          "put onnx-1.23-node-tests.tar.xz into BACKPLANE_SHARED_MODELS and configure again"};
}

// What test/foreign/make_foreign.py made: its archive, or the folder that a variable names.
Collection MakeForeignCollection() {
  const char* made = std::getenv("BACKPLANE_FOREIGN_VALUES");
  return {made != nullptr ? made : BACKPLANE_FOREIGN_VALUES,
          {"values"},
          InputUse::kInputsOnly,
          {},
          BACKPLANE_NOT_PASSED_VALUES,
          "configure again"};
}

// Networks that exporters and other libraries made.
Collection MakeSharedCollection() {
  return {
      BACKPLANE_FOREIGN_NETWORKS,
      {"networks"},
      InputUse::kInputsOnly,
      {},
      BACKPLANE_NOT_PASSED_NETWORKS,
      "put foreign.tar.xz into the folder foreign beside BACKPLANE_SHARED_MODELS, and configure "
      "again"};
}

std::string GetVariable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::vector<fs::path> ListFolders(const fs::path& root, const std::string& group) {
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(root / group)) {
    if (fs::exists(entry.path() / "model.onnx")) folders.push_back(entry.path());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

std::vector<std::string> ReadLines(const std::string& path) {
  std::ifstream stream(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty() && line.front() != '#') lines.push_back(line);
  }
  return lines;
}

std::vector<std::string> GetMissing(const std::vector<std::string>& from,
                                    const std::vector<std::string>& lines) {
  std::vector<std::string> missing;
  for (const std::string& line : lines) {
    if (std::find(from.begin(), from.end(), line) == from.end()) missing.push_back(line);
  }
  return missing;
}

void WriteNotPassed(const char* path, const std::vector<std::string>& lines) {
  std::ofstream stream(path);
  stream << "# Tests that do not pass, and why. Written by BACKPLANE_UPDATE_GOLDEN=1 "
            "onnx_conformance_test.\n";
  for (const std::string& line : lines) stream << line << "\n";
}

void CompareWithNotPassed(const char* path, const std::vector<std::string>& found) {
  const std::vector<std::string> expected = ReadLines(path);
  for (const std::string& line : GetMissing(expected, found)) {
    ADD_FAILURE() << "found, but not in " << path << ":\n" << line;
  }
  for (const std::string& line : GetMissing(found, expected)) {
    ADD_FAILURE() << "in " << path << ", but not found:\n" << line;
  }
}

class Conformance {
 public:
  /// An empty filter runs all.
  Conformance(Preferences backends, const Collection& collection, std::string filter)
      : backends_(std::move(backends)), collection_(collection), filter_(std::move(filter)) {}

  bool HasBackends() const {
    return std::all_of(backends_.begin(), backends_.end(), [this](const std::string& id) {
      return runtime_->GetDeviceSpec().GetRegistry().IsBackendRegistered(id);
    });
  }

  void Run(const std::string& group, const fs::path& folder) {
    const std::string name = group + "/" + folder.filename().string();
    if (!filter_.empty() && fnmatch(filter_.c_str(), name.c_str(), 0) != 0) return;
    const Outcome outcome = RunAs(collection_.use, folder);
    ++num_run_;
    if (outcome.has_passed) return ExpectSameWithConstants(name, folder);
    not_passed_.push_back(name + ": " + outcome.reason);
    if (!filter_.empty()) {
      ADD_FAILURE() << name << ": " << outcome.reason << "\n" << outcome.details;
    }
  }

  int GetNumRun() const { return num_run_; }
  const std::vector<std::string>& GetNotPassed() const { return not_passed_; }

 private:
  Outcome RunAs(InputUse use, const fs::path& folder) {
    return RunFolder(*runtime_, backends_, folder, use, collection_.tolerance);
  }

  // Whatever the importer evaluates of it, the result is the same.
  void ExpectSameWithConstants(const std::string& name, const fs::path& folder) {
    const Outcome outcome = RunAs(InputUse::kConstants, folder);
    EXPECT_TRUE(outcome.has_passed)
        << name << " with all inputs as constants: " << outcome.reason << "\n"
        << outcome.details;
  }

  Preferences backends_;
  const Collection& collection_;
  std::string filter_;
  std::unique_ptr<IRuntime> runtime_ = IRuntime::Create({});
  int num_run_ = 0;
  std::vector<std::string> not_passed_;
};

class OnnxConformance : public testing::TestWithParam<Preferences> {
 protected:
  static void ExpectWhatIsListed(const Collection& collection) {
    for (const char* group : collection.groups) {
      if (fs::exists(collection.root / group)) continue;
      GTEST_SKIP() << collection.root / group << " does not exist; " << collection.cure;
    }
    const std::string filter = GetVariable("BACKPLANE_ONNX_FILTER");
    Conformance conformance(GetParam(), collection, filter);
    if (!conformance.HasBackends()) GTEST_SKIP() << GetParam().front() << " is not built";
    for (const char* group : collection.groups) {
      for (const fs::path& folder : ListFolders(collection.root, group)) {
        conformance.Run(group, folder);
      }
    }
    const std::vector<std::string>& not_passed = conformance.GetNotPassed();
    std::cout << conformance.GetNumRun() << " run, "
              << conformance.GetNumRun() - static_cast<int>(not_passed.size()) << " passed\n";
    if (conformance.GetNumRun() == 0) GTEST_SKIP() << "nothing has the name " << filter;
    if (!filter.empty()) return;
    if (!GetVariable("BACKPLANE_UPDATE_GOLDEN").empty()) {
      return WriteNotPassed(collection.not_passed, not_passed);
    }
    CompareWithNotPassed(collection.not_passed, not_passed);
  }
};

TEST_P(OnnxConformance, IsWhatIsListed) {
  ExpectWhatIsListed(MakeDebianCollection());
}

TEST_P(OnnxConformance, OfNewTestsIsWhatIsListed) {
  ExpectWhatIsListed(MakeNewCollection());
}

TEST_P(OnnxConformance, OfValuesThatOthersComputedIsWhatIsListed) {
  ExpectWhatIsListed(MakeForeignCollection());
}

TEST_P(OnnxConformance, OfNetworksThatOthersMadeIsWhatIsListed) {
  ExpectWhatIsListed(MakeSharedCollection());
}

INSTANTIATE_TEST_SUITE_P(On, OnnxConformance,
                         testing::Values(Preferences{"CpuRef"}, Preferences{"CpuAcc", "CpuRef"}),
                         [](const auto& row) { return row.param.front(); });

}  // namespace
}  // namespace backplane::test
