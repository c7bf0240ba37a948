#include "diagnostics/level_table.hpp"

#include <backplane/host/diagnostic.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace backplane::diagnostics {
namespace {

using ::testing::HasSubstr;

TEST(LevelTable, OneLevelHoldsForAllChannels) {
  const LevelTable table = LevelTable::Parse("info");
  EXPECT_TRUE(table.IsEnabled("discovery", LogLevel::kInfo));
  EXPECT_FALSE(table.IsEnabled("discovery", LogLevel::kDebug));
}

TEST(LevelTable, AChannelMayHaveItsOwn) {
  const LevelTable table = LevelTable::Parse("discovery=debug,backend.CpuRef=off,*=warning");
  EXPECT_TRUE(table.IsEnabled("discovery", LogLevel::kDebug));
  EXPECT_FALSE(table.IsEnabled("opening", LogLevel::kInfo));
  EXPECT_TRUE(table.IsEnabled("opening", LogLevel::kWarning));
  EXPECT_FALSE(table.IsEnabled("backend.CpuRef", LogLevel::kError));
  EXPECT_EQ(table.GetLowestLevel(), static_cast<int>(LogLevel::kDebug));
}

TEST(LevelTable, ChannelsNotNamedAreOff) {
  const LevelTable table = LevelTable::Parse("discovery=info");
  EXPECT_FALSE(table.IsEnabled("opening", LogLevel::kError));
}

TEST(LevelTable, RejectsWhatItCannotReadWithTheNearestLevel) {
  try {
    LevelTable::Parse("discovery=debig");
    FAIL() << "expected a DiagnosticException";
  } catch (const DiagnosticException& exception) {
    EXPECT_EQ(exception.GetDiagnostic().code, DiagnosticCode::kInvalidLogSpecification);
    EXPECT_THAT(exception.GetDiagnostic().why, HasSubstr("discovery=debig"));
    EXPECT_THAT(exception.GetDiagnostic().fix, HasSubstr("debug"));
  }
  for (const char* text : {"", "=info", "loud", "info,,debug", "a=b=c"}) {
    EXPECT_THROW(LevelTable::Parse(text), DiagnosticException) << text;
  }
}

}  // namespace
}  // namespace backplane::diagnostics
