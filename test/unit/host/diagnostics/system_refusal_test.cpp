#include <backplane/host/shared_memory.hpp>
#include <backplane/host/system_refusal.hpp>

#include "support/sanitized.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace backplane {
namespace {

using ::testing::HasSubstr;

/// What is refused under a limit: in a process of its own, which ends with 0 when that is told.
struct LimitRow {
  const char* name;
  __rlimit_resource_t limited;
  rlim_t limit;
  int error;                       // what the system gives then
  std::vector<std::string> found;  // words of it
  std::vector<std::string> cure;
};

const LimitRow kRows[] = {
    {"Addresses",
     RLIMIT_AS,
     rlim_t{1} << 36U,
     ENOMEM,
     {"RLIMIT_AS allows 67108864 KiB of addresses"},
     {"raise RLIMIT_AS", "ulimit -v", "LimitAS="}},
    {"Data",
     RLIMIT_DATA,
     rlim_t{1} << 36U,
     ENOMEM,
     {"RLIMIT_DATA allows 67108864 KiB of data"},
     {"raise RLIMIT_DATA", "ulimit -d", "LimitDATA="}},
    {"Descriptors",
     RLIMIT_NOFILE,
     40,
     EMFILE,
     {"RLIMIT_NOFILE allows 40 open files"},
     {"raise RLIMIT_NOFILE", "ulimit -n", "LimitNOFILE="}},
    {"Threads",
     RLIMIT_NPROC,
     700,
     EAGAIN,
     {"RLIMIT_NPROC allows this user 700 threads"},
     {"RLIMIT_NPROC", "ulimit -u", "LimitNPROC="}},
};

[[noreturn]] void CheckAndEnd(const LimitRow& row, const std::function<std::string()>& check) {
  const rlimit limit{row.limit, row.limit};
  const std::string fault = setrlimit(row.limited, &limit) == 0 ? check() : "the limit is not set";
  std::fprintf(stderr, "%s\n", fault.c_str());
  std::_Exit(fault.empty() ? 0 : 1);
}

/// Runs in a process of its own, under the limit; `check` fails by its text.
void ExpectUnder(const LimitRow& row, const std::function<std::string()>& check) {
  EXPECT_EXIT(CheckAndEnd(row, check), testing::ExitedWithCode(0), "") << row.name;
}

std::string FindMissing(const std::string& text, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (text.find(word) == std::string::npos) return "\"" + word + "\" is not in: " + text;
  }
  return "";
}

TEST(SystemRefusal, NamesTheLimitInForceAndHowToRaiseIt) {
  if (test::HasAddressSanitizer() || test::HasThreadSanitizer()) {
    GTEST_SKIP() << "sanitizers need more addresses";
  }
  for (const LimitRow& row : kRows) {
    ExpectUnder(row, [&]() -> std::string {
      const auto refusal = ExplainRefusal(row.error);
      if (!refusal) return "nothing is told";
      const std::string missing = FindMissing(refusal->found, row.found);
      return missing.empty() ? FindMissing(refusal->cure, row.cure) : missing;
    });
  }
}

TEST(SystemRefusal, TellsNothingOfOtherErrors) {
  for (const int error : {0, ENOENT, EACCES, EINVAL}) EXPECT_FALSE(ExplainRefusal(error)) << error;
}

TEST(SystemRefusal, TellsWhatTheMachineHasWhereNothingIsLimited) {
  rlimit addresses{};
  rlimit data{};
  getrlimit(RLIMIT_AS, &addresses);
  getrlimit(RLIMIT_DATA, &data);
  if (addresses.rlim_cur != RLIM_INFINITY || data.rlim_cur != RLIM_INFINITY) {
    GTEST_SKIP() << "memory is limited here";
  }
  const Diagnostic diagnostic = DescribeOutOfMemory("nothing could be done");
  EXPECT_EQ(diagnostic.code, DiagnosticCode::kOutOfMemory);
  EXPECT_EQ(diagnostic.what, "nothing could be done");
  EXPECT_THAT(diagnostic.why, HasSubstr(" KiB of memory"));
  EXPECT_THAT(diagnostic.fix, HasSubstr("free memory"));
}

TEST(SharedMemory, NamesWhatRefusedIt) {
  if (test::HasAddressSanitizer() || test::HasThreadSanitizer()) {
    GTEST_SKIP() << "sanitizers need more addresses";
  }
  const auto allocate = [](std::uint64_t size_bytes, const std::vector<std::string>& words) {
    try {
      AllocateSharedMemory(size_bytes);
    } catch (const DiagnosticException& exception) {
      const bool is_memory = exception.GetDiagnostic().code == DiagnosticCode::kOutOfMemory;
      return is_memory ? FindMissing(exception.what(), words) : std::string(exception.what());
    }
    return std::string("it was not refused");
  };
  ExpectUnder(kRows[0], [&] {
    return allocate(std::uint64_t{1} << 40U, {"asked for 1099511627776 bytes", "RLIMIT_AS"});
  });
  ExpectUnder(kRows[2], [&] {
    while (dup(STDERR_FILENO) >= 0) continue;
    return allocate(4096, {"asked for 4096 bytes", "RLIMIT_NOFILE allows 40", "ulimit -n"});
  });
}

}  // namespace
}  // namespace backplane
