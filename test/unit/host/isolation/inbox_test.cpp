#include "wire/channel.hpp"

#include <gtest/gtest.h>

#include <sys/socket.h>
#include <unistd.h>

#include <cstring>

namespace backplane::wire {
namespace {

class InboxTest : public ::testing::Test {
 protected:
  InboxTest() { EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends_), 0); }
  ~InboxTest() override {
    close(ends_[0]);
    CloseOtherSide();
  }
  void CloseOtherSide() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }
  /// The bytes of one message.
  static std::string Encode(std::string_view body) {
    int ends[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    EXPECT_TRUE(Send(ends[0], MessageKind::kNotice, Function::kLogLine, body));
    std::string bytes(4096, 0);
    bytes.resize(static_cast<std::size_t>(read(ends[1], bytes.data(), bytes.size())));
    close(ends[0]);
    close(ends[1]);
    return bytes;
  }
  void Write(std::string_view bytes) {
    EXPECT_EQ(write(ends_[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }
  Found Take() { return inbox_.Take(ends_[0], message_); }

  int ends_[2] = {-1, -1};
  Inbox inbox_;
  Message message_;
};

TEST_F(InboxTest, KeepsWhatHasComeOfAMessageAndNeverWaits) {
  const std::string bytes = Encode("a line");
  for (const char byte : bytes) {
    EXPECT_EQ(Take(), Found::kNotYet);
    Write({&byte, 1});
  }
  EXPECT_EQ(Take(), Found::kMessage);
  EXPECT_EQ(message_.body, "a line");
  EXPECT_EQ(message_.function, Function::kLogLine);
  EXPECT_EQ(Take(), Found::kNotYet);
}

TEST_F(InboxTest, TakesOneOfSeveralAtATime) {
  Write(Encode("one") + Encode("") + Encode("three"));
  for (const char* const body : {"one", "", "three"}) {
    EXPECT_EQ(Take(), Found::kMessage);
    EXPECT_EQ(message_.body, body);
  }
  EXPECT_EQ(Take(), Found::kNotYet);
}

TEST_F(InboxTest, EndsWithTheOtherSideAlsoWithinAMessage) {
  Write(Encode("a line").substr(0, 27));
  EXPECT_EQ(Take(), Found::kNotYet);
  CloseOtherSide();
  EXPECT_EQ(Take(), Found::kOtherSideGone);
}

TEST_F(InboxTest, EndsAtWhatIsNoMessage) {
  Write(std::string(24, 'x'));
  EXPECT_EQ(Take(), Found::kNonsense);
}

TEST_F(InboxTest, EndsAtALengthThatLies) {
  std::string bytes = Encode("a line");
  const std::uint64_t body_bytes = kMaxNoticeBytes + 1;
  std::memcpy(bytes.data() + 16, &body_bytes, sizeof(body_bytes));
  Write(bytes);
  EXPECT_EQ(Take(), Found::kNonsense);
}

}  // namespace
}  // namespace backplane::wire
