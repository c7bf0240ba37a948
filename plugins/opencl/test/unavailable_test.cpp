// What a machine without a device that can be used is told.

#include "test/fake_case.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace backplane {
namespace opencl_test {
namespace {

TEST_F(OpenClCase, WithoutItsLibraryIsUnavailable) {
  const std::string why = FindWhyNot({BackendOption("library", "libno-such-opencl.so.1")},
                                     UnavailabilityReason::kDriverMissing);
  ExpectHas(why, "libno-such-opencl.so.1 cannot be opened");
  ExpectHas(why, "install an OpenCL ICD loader");
}

TEST_F(OpenClCase, WithALibraryThatIsNoneIsUnavailable) {
  ExpectHas(
      FindWhyNot({BackendOption("library", "libm.so.6")}, UnavailabilityReason::kDriverTooOld),
      "libm.so.6 has no function clGetPlatformIDs");
}

TEST_F(OpenClDevice, OfAnotherNameIsNotThereAndTheOthersAreNamed) {
  const std::string why =
      FindWhyNot({BackendOption("device", "no such device")}, UnavailabilityReason::kNoDevice);
  ExpectHas(why, "there is no OpenCL device \"no such device\", only platform 0 \"");
  ExpectHas(why, "device 0 \"");
}

TEST_F(OpenClDevice, IsFoundByIndexAndByAPartOfItsName) {
  Open({BackendOption("platform", "0"), BackendOption("device", "0")});
  const std::string all =
      FindWhyNot({BackendOption("device", "9999")}, UnavailabilityReason::kNoDevice);
  const std::size_t begin = all.find("device 0 \"") + 10;
  Open({BackendOption("device", all.substr(begin, 4))});
}

TEST_F(OpenClDevice, SaysThatItDoesNotWorkInAForkedProcess) {
  const pid_t process = fork();
  ASSERT_GE(process, 0);
  if (process == 0) {
    try {
      Open();
    } catch (const std::runtime_error& error) {
      _exit(std::strstr(error.what(), "the process was forked") != nullptr ? 0 : 1);
    }
    _exit(2);
  }
  int status = 0;
  ASSERT_EQ(waitpid(process, &status, 0), process);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_F(OpenClDevice, LeavesSignalsAndTheEnvironmentAsTheyWere) {
  RunRelu(*MakeFactory());
  for (const int signal : {SIGHUP, SIGTERM, SIGUSR1, SIGUSR2, SIGBUS}) {
    struct sigaction action = {};
    ASSERT_EQ(sigaction(signal, nullptr, &action), 0);
    EXPECT_EQ(action.sa_handler, SIG_DFL) << signal;
  }
  EXPECT_EQ(std::getenv("HWLOC_PLUGINS_PATH"), nullptr);
}

TEST_F(FakeOpenCl, WithoutPlatformIsUnavailable) {
  orders_->has_platforms = false;
  ExpectHas(FindWhyNot(UseFake(), UnavailabilityReason::kDriverMissing),
            "found no platform; install a driver");
}

TEST_F(FakeOpenCl, WithoutDeviceIsUnavailable) {
  orders_->has_devices = false;
  ExpectHas(FindWhyNot(UseFake(), UnavailabilityReason::kNoDevice), "no device");
}

TEST_F(FakeOpenCl, OfAnOldDriverIsUnavailable) {
  orders_->version = "OpenCL 1.1 old";
  ExpectHas(FindWhyNot(UseFake(), UnavailabilityReason::kDriverTooOld),
            "has OpenCL 1.1 old, but OpenCL 1.2 is needed");
}

TEST_F(FakeOpenCl, ThatIsNotAvailableIsBusy) {
  orders_->is_available = false;
  ExpectHas(FindWhyNot(UseFake(), UnavailabilityReason::kBusy),
            "is not available (CL_DEVICE_AVAILABLE is false)");
}

TEST_F(FakeOpenCl, WhoseContextIsRefusedIsBusy) {
  Fail("clCreateContext", CL_DEVICE_NOT_AVAILABLE);
  ExpectHas(FindWhyNot(UseFake(), UnavailabilityReason::kBusy), "clCreateContext");
}

}  // namespace
}  // namespace opencl_test
}  // namespace backplane
