#include "spawn/output_tail.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fcntl.h>
#include <unistd.h>

namespace backplane::probing {
namespace {

using ::testing::EndsWith;
using ::testing::StartsWith;
using wire::FileDescriptor;

class OutputTailTest : public ::testing::Test {
 protected:
  spawn::OutputTail MakeTail(spawn::OutputTail::LookAt look_at = nullptr) {
    int ends[2] = {-1, -1};
    EXPECT_EQ(pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
    write_ = FileDescriptor(ends[1]);
    return spawn::OutputTail(FileDescriptor(ends[0]), std::move(look_at));
  }

  /// Writes and drains in turn, so that the pipe never fills up.
  void Put(spawn::OutputTail& tail, const std::string& text) {
    for (std::size_t at = 0; at < text.size(); at += 4096) {
      const std::string part = text.substr(at, 4096);
      ASSERT_EQ(write(write_.Get(), part.data(), part.size()), static_cast<ssize_t>(part.size()));
      tail.Drain();
    }
  }

  FileDescriptor write_;
};

TEST_F(OutputTailTest, KeepsAllOfAShortText) {
  spawn::OutputTail tail = MakeTail();
  Put(tail, "one\ntwo");
  EXPECT_EQ(tail.GetNumBytes(), 7U);
  EXPECT_EQ(tail.GetStart(), "one\ntwo");
  EXPECT_EQ(tail.GetEnd(), "one\ntwo");
}

TEST_F(OutputTailTest, DoesNotWaitForMore) {
  spawn::OutputTail tail = MakeTail();
  tail.Drain();
  EXPECT_EQ(tail.GetNumBytes(), 0U);
  EXPECT_GE(tail.GetDescriptor(), 0);
}

TEST_F(OutputTailTest, ClosesItsEndWhenTheOtherIsClosed) {
  spawn::OutputTail tail = MakeTail();
  write_ = FileDescriptor();
  tail.Drain();
  EXPECT_EQ(tail.GetDescriptor(), -1);
  tail.Drain();
}

TEST_F(OutputTailTest, KeepsTheBeginningAndTheEndOfALongTextInWholeLines) {
  spawn::OutputTail tail = MakeTail();
  std::string text = "the beginning\n";
  for (int i = 0; i < 100'000; ++i) text += "line " + std::to_string(i) + '\n';
  Put(tail, text);
  EXPECT_EQ(tail.GetNumBytes(), text.size());
  EXPECT_THAT(tail.GetStart(), StartsWith("the beginning\nline 0\n"));
  EXPECT_LT(tail.GetEnd().size(), std::size_t{256} * 1024);
  EXPECT_THAT(tail.GetEnd(), StartsWith("line "));
  EXPECT_THAT(tail.GetEnd(), EndsWith("line 99999\n"));
}

TEST_F(OutputTailTest, ShowsWhatIsNotKeptInWholeLines) {
  std::string seen;
  spawn::OutputTail tail = MakeTail([&](std::string_view dropped) {
    EXPECT_EQ(dropped.back(), '\n');
    seen += dropped;
  });
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "line " + std::to_string(i) + '\n';
  Put(tail, text);
  EXPECT_EQ(seen + tail.GetEnd(), text);
}

TEST_F(OutputTailTest, IsBoundedWithoutLines) {
  spawn::OutputTail tail = MakeTail();
  Put(tail, std::string(1'000'000, 'x'));
  EXPECT_EQ(tail.GetNumBytes(), 1'000'000U);
  EXPECT_LT(tail.GetEnd().size(), std::size_t{256} * 1024);
}

}  // namespace
}  // namespace backplane::probing
