#include <backplane/api/c_table.hpp>
#include <backplane/host/backend_registry.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

namespace backplane {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class EmptyBackend final : public IBackendInternal {
 public:
  explicit EmptyBackend(const char* id) : id_(id) {}
  const char* GetId() const override { return id_; }
  std::unique_ptr<IWorkloadFactory> CreateWorkloadFactory(
      const WorkloadFactoryArgs& /*args*/) const override {
    return nullptr;
  }
  std::shared_ptr<const ILayerSupport> GetLayerSupport(
      const LayerSupportArgs& /*args*/) const override {
    return nullptr;
  }
  BackendCapabilities GetCapabilities() const override { return {{kCapabilityRank, 3}}; }

 private:
  const char* id_;
};

BackendRegistration MakeBackendRegistryRegistration(const std::string& id,
                                                    BackendFactoryFunction factory = {}) {
  auto origin = std::make_shared<PluginOrigin>();
  origin->backend_id = id;
  origin->declared_version = kBackendApiVersion;
  BackendRegistration registration;
  registration.origin = origin;
  registration.source = "/lib/" + id + ".so";
  registration.factory = std::move(factory);
  if (!registration.factory) {
    registration.factory = [] { return std::make_unique<EmptyBackend>("A"); };
  }
  return registration;
}

template <typename Call>
Diagnostic Catch(Call&& call) {
  try {
    call();
  } catch (const DiagnosticException& exception) {
    return exception.GetDiagnostic();
  }
  ADD_FAILURE() << "expected a DiagnosticException";
  return Diagnostic{DiagnosticCode::kUsageError};
}

TEST(BackendRegistry, KeepsTheOrderOfRegistration) {
  BackendRegistry registry;
  registry.Register(MakeBackendRegistryRegistration("B"));
  registry.Register(MakeBackendRegistryRegistration("A"));
  EXPECT_THAT(registry.GetBackendIds(), ElementsAre("B", "A"));
  EXPECT_EQ(registry.Size(), 2U);
  EXPECT_TRUE(registry.IsBackendRegistered("A"));
  EXPECT_FALSE(registry.IsBackendRegistered("C"));
}

TEST(BackendRegistry, CallsAFactoryOnlyWhenABackendIsMade) {
  int calls = 0;
  BackendRegistry registry;
  registry.Register(MakeBackendRegistryRegistration("A", [&] {
    ++calls;
    return std::make_unique<EmptyBackend>("A");
  }));
  EXPECT_EQ(calls, 0);
  const auto backend = registry.CreateBackend("A");
  EXPECT_EQ(calls, 1);
  EXPECT_STREQ(backend.Call<&IBackendInternal::GetId>().value, "A");
  EXPECT_STREQ(registry.GetFactory("A")()->GetId(), "A");
}

TEST(BackendRegistry, RejectsAnIdThatIsTakenNamingBothSources) {
  BackendRegistry registry;
  registry.Register(MakeBackendRegistryRegistration("A"));
  auto second = MakeBackendRegistryRegistration("A");
  second.source = "/other/file.so";
  const Diagnostic diagnostic = Catch([&] { registry.Register(std::move(second)); });
  EXPECT_EQ(diagnostic.code, DiagnosticCode::kBackendIdTaken);
  EXPECT_EQ(diagnostic.subject.name, "A");
  EXPECT_THAT(diagnostic.why, HasSubstr("/lib/A.so"));
  EXPECT_THAT(diagnostic.why, HasSubstr("/other/file.so"));
  EXPECT_EQ(registry.GetRegistration("A").source, "/lib/A.so");
}

TEST(BackendRegistry, SuggestsTheNearestIdForAnUnknownOne) {
  BackendRegistry registry;
  registry.Register(MakeBackendRegistryRegistration("CpuRef"));
  const Diagnostic diagnostic = Catch([&] { registry.GetFactory("CpuReff"); });
  EXPECT_EQ(diagnostic.code, DiagnosticCode::kBackendNotRegistered);
  EXPECT_EQ(diagnostic.subject.name, "CpuReff");
  EXPECT_THAT(diagnostic.fix, HasSubstr("CpuRef"));
  EXPECT_EQ(Catch([&] { registry.Deregister("CpuReff"); }).code,
            DiagnosticCode::kBackendNotRegistered);
}

TEST(BackendRegistry, GivesTheReasonOfABackendThatWasRejected) {
  BackendRegistry registry;
  Diagnostic reason{DiagnosticCode::kMissingDependency};
  reason.what = "npu.so needs libnpu.so.1";
  registry.RememberUnusable("Npu", reason);
  const Diagnostic diagnostic = Catch([&] { registry.CreateBackend("Npu"); });
  EXPECT_EQ(diagnostic.code, DiagnosticCode::kBackendRejected);
  EXPECT_THAT(diagnostic.why, HasSubstr("libnpu.so.1"));
  ASSERT_EQ(diagnostic.causes.size(), 1U);
  EXPECT_EQ(diagnostic.causes[0].code, DiagnosticCode::kMissingDependency);
}

TEST(BackendRegistry, TurnsWhatAFactoryDoesIntoDiagnostics) {
  BackendRegistry registry;
  registry.Register(MakeBackendRegistryRegistration("Null", [] { return nullptr; }));
  registry.Register(MakeBackendRegistryRegistration(
      "Throws", []() -> std::unique_ptr<IBackendInternal> { throw std::runtime_error("boom"); }));
  registry.Register(
      MakeBackendRegistryRegistration("Absent", []() -> std::unique_ptr<IBackendInternal> {
        throw BackendUnavailableException("no device");
      }));
  EXPECT_EQ(Catch([&] { registry.CreateBackend("Null"); }).code, DiagnosticCode::kNullBackend);
  const Diagnostic threw = Catch([&] { registry.CreateBackend("Throws"); });
  EXPECT_EQ(threw.code, DiagnosticCode::kBackendThrew);
  EXPECT_THAT(threw.why, HasSubstr("boom"));
  const Diagnostic absent = Catch([&] { registry.CreateBackend("Absent"); });
  EXPECT_EQ(absent.code, DiagnosticCode::kBackendUnavailable);
  EXPECT_THAT(absent.why, HasSubstr("no device"));
}

TEST(BackendRegistry, CopiesAreIndependent) {
  BackendRegistry registry;
  registry.Register(MakeBackendRegistryRegistration("A"));
  BackendRegistry copy(registry);
  copy.Register(MakeBackendRegistryRegistration("B"));
  registry.Deregister("A");
  EXPECT_THAT(copy.GetBackendIds(), ElementsAre("A", "B"));
  EXPECT_EQ(registry.Size(), 0U);
}

TEST(BackendRegistry, CanBeUsedFromSeveralThreads) {
  BackendRegistry registry;
  std::atomic<int> registered{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        try {
          registry.Register(MakeBackendRegistryRegistration("Id" + std::to_string(i)));
          ++registered;
        } catch (const DiagnosticException&) {
          registry.GetBackendIds();
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(registered, 50);
  EXPECT_EQ(registry.Size(), 50U);
}

std::unique_ptr<IBackendInternal> MakeStatic() {
  return std::make_unique<EmptyBackend>("Linked");
}
const char* GiveLinked() {
  return "Linked";
}
const char* GiveOther() {
  return "Other";
}
void GiveApiVersion(std::uint32_t* major, std::uint32_t* minor) {
  *major = kBackendApiVersion.major;
  *minor = kBackendApiVersion.minor;
}
void GiveNextMajor(std::uint32_t* major, std::uint32_t* /*minor*/) {
  *major = kBackendApiVersion.major + 1;
}
void* GiveLinkedTable() {
  static bp_backend table = c_form::MakeTable(
      "Linked", [](const bp_start_args* args, bp_instance** instance, bp_error* error) {
        return c_form::Start(args, "Linked", MakeStatic, instance, error);
      });
  return &table;
}

TEST(RegisterStaticBackend, PassesTheChecksOfADynamicOne) {
  BackendRegistry registry;
  RegisterStaticBackend({&GiveLinked, &GiveApiVersion, &GiveLinkedTable}, registry);
  EXPECT_EQ(registry.GetRegistration("Linked").source, "static");
  ASSERT_EQ(registry.GetRegistration("Linked").capabilities.size(), 1U);
  EXPECT_EQ(Catch([&] {
              RegisterStaticBackend({&GiveLinked, &GiveApiVersion, &GiveLinkedTable}, registry);
            }).code,
            DiagnosticCode::kBackendIdTaken);
  EXPECT_EQ(Catch([&] {
              RegisterStaticBackend({&GiveOther, &GiveApiVersion, &GiveLinkedTable}, registry);
            }).code,
            DiagnosticCode::kBackendIdDisagrees);
  EXPECT_EQ(Catch([&] {
              RegisterStaticBackend({&GiveOther, &GiveNextMajor, &GiveLinkedTable}, registry);
            }).code,
            DiagnosticCode::kApiMajorMismatch);
  EXPECT_EQ(registry.Size(), 1U);
}

// A host of a later version asks for what the table knows, beyond what GetVersion needs.
TEST(RegisterStaticBackend, KeepsWhatTheBackendKnows) {
  const auto give_knowing = []() -> void* {
    static bp_backend table = *static_cast<const bp_backend*>(GiveLinkedTable());
    table.knows_minor = kBackendApiVersion.minor + 2;
    return &table;
  };
  BackendRegistry registry;
  RegisterStaticBackend({&GiveLinked, &GiveApiVersion, give_knowing}, registry);
  const PluginOrigin& origin = *registry.GetRegistration("Linked").origin;
  EXPECT_EQ(origin.declared_version, kBackendApiVersion);
  EXPECT_EQ(origin.GetKnownVersion().minor, kBackendApiVersion.minor + 2);
}

}  // namespace
}  // namespace backplane
