/// Objects that the application keeps until the process ends: they are destroyed after main, and
/// after what was first used in it, the backends' own statics too. Backends and the core may still
/// log then.

#include "complete_objects.hpp"
#include "mock_network.hpp"
#include "mock_watch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace backplane::test {
namespace {

using ::testing::ExitedWithCode;
using ::testing::HasSubstr;

/// Made before main, so destroyed after everything else.
struct Globals {
  std::shared_ptr<const IOptimizedNetwork> network;
  std::shared_ptr<IRuntime> runtime;
  std::shared_ptr<const BackendRegistry> registry;
  std::unique_ptr<CompleteObjects> objects;
};

Globals globals;

class ProcessEndDeathTest : public ::testing::Test {
 protected:
  void LoadFold() const {
    globals.runtime = CreateRuntime(GetMockRow("Complete").folder);
    globals.network = Optimize(*MakeFold(), {"MockComplete"}, globals.runtime->GetDeviceSpec());
    globals.runtime->LoadNetwork(globals.network);
  }

  std::ptrdiff_t Count(const std::string& event) const {
    const std::vector<std::string> record = watch_.GetRecord();
    return std::count(record.begin(), record.end(), event);
  }

  MockWatch watch_;
  HostSide host_;
};

TEST_F(ProcessEndDeathTest, ARuntimeMayLastUntilThen) {
  EXPECT_EXIT(
      {
        LoadFold();
        std::exit(0);
      },
      ExitedWithCode(0), "");
  EXPECT_EQ(Count("~IWorkload"), 1);
  EXPECT_EQ(Count("~IBackendContext"), 1);
}

TEST_F(ProcessEndDeathTest, ARuntimeMayLogThen) {
  EXPECT_EXIT(
      {
        LoadFold();
        watch_.Throw("AfterUnload", Thrown::kOwn);
        std::exit(0);
      },
      ExitedWithCode(0), "");
  EXPECT_THAT(watch_.GetLog(), HasSubstr("IBackendContext::OnNetworkEvent"));
  EXPECT_THAT(watch_.GetLog(), HasSubstr("after unloading"));
}

TEST_F(ProcessEndDeathTest, ARegistryMayLastUntilThen) {
  EXPECT_EXIT(
      {
        LoadFold();
        globals.registry = globals.runtime->GetDeviceSpec().ShareRegistry();
        globals.runtime.reset();
        std::exit(0);
      },
      ExitedWithCode(0), "");
}

TEST_F(ProcessEndDeathTest, ObjectsOfBackendsMayLastUntilThen) {
  EXPECT_EXIT(
      {
        globals.objects = std::make_unique<CompleteObjects>(host_);
        std::exit(0);
      },
      ExitedWithCode(0), "");
  EXPECT_EQ(Count("~ITensorHandle"), 1);
}

// Leaving without destroying anything is the application's right too.
TEST_F(ProcessEndDeathTest, EverythingMayBeLeftAsItIs) {
  EXPECT_EXIT(
      {
        LoadFold();
        std::_Exit(0);
      },
      ExitedWithCode(0), "");
}

}  // namespace
}  // namespace backplane::test
