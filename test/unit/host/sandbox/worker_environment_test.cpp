#include "sandbox/worker_environment.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace backplane::sandbox {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(WorkerEnvironment, HasWhatBackendsNeedAndWhatIsPassed) {
  const char* const environment[] = {"HOME=/u",
                                     "LC_ALL=C",
                                     "LC=x",
                                     "OMP_NUM_THREADS=2",
                                     "SECRET=s",
                                     "ACME_A=1",
                                     "ACME=2",
                                     "EXACT=3",
                                     "EXACTLY=4",
                                     "LD_DEBUG=all",
                                     "LD_LIBRARY_PATH=/l",
                                     "AWS_KEY=k",
                                     "BACKPLANE_LOG=x",
                                     "NOVALUE",
                                     nullptr};
  EXPECT_THAT(MakeWorkerEnvironment(environment, {"ACME_*", "EXACT", ""}, false),
              ElementsAre("HOME=/u", "LC_ALL=C", "OMP_NUM_THREADS=2", "ACME_A=1", "EXACT=3",
                          "LD_LIBRARY_PATH=/l"));
}

TEST(WorkerEnvironment, CanHaveEverythingButWhatTheLoaderWouldTell) {
  const char* const environment[] = {"A=1", "LD_DEBUG=all", "LD_DEBUG_OUTPUT=/x", "B=2", nullptr};
  EXPECT_THAT(MakeWorkerEnvironment(environment, {"*"}, false), ElementsAre("A=1", "B=2"));
}

TEST(WorkerEnvironment, MayBeEmpty) {
  EXPECT_THAT(MakeWorkerEnvironment(nullptr, {"*"}, false), IsEmpty());
}

TEST(WorkerEnvironment, BindsNoThreadsInASandbox) {
  const char* const environment[] = {"OMP_PROC_BIND=true", "GOMP_CPU_AFFINITY=0",
                                     "OMP_NUM_THREADS=2", "OMP_PLACES=cores", nullptr};
  EXPECT_EQ(MakeWorkerEnvironment(environment, {}, false).size(), 4U);
  EXPECT_THAT(MakeWorkerEnvironment(environment, {}, true), ElementsAre("OMP_NUM_THREADS=2"));
  EXPECT_THAT(MakeWorkerEnvironment(environment, {"OMP_PLACES"}, true),
              ElementsAre("OMP_NUM_THREADS=2", "OMP_PLACES=cores"));
}

}  // namespace
}  // namespace backplane::sandbox
