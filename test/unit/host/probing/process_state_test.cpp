#include "probing/process_state.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

namespace backplane::probing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(ProcessState, OfAnUnchangedProcessDoesNotDiffer) {
  spawn::StatusFile status;
  const StateChanges changes =
      CompareProcessStates(ReadProcessState(status), ReadProcessState(status));
  EXPECT_THAT(changes.changes, IsEmpty());
  EXPECT_THAT(changes.descriptors_left, IsEmpty());
  EXPECT_EQ(changes.num_threads_left, 0U);
}

TEST(ProcessState, SeesADescriptorThatWasLeftOpen) {
  spawn::StatusFile status;
  const ProcessState before = ReadProcessState(status);
  const int descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC);
  const ProcessState after = ReadProcessState(status);
  close(descriptor);
  EXPECT_THAT(CompareProcessStates(before, after).descriptors_left,
              ElementsAre(std::to_string(descriptor) + " (/dev/null)"));
  EXPECT_THAT(CompareProcessStates(after, before).changes,
              ElementsAre(AllOf(HasSubstr("(/dev/null)"), HasSubstr("which it closed"))));
}

TEST(ProcessState, SeesTheUmask) {
  spawn::StatusFile status;
  const ProcessState before = ReadProcessState(status);
  const mode_t mask = umask(0);
  const ProcessState after = ReadProcessState(status);
  umask(mask);
  EXPECT_THAT(CompareProcessStates(before, after).changes,
              ElementsAre(AllOf(HasSubstr("the umask from"), HasSubstr("to 0000"))));
}

TEST(ProcessState, NamesVariablesAndNeverTheirValues) {
  spawn::StatusFile status;
  setenv("BACKPLANE_TEST_A", "old secret", 1);
  const ProcessState before = ReadProcessState(status);
  setenv("BACKPLANE_TEST_A", "new secret", 1);
  setenv("BACKPLANE_TEST_B", "secret", 1);
  const ProcessState after = ReadProcessState(status);
  unsetenv("BACKPLANE_TEST_A");
  unsetenv("BACKPLANE_TEST_B");
  const ProcessState removed = ReadProcessState(status);
  EXPECT_THAT(CompareProcessStates(before, after).changes,
              ElementsAre("the value of the environment variable BACKPLANE_TEST_A",
                          "the environment variable BACKPLANE_TEST_B, which it set"));
  EXPECT_THAT(CompareProcessStates(before, after).names,
              ElementsAre("the environment variable BACKPLANE_TEST_A",
                          "the environment variable BACKPLANE_TEST_B"));
  EXPECT_THAT(CompareProcessStates(before, removed).changes,
              ElementsAre("the environment variable BACKPLANE_TEST_A, which it removed"));
}

TEST(ProcessState, NamesBlockedSignals) {
  spawn::StatusFile status;
  const ProcessState before = ReadProcessState(status);
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGUSR1, SIGTERM}) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  const ProcessState after = ReadProcessState(status);
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  EXPECT_THAT(CompareProcessStates(before, after).changes,
              ElementsAre("the blocked signals from none to SIGUSR1, SIGTERM"));
}

TEST(ProcessState, ClaimsNothingOfWhatCouldNotBeLookedAt) {
  spawn::StatusFile status;
  const ProcessState before = ReadProcessState(status);
  ProcessState after = before;
  after.are_descriptors_known = false;
  after.descriptors.clear();
  for (WatchedValue& value : after.values) value.value.clear();
  after.num_threads = 0;
  EXPECT_THAT(CompareProcessStates(before, after).changes, IsEmpty());
  EXPECT_THAT(CompareProcessStates(after, before).changes, IsEmpty());
}

