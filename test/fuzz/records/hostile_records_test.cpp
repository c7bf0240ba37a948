/// Whatever the process of a backend writes, and whatever lies in a directory of verdicts, reading
/// it ends, and what is taken is whole. A fixed number of mutants; fuzz_records takes more.

#include "read_record.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <random>
#include <string>
#include <vector>

namespace backplane::fuzz {
namespace {

using Json = nlohmann::json;

constexpr int kMutantsOfEach = 3000;

/// Parts of records, so that mutants say something else instead of nothing.
const std::vector<std::string>& GetWords() {
  static const std::vector<std::string> words = {"0",
                                                 "1",
                                                 "3",
                                                 "8",
                                                 "99",
                                                 "-1",
                                                 "null",
                                                 "true",
                                                 "{}",
                                                 "[]",
                                                 "\"\"",
                                                 "18446744073709551616",
                                                 "1e99",
                                                 "\"id\":",
                                                 "\"status\":0",
                                                 "\"stage\":10",
                                                 "\"identity\":null",
                                                 "\"stages\":[]",
                                                 "\"diagnostics\":[]",
                                                 "\"severity\":2",
                                                 "\xff",
                                                 std::string("\0", 1),
                                                 "[[[[[[[[",
                                                 "}"};
  return words;
}

std::string Mutate(std::string record, std::mt19937& random) {
  const auto pick = [&](std::size_t count) { return random() % count; };
  const int num_changes = 1 + static_cast<int>(pick(3));
  for (int change = 0; change < num_changes && !record.empty(); ++change) {
    const std::size_t position = pick(record.size());
    const std::size_t length = pick(std::min<std::size_t>(record.size() - position, 24) + 1);
    switch (pick(4)) {
      case 0:
        record[position] = static_cast<char>(random());
        break;
      case 1:
        record.replace(position, length, GetWords()[pick(GetWords().size())]);
        break;
      case 2:
        record.insert(position, record.substr(pick(record.size()), 24));
        break;
      default:
        record.erase(position, length);
    }
  }
  return record;
}

/// Up to three of its values become others.
Json MutateValues(const Json& record, std::mt19937& random) {
  static const std::vector<Json> kValues = {0,  1,          2,     3,    8,       10, 99,
                                            -1, 4294967296, 1e300, true, nullptr, "", "x"};
  Json flat = record.flatten();
  for (std::size_t change = random() % 3; change < 3; ++change) {
    auto value = flat.begin();
    std::advance(value, random() % flat.size());
    *value = kValues[random() % kValues.size()];
  }
  return flat.unflatten();
}

TEST(HostileRecords, GoodOnesAreTaken) {
  for (const std::string& record : MakeGoodRecords()) {
    const ReadRecords read = ReadAsEveryRecord(record);
    EXPECT_GE(read.num_whole, 1U) << record;
    EXPECT_EQ(read.fault, "") << record;
  }
}

TEST(HostileRecords, MayHaveAnyBytesChanged) {
  std::mt19937 random(18);
  std::size_t num_taken = 0;
  for (const std::string& record : MakeGoodRecords()) {
    for (int i = 0; i < kMutantsOfEach; ++i) {
      const std::string mutant = Mutate(record, random);
      const ReadRecords read = ReadAsEveryRecord(mutant);
      ASSERT_EQ(read.fault, "") << mutant;
      num_taken += read.num_whole;
    }
  }
  EXPECT_GT(num_taken, 0U) << "all mutants were refused for their syntax";
}

// Bytes changed at random seldom leave a record that can be read; values do.
TEST(HostileRecords, MayHaveAnyValuesChanged) {
  std::mt19937 random(18);
  std::size_t num_taken = 0;
  for (const std::string& record : MakeGoodRecords()) {
    const Json json = Json::parse(record, nullptr, false);
    if (json.is_discarded()) continue;
    for (int i = 0; i < kMutantsOfEach; ++i) {
      const std::string mutant = MutateValues(json, random).dump();
      const ReadRecords read = ReadAsEveryRecord(mutant);
      ASSERT_EQ(read.fault, "") << mutant;
      num_taken += read.num_whole;
    }
  }
  EXPECT_GT(num_taken, 0U) << "no mutant was read";
}

TEST(HostileRecords, MayEndAnywhere) {
  for (const std::string& record : MakeGoodRecords()) {
    for (std::size_t size = 0; size < record.size(); ++size) {
      ASSERT_EQ(ReadAsEveryRecord(record.substr(0, size)).fault, "") << size;
    }
  }
}

}  // namespace
}  // namespace backplane::fuzz
