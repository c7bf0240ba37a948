#include <backplane/host/late_backend.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace backplane {
namespace {

LateOutcome MakeOutcome(bool has_failed) {
  LateOutcome outcome;
  auto origin = std::make_shared<PluginOrigin>();
  origin->backend_id = "A";
  outcome.registration.origin = std::move(origin);
  outcome.registration.factory = [] { return std::unique_ptr<IBackendInternal>(); };
  outcome.registration.source = "opened";
  if (has_failed) outcome.failure = Diagnostic{DiagnosticCode::kFailedAtFirstUse};
  return outcome;
}

DiagnosticCode OpenAndFail(LateBackend& late) {
  try {
    late.Open();
  } catch (const DiagnosticException& exception) {
    return exception.GetDiagnostic().code;
  }
  ADD_FAILURE() << "it was opened";
  return {};
}

TEST(LateBackend, IsOpenedOnceByManyThreads) {
  std::atomic<int> num_opened{0};
  LateBackend late([&] {
    ++num_opened;
    return MakeOutcome(false);
  });
  EXPECT_EQ(late.GetOutcome(), nullptr);
  EXPECT_FALSE(late.TakeContext());
  std::vector<std::thread> threads;
  std::atomic<int> num_contexts{0};
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      EXPECT_EQ(late.Open().source, "opened");
      if (late.TakeContext()) ++num_contexts;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(num_opened, 1);
  EXPECT_EQ(num_contexts, 1) << "one runtime gets the context";
}

TEST(LateBackend, AFailureIsRememberedAndNotTriedAgain) {
  int num_opened = 0;
  LateBackend late([&] {
    ++num_opened;
    return MakeOutcome(true);
  });
  EXPECT_EQ(OpenAndFail(late), DiagnosticCode::kFailedAtFirstUse);
  EXPECT_EQ(OpenAndFail(late), DiagnosticCode::kFailedAtFirstUse);
  EXPECT_EQ(num_opened, 1);
  EXPECT_FALSE(late.TakeContext());
}

TEST(LateBackend, TheRegistryKnowsMoreOfItOnceItIsOpen) {
  BackendRegistration registration = MakeOutcome(false).registration;
  registration.source = "inspected";
  registration.late = std::make_shared<LateBackend>([] { return MakeOutcome(false); });
  BackendRegistry registry;
  registry.Register(registration);
  EXPECT_EQ(registry.GetRegistration("A").source, "inspected");
  registration.late->Open();
  EXPECT_EQ(registry.GetRegistration("A").source, "opened");
}

TEST(LateBackend, TheRegistryStillHasOneThatFailed) {
  BackendRegistration registration = MakeOutcome(false).registration;
  registration.late = std::make_shared<LateBackend>([] { return MakeOutcome(true); });
  BackendRegistry registry;
  registry.Register(registration);
  EXPECT_THROW(registry.CreateBackend("A"), DiagnosticException);
  EXPECT_TRUE(registry.IsBackendRegistered("A"));
}

}  // namespace
}  // namespace backplane
