#include "libraries/library_search.hpp"

#include "object_file.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

namespace backplane::inspection {
namespace {

// Every place that a search asks, when nothing is ever found.
std::vector<std::string> GetPlaces(const libraries::LoaderEnvironment& environment,
                                   const std::string& library,
                                   const elf::LibraryRequester& requester) {
  std::vector<std::string> places;
  const auto refuse = [&places](const std::string& path) {
    places.push_back(path);
    return false;
  };
  EXPECT_TRUE(libraries::LibrarySearch(environment).Find(library, requester, refuse).path.empty());
  return places;
}

libraries::LoaderEnvironment GetEnvironment() {
  libraries::LoaderEnvironment environment;
  environment.library_path = "/env1:/env2;/env3";
  environment.cache_path = "/nonexistent/cache";
  environment.default_directories = {"/default"};
  return environment;
}

using Places = std::vector<std::string>;

TEST(LibrarySearch, LooksInTheOrderOfTheLoader) {
  elf::LibraryRequester requester;
  requester.origin = "/here";
  requester.runpath = "$ORIGIN/lib:/run";
  requester.has_runpath = true;
  EXPECT_EQ(GetPlaces(GetEnvironment(), "libx.so", requester),
            (Places{"/env1/libx.so", "/env2/libx.so", "/env3/libx.so", "/here/lib/libx.so",
                    "/run/libx.so", "/default/libx.so"}));
}

TEST(LibrarySearch, LooksInRpathsOfTheWholeChainFirst) {
  elf::LibraryRequester program;
  program.rpath = "/program";
  elf::LibraryRequester backend;
  backend.rpath = "${ORIGIN}/b";
  backend.origin = "/backends";
  backend.needed_by = &program;
  elf::LibraryRequester library;
  library.origin = "/libraries";
  library.needed_by = &backend;
  EXPECT_EQ(GetPlaces(GetEnvironment(), "libx.so", library),
            (Places{"/backends/b/libx.so", "/program/libx.so", "/env1/libx.so", "/env2/libx.so",
                    "/env3/libx.so", "/default/libx.so"}));
}

TEST(LibrarySearch, IgnoresRpathsBesideARunpath) {
  elf::LibraryRequester program;
  program.rpath = "/program";
  elf::LibraryRequester backend;
  backend.rpath = "/ignored";
  backend.runpath = "/run";
  backend.has_runpath = true;
  backend.needed_by = &program;
  EXPECT_EQ(GetPlaces(GetEnvironment(), "libx.so", backend),
            (Places{"/env1/libx.so", "/env2/libx.so", "/env3/libx.so", "/run/libx.so",
                    "/default/libx.so"}));
}

TEST(LibrarySearch, TakesANameWithASlashAsAPath) {
  elf::LibraryRequester requester;
  requester.origin = "/here";
  EXPECT_EQ(GetPlaces(GetEnvironment(), "out/libx.so", requester), Places{"out/libx.so"});
  EXPECT_EQ(GetPlaces(GetEnvironment(), "$ORIGIN/libx.so", requester), Places{"/here/libx.so"});
}

TEST(LibrarySearch, TakesAnEmptyElementForTheCurrentDirectory) {
  libraries::LoaderEnvironment environment = GetEnvironment();
  environment.library_path = ":/env";
  EXPECT_EQ(GetPlaces(environment, "libx.so", {}),
            (Places{"./libx.so", "/env/libx.so", "/default/libx.so"}));
}

TEST(LibrarySearch, LeavesDefaultsOutWhenTheObjectWantsIt) {
  elf::LibraryRequester requester;
  requester.uses_default_directories = false;
  EXPECT_EQ(GetPlaces(GetEnvironment(), "libx.so", requester),
            (Places{"/env1/libx.so", "/env2/libx.so", "/env3/libx.so"}));
}

TEST(LibrarySearch, SaysWhereItLooked) {
  elf::LibraryRequester requester;
  requester.origin = "/here";
  requester.runpath = "$ORIGIN/lib";
  requester.has_runpath = true;
  const libraries::LibrarySearchResult result =
      libraries::LibrarySearch(GetEnvironment()).Find("libx.so", requester, [](const std::string&) {
        return false;
      });
  EXPECT_EQ(result.searched,
            "LD_LIBRARY_PATH /env1:/env2:/env3, RUNPATH /here/lib, /nonexistent/cache, /default");
}

TEST(LibrarySearch, StopsAtTheFirstUsable) {
  const libraries::LibrarySearchResult result =
      libraries::LibrarySearch(GetEnvironment()).Find("libx.so", {}, [](const std::string& path) {
        return path == "/env2/libx.so";
      });
  EXPECT_EQ(result.path, "/env2/libx.so");
}

TEST(LoaderCache, FindsTheCLibraryOfThisSystem) {
  const std::vector<std::string> paths =
      libraries::LoaderCache::Read("/etc/ld.so.cache").Find("libc.so.6");
  ASSERT_FALSE(paths.empty());
  EXPECT_NE(paths.front().find("/libc.so.6"), std::string::npos);
}

TEST(LoaderCache, HasNoEntriesWhenMissing) {
  EXPECT_TRUE(libraries::LoaderCache::Read("/nonexistent/cache").Find("libc.so.6").empty());
}

TEST(LoaderCache, SurvivesEveryTruncationAndWrongCounts) {
  const std::string bytes = ReadBytes("/etc/ld.so.cache");
  const std::string path = testing::TempDir() + "truncated.cache";
  for (std::size_t size = 0; size < bytes.size(); size += 997) {
    std::ofstream(path, std::ios::binary) << bytes.substr(0, size);
    const libraries::LoaderCache cache = libraries::LoaderCache::Read(path);
    for (const std::string& found : cache.Find("libc.so.6")) EXPECT_FALSE(found.empty());
  }
  std::string wrong = bytes;
  std::memset(&wrong[20], 0xff, 8);
  std::ofstream(path, std::ios::binary) << wrong;
  EXPECT_TRUE(libraries::LoaderCache::Read(path).Find("libc.so.6").empty());
}

}  // namespace
}  // namespace backplane::inspection
