#include "probing/process_state.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

namespace backplane::probing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(ProcessState, OfAnUnchangedProcessDoesNotDiffer) {
  const StateChanges changes = CompareProcessStates(ReadProcessState(), ReadProcessState());
  EXPECT_THAT(changes.changes, IsEmpty());
  EXPECT_THAT(changes.descriptors_left, IsEmpty());
  EXPECT_EQ(changes.num_threads_left, 0U);
}

TEST(ProcessState, SeesADescriptorThatWasLeftOpen) {
  const ProcessState before = ReadProcessState();
  const int descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC);
  const ProcessState after = ReadProcessState();
  close(descriptor);
  EXPECT_THAT(CompareProcessStates(before, after).descriptors_left,
              ElementsAre(std::to_string(descriptor) + " (/dev/null)"));
  EXPECT_THAT(CompareProcessStates(after, before).changes,
              ElementsAre(AllOf(HasSubstr("(/dev/null)"), HasSubstr("which it closed"))));
}

TEST(ProcessState, SeesTheUmask) {
  const ProcessState before = ReadProcessState();
  const mode_t mask = umask(0);
  const ProcessState after = ReadProcessState();
  umask(mask);
  EXPECT_THAT(CompareProcessStates(before, after).changes,
              ElementsAre(AllOf(HasSubstr("the umask from"), HasSubstr("to 0000"))));
}

TEST(ProcessState, NamesVariablesAndNeverTheirValues) {
  setenv("BACKPLANE_TEST_A", "old secret", 1);
  const ProcessState before = ReadProcessState();
  setenv("BACKPLANE_TEST_A", "new secret", 1);
  setenv("BACKPLANE_TEST_B", "secret", 1);
  const ProcessState after = ReadProcessState();
  unsetenv("BACKPLANE_TEST_A");
  unsetenv("BACKPLANE_TEST_B");
  const ProcessState removed = ReadProcessState();
  EXPECT_THAT(CompareProcessStates(before, after).changes,
              ElementsAre("the value of the environment variable BACKPLANE_TEST_A",
                          "the environment variable BACKPLANE_TEST_B, which it set"));
  EXPECT_THAT(CompareProcessStates(before, removed).changes,
              ElementsAre("the environment variable BACKPLANE_TEST_A, which it removed"));
}

TEST(ProcessState, NamesSignals) {
  ProcessState before;
  before.signal_actions = {{SIGPIPE, "default"}};
  ProcessState after;
  after.signal_actions = {{SIGPIPE, "ignored"}};
  after.blocked_signals = {SIGUSR1, SIGTERM};
  EXPECT_THAT(CompareProcessStates(before, after).changes,
              ElementsAre("the blocked signals from none to SIGUSR1, SIGTERM",
                          "SIGPIPE from default to ignored"));
}

TEST(ProcessState, ClaimsNothingOfWhatCouldNotBeLookedAt) {
  const ProcessState before = ReadProcessState();
  ProcessState after = before;
  after.are_descriptors_known = false;
  after.descriptors.clear();
  after.umask.clear();
  after.working_directory.clear();
  after.num_threads = 0;
  EXPECT_THAT(CompareProcessStates(before, after).changes, IsEmpty());
}

}  // namespace
}  // namespace backplane::probing
