#include "report/collect_facts.hpp"
#include "dependency_folder.hpp"
#include "object_file.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>

namespace backplane::inspection {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

class Facts : public DependencyFolder {
 protected:
  static FileFacts Collect(const std::string& path,
                           report::Contents contents = report::Contents::kRead) {
    auto [file, failure] = files::OpenCandidateFile(path, "");
    EXPECT_FALSE(failure);
    return report::CollectFacts(file, contents);
  }
};

const NeededLibrary& GetLibrary(const FileFacts& facts, const std::string& name) {
  static const NeededLibrary kNone;
  const auto found =
      std::find_if(facts.libraries.begin(), facts.libraries.end(),
                   [&](const NeededLibrary& library) { return library.name == name; });
  EXPECT_NE(found, facts.libraries.end()) << name;
  return found != facts.libraries.end() ? *found : kNone;
}

TEST_F(Facts, TellTheOutsideOfAFile) {
  const std::string path = Write("text.so", "hello");
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
  const FileFacts facts = Collect(path);
  EXPECT_EQ(facts.size_bytes, 5U);
  EXPECT_EQ(facts.owner_id, geteuid());
  EXPECT_EQ(facts.mode, 0640U);
  EXPECT_EQ(facts.sha256, "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824");
  EXPECT_LT(std::chrono::system_clock::now() - facts.modified, std::chrono::hours(1));
  EXPECT_FALSE(facts.is_format_sound);
  EXPECT_TRUE(facts.machine.empty());
  EXPECT_TRUE(facts.libraries.empty());
}

TEST_F(Facts, LeaveTheContentsOfAFileThatIsNotTrusted) {
  const FileFacts facts = Collect(GetGoodBackendPath(), report::Contents::kLeave);
  EXPECT_EQ(facts.size_bytes, fs::file_size(GetGoodBackendPath()));
  EXPECT_EQ(facts.sha256.size(), 64U);
  EXPECT_FALSE(facts.is_format_sound);
  EXPECT_TRUE(facts.exports.empty());
}

TEST_F(Facts, TellTheContentsOfABackend) {
  const FileFacts facts = Collect(GetGoodBackendPath());
  EXPECT_TRUE(facts.is_format_sound);
  EXPECT_FALSE(facts.machine.empty());
  EXPECT_EQ(facts.exports, (Names{"BackendFactory", "GetBackendId", "GetVersion"}));
  EXPECT_EQ(facts.num_exports, 3U);
  EXPECT_EQ(facts.num_abi_notes, 2U);
  ASSERT_FALSE(facts.abi.empty());
  EXPECT_EQ(facts.abi[0].name, "major version of the Backend API");
  EXPECT_EQ(facts.abi[0].value, std::to_string(BP_API_MAJOR));
  EXPECT_EQ(facts.num_symbols_undefined, 0U);
}

TEST_F(Facts, TellWhereEachLibraryIsFound) {
  const std::string path = Place("needy.so");
  for (const char* name :
       {"libinspected_mid.so.1", "libinspected_dep.so.1", "libinspected_side.so.1"}) {
    PlaceLibrary(name);
  }
  const FileFacts facts = Collect(path);
  EXPECT_NE(std::find(facts.needs.begin(), facts.needs.end(), "libinspected_mid.so.1"),
            facts.needs.end());
  const NeededLibrary& library = GetLibrary(facts, "libinspected_mid.so.1");
  EXPECT_EQ(library.found_in, "RUNPATH");
  EXPECT_EQ(fs::canonical(library.path), fs::canonical(directory_ / "libinspected_mid.so.1"));
  EXPECT_NE(std::find(library.needs.begin(), library.needs.end(), "libinspected_dep.so.1"),
            library.needs.end());
}

TEST_F(Facts, TellWhereAMissingLibraryWasLookedFor) {
  const FileFacts facts = Collect(Place("needy.so"));
  const NeededLibrary& library = GetLibrary(facts, "libinspected_side.so.1");
  EXPECT_EQ(library.path, "");
  EXPECT_EQ(library.found_in.rfind("searched RUNPATH " + directory_.string(), 0), 0U)
      << library.found_in;
}

TEST_F(Facts, CountTheSymbolsThatNothingDefines) {
  const FileFacts facts = Collect(GetObjectPath("many_undefined.so"));
  EXPECT_GT(facts.num_symbols_undefined, 10U);
  EXPECT_GE(facts.num_symbols_needed, facts.num_symbols_undefined);
}

TEST_F(Facts, TellTheSoname) {
  EXPECT_EQ(Collect(GetObjectPath("libraries/libinspected_dep.so.1")).soname,
            "libinspected_dep.so.1");
}

TEST_F(Facts, TellTheVersionsThatAreNeeded) {
  const FileFacts facts = Collect(GetObjectPath("versioned_user.so"));
  const auto library = std::find_if(facts.versions.begin(), facts.versions.end(),
                                    [](const NeededSymbolVersions& needed) {
                                      return needed.library.rfind("libinspected", 0) == 0;
                                    });
  ASSERT_NE(library, facts.versions.end());
  EXPECT_FALSE(library->versions.empty());
}

TEST_F(Facts, TellWhereTheDebugInformationIs) {
  const FileFacts inside = Collect(GetObjectPath("with_debug_information.so"));
  EXPECT_TRUE(inside.has_debug_information);
  EXPECT_EQ(inside.debug_link, "");
  const FileFacts apart = Collect(GetObjectPath("with_debug_link.so"));
  EXPECT_FALSE(apart.has_debug_information);
  EXPECT_EQ(apart.debug_link, "packaged.debug");
}

TEST_F(Facts, TellTheBuildIdAndThePackage) {
  const FileFacts facts = Collect(GetObjectPath("packaged.so"));
  EXPECT_EQ(facts.build_id, "0123456789abcdef");
  ASSERT_EQ(facts.package.size(), 2U);
  EXPECT_EQ(facts.package[0].name, "name");
  EXPECT_EQ(facts.package[0].value, "acme-npu");
  EXPECT_EQ(facts.package[1].name, "type");
  EXPECT_EQ(facts.package[1].value, "deb");
}

}  // namespace
}  // namespace backplane::inspection
