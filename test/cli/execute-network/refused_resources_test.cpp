/// Whatever the system refuses a command is named as that, with the limit and how to raise it.

#include "execute_network_fixture.hpp"
#include "sanitized.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>

namespace backplane::test {
namespace {

namespace fs = std::filesystem;

constexpr char kLimiter[] = "/usr/bin/prlimit";

std::string GetCommand(const std::string& name) {
  return (fs::path(EXECUTE_NETWORK).parent_path() / name).string();
}

struct ResourceRow {
  const char* option;               // of prlimit
  std::uint64_t unit;               // what the option counts, in what the message counts
  std::vector<std::uint64_t> most;  // limits, from one with which the command hardly begins
  const char* limit;                // the name of the limit in the message
  const char* cure;
};

// None of these is why: the file is sound, and its vendor did nothing wrong.
constexpr const char* kFalseCauses[] = {"damaged",        "its vendor",  "terminate called",
                                        "what():",        "get a build", "does not exist",
                                        "another machine"};

std::vector<std::uint64_t> Count(std::uint64_t from, std::uint64_t to, std::uint64_t step) {
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t number = from; number <= to; number += step) numbers.push_back(number);
  return numbers;
}

class RefusedResources : public ExecuteNetwork {
 protected:
  void SetUp() override {
    if (!fs::exists(kLimiter)) GTEST_SKIP() << kLimiter << " is not there";
    if (HasAddressSanitizer() || HasThreadSanitizer()) {
      GTEST_SKIP() << "sanitizers need more than the limits allow";
    }
  }

  static CommandResult RunUnder(const std::string& limit, const std::string& command,
                                const std::vector<std::string>& arguments) {
    std::vector<std::string> all = {limit, command};
    all.insert(all.end(), arguments.begin(), arguments.end());
    // What OpenCL loads ends the process when it is refused memory.
    CommandResult result =
        RunCommand(kLimiter, all, {{"BACKPLANE_DISABLE_BACKENDS=OpenCl"}, "", ""});
    result.err = JoinDiagnosticLines(result.err);
    return result;
  }

  /// Lowers the limit until the command fails; each failure but that of the system's own loader
  /// must name it.
  static void ExpectNamed(const ResourceRow& row, const std::string& command,
                          const std::vector<std::string>& arguments) {
    constexpr int kNotStarted = 127;
    int num_named = 0;
    for (const std::uint64_t most : row.most) {
      const CommandResult result =
          RunUnder(row.option + std::to_string(most * row.unit), command, arguments);
      if (result.exit_code == 0 || result.exit_code == kNotStarted) continue;
      SCOPED_TRACE(row.option + std::to_string(most) + " " + command);
      ExpectContains(result.err + result.out, row.limit + std::to_string(most));
      ExpectContains(result.err + result.out, row.cure);
      for (const char* cause : kFalseCauses) {
        EXPECT_EQ((result.err + result.out).find(cause), std::string::npos)
            << cause << ": " << result.err << result.out;
      }
      ++num_named;
    }
    EXPECT_GT(num_named, 0) << "no limit kept " << command << " from its work";
  }
};

const ResourceRow kAddresses = {"--as=", 1024, Count(16384, 163840, 8192), "RLIMIT_AS allows ",
                                "ulimit -v"};
// Below 2 MiB the system's own loader may crash (init_tls of glibc 2.36).
const ResourceRow kData = {"--data=", 1024, Count(2048, 40960, 3072), "RLIMIT_DATA allows ",
                           "ulimit -d"};
const ResourceRow kFiles = {"--nofile=", 1, Count(4, 30, 1), "RLIMIT_NOFILE allows ", "ulimit -n"};

TEST_F(RefusedResources, OfARunAreNamed) {
  for (const ResourceRow& row : {kAddresses, kData, kFiles}) {
    ExpectNamed(row, EXECUTE_NETWORK, {kModel, "--input", "image=" + kTensor});
  }
}

// The limit of threads does not hold for root.
TEST_F(RefusedResources, OfAThreadAreNamed) {
  const std::vector<std::string> run = {kLimiter,     "--nproc=", EXECUTE_NETWORK, kModel,
                                        "--backends", "CpuRef",   "--run-timeout", "600000"};
  const auto run_as_other = [&](const std::string& limit) {
    std::vector<std::string> arguments = {"--reuid=61234", "--clear-groups"};
    arguments.insert(arguments.end(), run.begin(), run.end());
    arguments[3] += limit;
    CommandResult result = RunCommand("/usr/bin/setpriv", arguments);
    result.err = JoinDiagnosticLines(result.err);
    return result;
  };
  if (geteuid() != 0 || run_as_other("1000").exit_code != 0) {
    GTEST_SKIP() << "takes root, and a build that other users can read";
  }
  const CommandResult result = run_as_other("1");
  EXPECT_EQ(result.exit_code, 2) << result.err;
  ExpectContains(result.err, "RLIMIT_NPROC allows this user 1 threads");
  ExpectContains(result.err, "ulimit -u");
}

TEST_F(RefusedResources, OfAScanAreNamed) {
  for (const ResourceRow& row : {kAddresses, kData, kFiles}) {
    ExpectNamed(row, GetCommand("list-backends"), {"--probe", "in-process"});
  }
}

}  // namespace
}  // namespace backplane::test
