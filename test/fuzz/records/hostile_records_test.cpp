/// Whatever the process of a backend writes, and whatever lies in a directory of verdicts, reading
/// it ends, and what is taken is whole. A fixed number of mutants; fuzz_records takes more.

#include "read_record.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <random>
#include <string>

namespace backplane::fuzz {
namespace {

constexpr int kMutantsOfEach = 10'000;

constexpr std::int64_t kNumbers[] = {0, 1, 2, 3, 8, 10, 99, -1, 255, 4294967296, INT64_MAX};

/// A number in as many bytes as fields have.
std::string MakeNumber(std::mt19937& random) {
  constexpr std::size_t kSizes[] = {1, 4, 8};
  const std::int64_t number = kNumbers[random() % std::size(kNumbers)];
  return {reinterpret_cast<const char*>(&number), kSizes[random() % std::size(kSizes)]};
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
        record.replace(position, length, MakeNumber(random));
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

/// Up to three numbers are written over it.
std::string MutateValues(std::string record, std::mt19937& random) {
  for (std::size_t change = random() % 3; change < 3; ++change) {
    const std::string number = MakeNumber(random);
    const std::size_t position = random() % (record.size() - number.size());
    record.replace(position, number.size(), number);
  }
  return record;
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
      const ReadRecords read = ReadAsEveryRecord(Mutate(record, random));
      ASSERT_EQ(read.fault, "") << i;
      num_taken += read.num_whole;
    }
  }
  EXPECT_GT(num_taken, 0U) << "all mutants were refused";
}

// Bytes that are moved seldom leave a record that can be read; values in their places do.
TEST(HostileRecords, MayHaveAnyValuesChanged) {
  std::mt19937 random(18);
  for (const std::string& record : MakeGoodRecords()) {
    std::size_t num_taken = 0;
    for (int i = 0; i < kMutantsOfEach; ++i) {
      const ReadRecords read = ReadAsEveryRecord(MutateValues(record, random));
      ASSERT_EQ(read.fault, "") << i;
      num_taken += read.num_whole;
    }
    EXPECT_GT(num_taken, 0U) << "no mutant was read";
  }
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