TEST(ProcessState, TakesAnotherUserForAnIntrusion) {
  spawn::StatusFile status;
  const ProcessState before = ReadProcessState(status);
  ProcessState after = before;
  for (WatchedValue& value : after.values) {
    if (value.name == std::string("the user ids (real, effective, saved, of files)")) {
      value.value = "1 2 3 4";
    }
  }
  const StateChanges changes = CompareProcessStates(before, after);
  ASSERT_EQ(changes.changes.size(), 1U);
  EXPECT_THAT(changes.changes[0], HasSubstr("to 1 2 3 4"));
  EXPECT_THAT(changes.intrusions, ElementsAre(Intrusion::kCredentials));
}

StateChanges ChangeValue(const std::string& name, const std::string& from, const std::string& to) {
  spawn::StatusFile status;
  ProcessState before = ReadProcessState(status);
  ProcessState after = before;
  for (std::size_t i = 0; i < before.values.size(); ++i) {
    if (before.values[i].name != name) continue;
    before.values[i].value = from;
    after.values[i].value = to;
  }
  return CompareProcessStates(before, after);
}

TEST(ProcessState, TakesALoweredLimitForAnIntrusion) {
  constexpr char kFiles[] = "the limit of open files";
  for (const char* lower : {"3 (at most 4096)", "1024 (at most 2048)"}) {
    EXPECT_THAT(ChangeValue(kFiles, "1024 (at most 4096)", lower).intrusions,
                ElementsAre(Intrusion::kLimits))
        << lower;
  }
  const StateChanges raised = ChangeValue(kFiles, "1024 (at most 4096)", "4096 (at most 4096)");
  EXPECT_EQ(raised.changes.size(), 1U);
  EXPECT_THAT(raised.intrusions, IsEmpty());
  EXPECT_THAT(
      ChangeValue(kFiles, "unlimited (at most unlimited)", "9 (at most unlimited)").intrusions,
      ElementsAre(Intrusion::kLimits));
  EXPECT_THAT(ChangeValue(kFiles, "9 (at most 9)", "unlimited (at most unlimited)").intrusions,
              IsEmpty());
}

TEST(ProcessState, TakesAnotherNamespaceForAnIntrusion) {
  EXPECT_THAT(ChangeValue("the network namespace", "net:[1]", "net:[2]").intrusions,
              ElementsAre(Intrusion::kNamespaces));
}

TEST(ProcessState, NamesSignals) {
  EXPECT_THAT(ChangeValue("SIGPIPE", "default", "ignored").changes,
              ElementsAre("SIGPIPE from default to ignored"));
}

TEST(ProcessState, TakesSignalsForAnIntrusionThatOthersSend) {
  EXPECT_THAT(ChangeValue("SIGFPE", "default", "handled").intrusions, IsEmpty());
  EXPECT_THAT(ChangeValue("SIGTERM", "default", "ignored").intrusions,
              ElementsAre(Intrusion::kSignals));
}

TEST(WatchedValues, AreAllKnownHere) {
  spawn::StatusFile status;
  status.Refresh();
  std::vector<std::string> unknown;
  for (const WatchedValue& value : ReadWatchedValues(status)) {
    if (value.value.empty()) unknown.emplace_back(value.name);
  }
  // Kernels may be built without timers of processes, and sanitizers define malloc in the program.
  EXPECT_THAT(unknown,
              ::testing::IsSubsetOf({"the number of timers", "the libraries that define malloc",
                                     "the filters of system calls (seccomp)"}));
}

TEST(StatusFile, IsReadAnewWhenItsDescriptorIsGone) {
  spawn::StatusFile status;
  status.Refresh();
  const std::string umask = status.Get("Umask");
  EXPECT_FALSE(umask.empty());
  EXPECT_EQ(status.Get("NoSuchName"), "");
  const int nowhere = open("/dev/null", O_RDONLY | O_CLOEXEC);
  dup2(nowhere, status.GetDescriptor());
  close(nowhere);
  status.Refresh();
  EXPECT_EQ(status.Get("Umask"), umask);
}

}  // namespace
}  // namespace backplane::probing
