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

/// What is done, and how the process ends.
struct NotedDeath {
  const char* deed;
  int signal;  // 0: it ends by exit
  const char* words;
  const char* silent_in = "";  // where the process cannot speak any more, or does not end
};

void PrintTo(const NotedDeath& death, std::ostream* stream) {
  *stream << death.deed;
}

std::string GetRow(const std::string& place) {
  return place == "map" ? "MisbehavesInMap" : "Misbehaves";
}

/// Where the thread was that called the backend.
std::string DescribePlace(const std::string& layer, const std::string& place) {
  const std::string named = "layer \"" + layer + "\" (Activation)";
  const std::string backend = "was in backend \"MockMisbehaves\", which ";
  if (place == "support") return backend + "was asked whether it supports " + named;
  if (place == "compile") return backend + "was offered ";
  if (place == "load") return backend + "made the workload of " + named + " of network \"chain\"";
  if (place == "map") {
    return "was at output \"y\" of network \"chain\", in memory of backend "
           "\"MockMisbehavesInMap\"";
  }
  return "was in " + named + " of network \"chain\" on backend \"MockMisbehaves\"";
}

class NotedDeaths : public ::testing::TestWithParam<NotedDeath> {
 protected:
  void Check(const std::string& place) {
    const NotedDeath& death = GetParam();
    const std::string layer = death.deed + (" in " + place);
    SCOPED_TRACE(layer);
    const TemporaryDirectory directory;
    const std::string file = directory / "notes";
    const EndOfProcess end = RunInForked([&] {
      const auto runtime = CreateNotedRuntime(GetRow(place), file);
      const NetworkId network = LoadReluChain(*runtime, GetRow(place), {"before", layer});
      RunReluChain(*runtime, network, 7);
      RunReluChain(*runtime, network, kCueOfMisbehaving);
    });
    const bool is_in_thread = place == "thread" || layer.find("InThread") != layer.npos;
    const std::string note = ReadWholeFile(file);
    for (const std::string& text : {end.err, note}) {
      EXPECT_THAT(text, HasSubstr(death.words));
      EXPECT_THAT(text, HasSubstr(DescribePlace(layer, place)));
      if (is_in_thread) {
        EXPECT_THAT(text, HasSubstr("was in no run and no call that is noted"));
      }
    }
    if (death.signal != 0) {
      EXPECT_THAT(note, HasSubstr("Mock_" + GetRow(place) + "_backend.so\n")) << "the library";
    }
    // Sanitizers end a process in their own way.
    if (HasAddressSanitizer() || HasThreadSanitizer()) return;
    EXPECT_EQ(end.signal, death.signal) << end.err;
    EXPECT_EQ(end.exit_code, death.signal == 0 ? 0 : -1);
  }
};
INSTANTIATE_TEST_SUITE_P(
    Table, NotedDeaths,
    ::testing::Values(NotedDeath{"Segfault", SIGSEGV, "SIGSEGV at address 0x10"},
                      NotedDeath{"SegfaultInThread", SIGSEGV, "SIGSEGV at address 0x10"},
                      NotedDeath{"Abort", SIGABRT, "SIGABRT, raised in this process"},
                      NotedDeath{"IllegalInstruction", SIGILL, "SIGILL at address"},
                      NotedDeath{"BusError", SIGBUS, "SIGBUS at address"},
                      NotedDeath{"DivideByZero", SIGFPE, "SIGFPE at address"},
                      // No other thread has a stack for that.
                      NotedDeath{"OverflowStack", SIGSEGV, "its stack is used up", "thread"},
                      NotedDeath{"ThrowInNoexcept", SIGABRT, "SIGABRT, raised in this process"},
                      NotedDeath{"ThrowInThread", SIGABRT, "SIGABRT, raised in this process"},
                      NotedDeath{"WriteManyErrors", SIGSEGV, "SIGSEGV at address 0x10"},
                      NotedDeath{"CorruptHeap", SIGABRT, "SIGABRT, raised in this process"},
                      NotedDeath{"Exit", 0, "ends by exit"}),
    [](const auto& death) { return std::string(death.param.deed); });

// The same words in standard error and in the file, and the end is what it would have been.
TEST_P(NotedDeaths, NameLayerAndBackendInEveryPlace) {
  if (std::string(GetParam().deed) == "CorruptHeap" &&
      (HasAddressSanitizer() || HasThreadSanitizer())) {
    GTEST_SKIP() << "the sanitizer ends the process itself";
  }
  for (const std::string place : {"support", "compile", "load", "map", "execute", "thread"}) {
    if (place != GetParam().silent_in) Check(place);
  }
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
