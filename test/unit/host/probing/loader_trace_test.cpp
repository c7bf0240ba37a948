#include "probing/loader_trace.hpp"

#include <gtest/gtest.h>

namespace backplane::probing {
namespace {

TEST(LoaderTrace, NamesTheLibraryWhoseConstructorsBeganLast) {
  const LoaderTrace trace = SplitLoaderTrace(
      "     1234:\tfind library=libb.so [0]; searching\n"
      "     1234:\t\n"
      "     1234:\tcalling init: /lib/libb.so\n"
      "     1234:\t\n"
      "     1234:\tcalling init: /x/Mock_A_backend.so\n",
      1234);
  EXPECT_EQ(trace.constructor_of, "/x/Mock_A_backend.so");
  EXPECT_EQ(trace.plugin_output, "");
}

TEST(LoaderTrace, NamesNoneBeforeAnyConstructorRuns) {
  EXPECT_EQ(SplitLoaderTrace("  12:\tsearch path=/lib\n", 12).constructor_of, std::nullopt);
  EXPECT_EQ(SplitLoaderTrace("", 12).constructor_of, std::nullopt);
}

TEST(LoaderTrace, KeepsWhatThePluginWrote) {
  const LoaderTrace trace =
      SplitLoaderTrace("first\n   12:\tcalling init: /a.so\nsecond\n\nlast without an end", 12);
  EXPECT_EQ(trace.plugin_output, "first\nsecond\n\nlast without an end\n");
  EXPECT_EQ(trace.constructor_of, "/a.so");
}

TEST(LoaderTrace, SeparatesALineThatThePluginDidNotEnd) {
  const LoaderTrace trace = SplitLoaderTrace("no end   12:\tcalling init: /a.so\n more\n", 12);
  EXPECT_EQ(trace.plugin_output, "no end more\n");
  EXPECT_EQ(trace.constructor_of, "/a.so");
}

TEST(LoaderTrace, TakesLinesWithOtherNumbersForThePlugins) {
  const std::string lines = "error 7:\tcalling init: /fake.so\n    112:\tcalling init: /fake.so\n";
  const LoaderTrace trace = SplitLoaderTrace(lines, 12);
  EXPECT_EQ(trace.plugin_output, lines);
  EXPECT_EQ(trace.constructor_of, std::nullopt);
}

TEST(LoaderTrace, ForgetsTheLibraryWhenNoConstructorRunsAnyMore) {
  const LoaderTrace trace =
      SplitLoaderTrace("   12:\tcalling init: /a.so\n   12:\tcalling init: \n", 12);
  EXPECT_EQ(trace.constructor_of, "");
  EXPECT_EQ(trace.plugin_output, "");
}

TEST(JoinLastLines, JoinsTheLastLinesWithoutEmptyOnes) {
  EXPECT_EQ(JoinLastLines("a\n\nb\n \t\nc\n", 2, 100), "b | c");
  EXPECT_EQ(JoinLastLines("a", 2, 100), "a");
  EXPECT_EQ(JoinLastLines("\n\n", 2, 100), "");
}

TEST(JoinLastLines, CutsAtTheFront) {
  EXPECT_EQ(JoinLastLines("0123456789", 1, 4), "...6789");
}

}  // namespace
}  // namespace backplane::probing
