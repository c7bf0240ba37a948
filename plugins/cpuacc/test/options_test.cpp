#include "options/options.hpp"

#include "passes/passes.hpp"
#include "threads/processors.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace backplane {
namespace cpuacc {
namespace {

TEST(Options, OfNothingAreTheDefaultsOfTheSchemas) {
  BackendOptions defaults;
  for (const OptionSchema& schema : GetSchemas()) {
    defaults.options.emplace_back(schema.name, schema.default_value);
  }
  for (const Options& read : {ReadOptions(BackendOptions()), ReadOptions(defaults)}) {
    EXPECT_EQ(read.num_threads, 0);
    EXPECT_FALSE(read.fast_math);
    EXPECT_TRUE(read.rounding);
    EXPECT_EQ(read.winograd, Winograd::kAuto);
    EXPECT_EQ(read.cache_directory, "");
  }
}

TEST(Options, AreReadByName) {
  const Options read = ReadOptions({"CpuAcc",
                                    {{"threads", 3},
                                     {"fast_math", true},
                                     {"rounding", false},
                                     {"winograd", "off"},
                                     {"cache_directory", "/var/cache/networks"},
                                     {"without_passes", "MakeViews,RemoveUnneeded"}}});
  EXPECT_EQ(read.num_threads, 3);
  EXPECT_TRUE(read.fast_math);
  EXPECT_FALSE(read.rounding);
  EXPECT_EQ(read.winograd, Winograd::kOff);
  EXPECT_EQ(read.cache_directory, "/var/cache/networks");
  EXPECT_EQ(FindPasses(read.without_passes), FindPasses("RemoveUnneeded,MakeViews"));
  EXPECT_EQ(ReadOptions({"CpuAcc", {{"winograd", "on"}}}).winograd, Winograd::kOn);
}

TEST(Options, RefusePassesThatAreNot) {
  EXPECT_THROW(FindPasses("MakeViews,Makeview"), std::invalid_argument);
}

TEST(Options, HaveSchemasWithWhatTheyMayBe) {
  for (const OptionSchema& schema : GetSchemas()) {
    EXPECT_EQ(schema.type, schema.default_value.type) << schema.name;
    EXPECT_FALSE(schema.text.empty()) << schema.name;
    EXPECT_EQ(schema.has_range != 0, schema.name == "threads") << schema.name;
  }
}

TEST(Options, GiveAThreadForEachOfTheProcessors) {
  Options options;
  options.processors = {0, 2, 3};
  EXPECT_EQ(CountThreads(options), 3);
  options.num_threads = 2;
  EXPECT_EQ(CountThreads(options), 2);
}

TEST(Options, GiveOneThreadForEachProcessorUnlessTheySayMore) {
  Options options;
  EXPECT_EQ(CountThreads(options), CountProcessors());
  options.num_threads = 5;
  EXPECT_EQ(CountThreads(options), 5);
}

}  // namespace
}  // namespace cpuacc
}  // namespace backplane
