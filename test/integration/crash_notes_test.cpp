/// What a process says of itself when a backend ends it: the signal or the exit, and in which layer
/// and backend each thread was.

#include "misbehaving_process.hpp"
#include "support/sanitized.hpp"
#include "support/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <ostream>
#include <string>

namespace backplane::test {
namespace {

using ::testing::HasSubstr;

/// What is done where, and how the process ends.
struct NotedDeath {
  const char* deed;
  const char* place;
  int signal;  // 0: it ends by exit
  const char* words;
};

std::string GetLayer(const NotedDeath& death) {
  return std::string(death.deed) + " in " + death.place;
}

void PrintTo(const NotedDeath& death, std::ostream* stream) {
  *stream << GetLayer(death);
}

std::string GetTestName(const ::testing::TestParamInfo<NotedDeath>& info) {
  return std::string(info.param.deed) + "_" + info.param.place;
}

std::string GetRow(const NotedDeath& death) {
  return std::string(death.place) == "map" ? "MisbehavesInMap" : "Misbehaves";
}

/// A run as a note tells of it.
std::string DescribeRun(const std::string& layer) {
  return "was in layer \"" + layer +
         "\" (Activation) of network \"chain\" on backend \"MockMisbehaves\"";
}

/// Where the thread was that did it.
std::string DescribePlace(const NotedDeath& death) {
  const std::string place = death.place;
  const std::string layer = "layer \"" + GetLayer(death) + "\" (Activation)";
  const std::string backend = "was in backend \"MockMisbehaves\", which ";
  if (place == "support") return backend + "was asked whether it supports " + layer;
  if (place == "compile") return backend + "was offered ";
  if (place == "load") return backend + "made the workload of " + layer + " of network \"chain\"";
  if (place == "execute") return DescribeRun(GetLayer(death));
  if (place == "map") {
    return "was at output \"y\" of network \"chain\", in memory of backend "
           "\"MockMisbehavesInMap\"";
  }
  return "was in no run and no call that is noted; a backend may have started it";
}

class NotedDeaths : public ::testing::TestWithParam<NotedDeath> {
 protected:
  TemporaryDirectory directory_;
};
INSTANTIATE_TEST_SUITE_P(
    Table, NotedDeaths,
    ::testing::Values(
        NotedDeath{"Segfault", "support", SIGSEGV, "SIGSEGV at address 0x10"},
        NotedDeath{"Abort", "support", SIGABRT, "SIGABRT, raised in this process"},
        NotedDeath{"Exit", "support", 0, "ends by exit"},
        NotedDeath{"OverflowStack", "support", SIGSEGV, "its stack is used up"},
        NotedDeath{"Segfault", "compile", SIGSEGV, "SIGSEGV at address 0x10"},
        NotedDeath{"Abort", "compile", SIGABRT, "SIGABRT, raised in this process"},
        NotedDeath{"ThrowInNoexcept", "compile", SIGABRT, "SIGABRT, raised in this process"},
        NotedDeath{"Exit", "compile", 0, "ends by exit"},
        NotedDeath{"Segfault", "load", SIGSEGV, "SIGSEGV at address 0x10"},
        NotedDeath{"DivideByZero", "load", SIGFPE, "SIGFPE at address"},
        NotedDeath{"Exit", "load", 0, "ends by exit"},
        NotedDeath{"Segfault", "map", SIGSEGV, "SIGSEGV at address 0x10"},
        NotedDeath{"Abort", "map", SIGABRT, "SIGABRT, raised in this process"},
        NotedDeath{"Exit", "map", 0, "ends by exit"},
        NotedDeath{"Segfault", "execute", SIGSEGV, "SIGSEGV at address 0x10"},
        NotedDeath{"Abort", "execute", SIGABRT, "SIGABRT, raised in this process"},
        NotedDeath{"IllegalInstruction", "execute", SIGILL, "SIGILL at address"},
        NotedDeath{"BusError", "execute", SIGBUS, "SIGBUS at address"},
        NotedDeath{"DivideByZero", "execute", SIGFPE, "SIGFPE at address"},
        NotedDeath{"OverflowStack", "execute", SIGSEGV, "its stack is used up"},
        NotedDeath{"ThrowInNoexcept", "execute", SIGABRT, "SIGABRT, raised in this process"},
        NotedDeath{"WriteManyErrors", "execute", SIGSEGV, "SIGSEGV at address 0x10"},
        NotedDeath{"Exit", "execute", 0, "ends by exit"},
        NotedDeath{"Segfault", "thread", SIGSEGV, "SIGSEGV at address 0x10"},
        NotedDeath{"Abort", "thread", SIGABRT, "SIGABRT, raised in this process"},
        NotedDeath{"IllegalInstruction", "thread", SIGILL, "SIGILL at address"},
        NotedDeath{"BusError", "thread", SIGBUS, "SIGBUS at address"},
        NotedDeath{"DivideByZero", "thread", SIGFPE, "SIGFPE at address"},
        NotedDeath{"Throw", "thread", SIGABRT, "SIGABRT, raised in this process"},
        NotedDeath{"Exit", "thread", 0, "ends by exit"}),
    GetTestName);

// The same words in standard error and in the file, and the end is what it would have been.
TEST_P(NotedDeaths, NameLayerAndBackend) {
  const NotedDeath& death = GetParam();
  const std::string file = directory_ / "notes";
  const EndOfProcess end = RunInForked([&] {
    const auto runtime = CreateNotedRuntime(GetRow(death), file);
    const NetworkId network = LoadReluChain(*runtime, GetRow(death), {"before", GetLayer(death)});
    RunReluChain(*runtime, network, 7);
    RunReluChain(*runtime, network, kCueOfMisbehaving);
  });
  const std::string note = ReadWholeFile(file);
  for (const std::string& text : {end.err, note}) {
    EXPECT_THAT(text, HasSubstr(death.words));
    EXPECT_THAT(text, HasSubstr(DescribePlace(death)));
  }
  if (death.signal != 0) {
    EXPECT_THAT(note, HasSubstr("Mock_" + GetRow(death) + "_backend.so\n")) << "the library";
  }
  if (std::string(death.place) == "thread") {
    EXPECT_THAT(note, HasSubstr(DescribeRun(GetLayer(death)))) << "the run that waits for it";
  }
  // Sanitizers end a process in their own way.
  if (HasAddressSanitizer() || HasThreadSanitizer()) return;
  EXPECT_EQ(end.signal, death.signal) << end.err;
  EXPECT_EQ(end.exit_code, death.signal == 0 ? 0 : -1);
}

/// A backend that crashes while its runtime goes, and where its thread is then.
struct NotedDestruction {
  const char* row;
  const char* place;
};

class NotedDestructions : public ::testing::TestWithParam<NotedDestruction> {};
INSTANTIATE_TEST_SUITE_P(
    Table, NotedDestructions,
    ::testing::Values(
        NotedDestruction{"CrashInContextDestructor",
                         "was in backend \"MockCrashInContextDestructor\", of which an object was "
                         "destroyed"},
        NotedDestruction{"CrashInBackendDestructor",
                         "was in backend \"MockCrashInBackendDestructor\", of which an object was "
                         "destroyed"},
        NotedDestruction{"CrashAtClosing", "Mock_CrashAtClosing_backend.so, which was closed"}),
    [](const auto& row) { return std::string(row.param.row); });

TEST_P(NotedDestructions, NameTheBackend) {
  const EndOfProcess end = RunInForked([] { CreateNotedRuntime(GetParam().row); });
  EXPECT_THAT(end.err, HasSubstr("SIGSEGV at address 0x10"));
  EXPECT_THAT(end.err, HasSubstr(GetParam().place));
}

}  // namespace
}  // namespace backplane::test
