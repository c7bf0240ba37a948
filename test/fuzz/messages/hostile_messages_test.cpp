/// Whatever bytes a message has, reading it ends, and what is taken is sound. A fixed number of
/// mutants; fuzz_messages takes more.

#include "read_message.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <iterator>
#include <random>
#include <string>

namespace backplane::fuzz {
namespace {

constexpr int kMutantsOfEach = 3000;

std::string Mutate(std::string body, std::mt19937& random) {
  constexpr std::uint64_t kTelling[] = {0,
                                        1,
                                        9,
                                        64,
                                        0xFF,
                                        0x7FFFFFFF,
                                        0xFFFFFFFF,
                                        std::uint64_t{1} << 40U,
                                        std::uint64_t{1} << 63U,
                                        UINT64_MAX};
  const std::size_t num_changes = 1 + random() % 3;
  for (std::size_t change = 0; change < num_changes && body.size() >= 8; ++change) {
    const std::size_t position = random() % (body.size() - 7);
    const std::uint64_t word = kTelling[random() % std::size(kTelling)];
    switch (random() % 3) {
      case 0:
        body[position] = static_cast<char>(random());
        break;
      case 1:
        std::memcpy(&body[position], &word, random() % 2 == 0 ? 4 : 8);
        break;
      default:
        body.resize(position);
    }
  }
  return body;
}

TEST(HostileMessages, MayHaveAnyBytes) {
  std::mt19937 random(7);
  for (const std::string& good : MakeGoodMessages()) {
    EXPECT_EQ(ReadAsEveryMessage(good), "");
    for (int i = 0; i < kMutantsOfEach; ++i) {
      ASSERT_EQ(ReadAsEveryMessage(Mutate(good, random)), "") << i;
    }
  }
}

}  // namespace
}  // namespace backplane::fuzz
