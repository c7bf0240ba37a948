/// Backends in processes of their own, of an application that forks.

#include "isolated_runtime.hpp"
#include "support/forked_child.hpp"
#include "support/sanitized.hpp"

#include <gmock/gmock.h>

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>

namespace backplane::test {
namespace {

using ::testing::HasSubstr;
constexpr auto kForEver = std::chrono::steady_clock::time_point::max();

/// Fails the test unless it says which backend belongs to which process, and what to do.
void ExpectForked(const std::optional<Diagnostic>& told, const std::string& backend, pid_t owner) {
  ASSERT_TRUE(told);
  EXPECT_EQ(told->code, DiagnosticCode::kForked) << ToText(*told);
  EXPECT_EQ(told->subject.name, backend);
  EXPECT_THAT(told->what, HasSubstr("process " + std::to_string(getpid())));
  EXPECT_THAT(told->why, HasSubstr("process " + std::to_string(owner)));
  EXPECT_THAT(told->fix, HasSubstr("another runtime"));
}

template <typename Action>
void ExpectThrowsForked(const Action& action, const std::string& backend, pid_t owner) {
  try {
    action();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const DiagnosticException& exception) {
    ExpectForked(exception.GetDiagnostic(), backend, owner);
  }
}

/// What the parent uses beside its children.
class IsolatedForks : public ::testing::Test {
 protected:
  void SetUp() override {
    if (HasThreadSanitizer()) GTEST_SKIP() << "it lets no child of several threads start one";
    runtime_ = std::make_unique<IsolatedRuntime>();
    optimized_ = runtime_->OptimizeChain({"a", "b"});
    network_ = (*runtime_)->LoadNetwork(optimized_);
    runtime_->ExpectRight(network_);
  }

  void ExpectParentIsWell() {
    for (int i = 0; i < 20; ++i) runtime_->ExpectRight(network_, static_cast<float>(20 + i));
    EXPECT_EQ(runtime_->GetProcess().GetNumStarts(), 1U);
  }

  void ExpectRefused() {
    const IsolatedRun run = runtime_->Run(network_, 7);
    EXPECT_EQ(run.status, Status::kFailure);
    ExpectForked(run.failure, runtime_->GetId(), owner_);
  }

  const pid_t owner_ = getpid();
  std::unique_ptr<IsolatedRuntime> runtime_;
  std::shared_ptr<const IOptimizedNetwork> optimized_;
  NetworkId network_ = 0;
};

TEST_F(IsolatedForks, RefuseTheChildAndServeTheParent) {
  for (int i = 0; i < 20; ++i) {
    const ForkedChild child([&] {
      ExpectRefused();
      RunOptions bounded;
      bounded.timeout = std::chrono::minutes(1);
      ExpectForked(runtime_->Run(network_, 7, &bounded).failure, runtime_->GetId(), owner_);
      optimized_.reset();
      runtime_.reset();
    });
    ExpectParentIsWell();
  }
  ExpectParentIsWell();
  EXPECT_EQ((*runtime_)->Shutdown(kForEver), Status::kSuccess);
}

TEST_F(IsolatedForks, RefuseEveryCallOfTheBackend) {
  const std::shared_ptr<void> memory = (*runtime_)->AllocateTensorMemory(4 * sizeof(float));
  MemoryView view;
  view.data = memory.get();
  view.source = MemorySource::kMalloc;
  view.size_bytes = 4 * sizeof(float);
  const std::string& id = runtime_->GetId();
  {
    const ForkedChild child([&] {
      ExpectThrowsForked([&] { runtime_->OptimizeChain({"a"}); }, id, owner_);
      ExpectThrowsForked([&] { (*runtime_)->LoadNetwork(optimized_); }, id, owner_);
      ExpectThrowsForked([&] { (*runtime_)->ImportTensor(network_, BindingKind::kInput, 0, view); },
                         id, owner_);
      const auto start = runtime_->GetProcess().Start();
      ExpectForked(start ? std::make_optional(*start) : std::nullopt, id, owner_);
      (*runtime_)->UnloadNetwork(network_);
      EXPECT_EQ((*runtime_)->Shutdown(kForEver), Status::kSuccess);
    });
  }
  ExpectParentIsWell();
  const ImportedTensorId imported =
      (*runtime_)->ImportTensor(network_, BindingKind::kInput, 0, view);
  (*runtime_)->ReleaseImportedTensor(network_, imported);
}

TEST_F(IsolatedForks, AreServedByARuntimeOfTheChild) {
  {
    const ForkedChild child([&] {
      IsolatedRuntime own;
      own.ExpectRight(own.Load({"a"}));
      EXPECT_NE(own.GetProcess().GetProcessId(), runtime_->GetProcess().GetProcessId());
      ExpectRefused();
    });
    ExpectParentIsWell();
  }
  ExpectParentIsWell();
}

TEST_F(IsolatedForks, MayExecOrExit) {
  {
    const ForkedChild child([] { execl("/bin/true", "true", nullptr); });
    ExpectParentIsWell();
  }
  static std::atomic<pid_t> exiting{0};
  // Behind the end of the runtime, which is made later.
  std::atexit([] {
    if (exiting == getpid()) _exit(0);
  });
  static std::unique_ptr<IsolatedRuntime> runtime;
  runtime = std::move(runtime_);
  {
    const ForkedChild child([] {
      exiting = getpid();
      std::exit(1);
    });
  }
  runtime_ = std::move(runtime);
  ExpectParentIsWell();
  EXPECT_EQ((*runtime_)->Shutdown(kForEver), Status::kSuccess);
}

}  // namespace
}  // namespace backplane::test
