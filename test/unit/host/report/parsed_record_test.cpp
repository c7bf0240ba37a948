#include "report/parsed_record.hpp"

#include "report/record_texts.hpp"

#include <gtest/gtest.h>

#include <string>

namespace backplane::report {
namespace {

std::string Nest(std::size_t depth) {
  return std::string(depth, '[') + std::string(depth, ']');
}

TEST(ParsedRecord, GivesWhatItReads) {
  const ParsedRecord record(R"({"texts": ["[", "\"{", 3], "more": {"a": null}})");
  EXPECT_EQ(record.Get().at("texts").size(), 3U);
  EXPECT_EQ(record.Get().at("texts").at(1), "\"{");
}

TEST(ParsedRecord, IsNestedNoDeeperThanARecordIs) {
  EXPECT_NO_THROW(ParsedRecord{Nest(64)});
  EXPECT_THROW(ParsedRecord{Nest(65)}, NotARecord);
  EXPECT_THROW(ParsedRecord{Nest(1'000'000)}, NotARecord);
  EXPECT_NO_THROW(ParsedRecord{'"' + std::string(100, '[') + '"'});
}

TEST(ParsedRecord, RefusesOtherText) {
  EXPECT_THROW(ParsedRecord{"no record"}, nlohmann::json::exception);
}

}  // namespace
}  // namespace backplane::report
