#include "placement/kind_table.hpp"

#include "expect_diagnostic.hpp"
#include "loading/loaded_kinds.hpp"
#include "placement/kind_arcs.hpp"
#include "placement/kind_maker.hpp"

#include <backplane/api/i_layer_support.hpp>
#include <backplane/api/i_workload_factory.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace backplane {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr MemorySource kProtected = MemorySource::kDmaBufProtected;

/// Registers factories, and does nothing else.
class RegisteringBackend final : public IBackendInternal {
 public:
  using Factories = std::vector<std::pair<std::string, FactoryProperties>>;

  RegisteringBackend(Factories factories, std::vector<std::string> preferences)
      : factories_(std::move(factories)), preferences_(std::move(preferences)) {}

  const char* GetId() const override { return "Npu"; }
  std::unique_ptr<IWorkloadFactory> CreateWorkloadFactory(
      const WorkloadFactoryArgs& /*args*/) const override {
    return nullptr;
  }
  std::shared_ptr<const ILayerSupport> GetLayerSupport(
      const LayerSupportArgs& /*args*/) const override {
    return nullptr;
  }
  void RegisterTensorHandleFactories(TensorHandleFactoryRegistry& registry,
                                     const BackendCallArgs& /*args*/) const override {
    for (const auto& [id, properties] : factories_) {
      static_cast<void>(registry.RegisterFactory(MakeFactory(id, properties)));
    }
  }
  std::vector<std::string> GetHandleFactoryPreferences(
      const BackendCallArgs& /*args*/) const override {
    return preferences_;
  }

 private:
  const Factories factories_;
  const std::vector<std::string> preferences_;
};

using NetworkBackends = std::vector<std::shared_ptr<const NetworkBackend>>;

NetworkBackends MakeBackends(const RegisteringBackend::Factories& factories,
                             const std::vector<std::string>& preferences) {
  auto origin = std::make_shared<PluginOrigin>();
  origin->backend_id = "Npu";
  origin->declared_version = kBackendApiVersion;
  auto backend = std::make_shared<NetworkBackend>();
  backend->id = "Npu";
  std::unique_ptr<IBackendInternal> object =
      std::make_unique<RegisteringBackend>(factories, preferences);
  backend->backend = PluginObject<IBackendInternal>(std::move(object), std::move(origin));
  return {backend};
}

KindTable Collect(const RegisteringBackend::Factories& factories,
                  const std::vector<std::string>& preferences,
                  MemoryProtection protection = MemoryProtection::kNone) {
  std::vector<Diagnostic> warnings;
  KindTable table = CollectKinds(MakeBackends(factories, preferences), protection, warnings).table;
  EXPECT_THAT(warnings, IsEmpty());
  return table;
}

TEST(KindTable, BeginsWithTheKindOfTheCore) {
  const KindTable table = Collect({{"A/Npu/Own", Mappable()}}, {"A/Npu/Own"});
  ASSERT_EQ(table.kinds.size(), 2U);
  EXPECT_EQ(table.kinds[kHostKind].id, kHostTensorHandleFactoryId);
  EXPECT_EQ(table.kinds[1].owner, 0U);
  EXPECT_THAT(table.usable, ElementsAre(ElementsAre(1U)));
}

TEST(KindTable, PassesOverPreferencesThatNobodyRegisteredAndThoseGivenTwice) {
  const KindTable table =
      Collect({{"A/Npu/Own", Mappable()}},
              {"A/Gpu/Other", "A/Npu/Own", kHostTensorHandleFactoryId, "A/Npu/Own"});
  EXPECT_THAT(table.usable[0], ElementsAre(1U, kHostKind));
}

TEST(KindTable, ABackendWithoutPreferencesUsesTheKindOfTheCore) {
  EXPECT_THAT(Collect({{"A/Npu/Own", Mappable()}}, {}).usable[0], ElementsAre(kHostKind));
}

TEST(KindTable, OpenKindsArePassedOverInProtectedMode) {
  const KindTable table =
      Collect({{"A/Npu/Open", Mappable()}, {"A/Npu/Closed", Exporting(kProtected)}},
              {"A/Npu/Open", "A/Npu/Closed"}, MemoryProtection::kProtected);
  EXPECT_THAT(table.usable[0], ElementsAre(2U));
}

TEST(KindTable, NoWayLeadsThroughOpenKindsInProtectedMode) {
  FactoryProperties closed = Exporting(kProtected);
  closed.copies_within_backend = 1;
  FactoryProperties open = Mappable();
  open.copies_within_backend = 1;
  open.copy_from_sources = ToFlags(kProtected);
  const RegisteringBackend::Factories factories = {{"A/Npu/Closed", closed}, {"A/Npu/Open", open}};
  const auto leads_through = [&](MemoryProtection protection) {
    for (const KindArc& arc : FindKindArcs(Collect(factories, {"A/Npu/Closed"}, protection))) {
      if (arc.from == 2 || arc.to == 2) return true;
    }
    return false;
  };
  EXPECT_TRUE(leads_through(MemoryProtection::kNone));
  EXPECT_FALSE(leads_through(MemoryProtection::kProtected));
}

TEST(KindTable, IsTheSameWhenTheNetworkIsLoaded) {
  const RegisteringBackend::Factories factories = {{"A/Npu/Own", Mappable()}};
  const KindTable expected = Collect(factories, {"A/Npu/Own"});
  const NetworkKinds loaded =
      LoadKinds(MakeBackends(factories, {"A/Npu/Own"}), MemoryProtection::kNone, expected);
  EXPECT_EQ(loaded.table.kinds.size(), 2U);
}

TEST(KindTable, MissingOtherAndChangedFactoriesAreFoundWhenTheNetworkIsLoaded) {
  const KindTable expected = Collect({{"A/Npu/Own", Mappable()}}, {"A/Npu/Own"});
  const auto load = [&](const RegisteringBackend::Factories& factories) {
    return CatchDiagnostic([&] {
      LoadKinds(MakeBackends(factories, {"A/Npu/Own"}), MemoryProtection::kNone, expected);
    });
  };
  ExpectDiagnostic(load({}), DiagnosticCode::kFactoryDisagrees, "Npu", "found none",
                   "expected A/Npu/Own");
  ExpectDiagnostic(load({{"A/Npu/New", Mappable()}}), DiagnosticCode::kFactoryDisagrees, "Npu",
                   "found A/Npu/New", "expected A/Npu/Own");
  ExpectDiagnostic(load({{"A/Npu/Own", Opaque()}}), DiagnosticCode::kFactoryDisagrees, "Npu",
                   "with other properties", "expected what it said before");
  ExpectDiagnostic(load({{"A/Npu/Own", Mappable()}, {"A/Npu/More", Mappable()}}),
                   DiagnosticCode::kFactoryDisagrees, "Npu", "found A/Npu/More", "expected none");
}

TEST(KindTable, AnAlignmentThatIsNoPowerOfTwoIsRefused) {
  KindMaker maker;
  const std::uint32_t npu = maker.AddBackend("Npu");
  const KindIndex kind = maker.Add(npu, "A/Npu/Odd", Mappable(), AskingFor(48));
  const TensorInfo info({4}, DataType::kFloat32);
  ExpectDiagnostic(CatchDiagnostic([&] { AskRequirements(maker.Get().objects, kind, info, {}); }),
                   DiagnosticCode::kFactoryDisagrees, "Npu", "48", "expected a power of two");
}

TEST(KindTable, ASizeFarBeyondTheTensorIsRefused) {
  KindMaker maker;
  const std::uint32_t npu = maker.AddBackend("Npu");
  const KindIndex kind = maker.Add(npu, "A/Npu/Odd", Mappable(), AskingFor(64, 1ULL << 46U));
  const TensorInfo info({4}, DataType::kFloat32);
  ExpectDiagnostic(CatchDiagnostic([&] { AskRequirements(maker.Get().objects, kind, info, {}); }),
                   DiagnosticCode::kFactoryDisagrees, "Npu",
                   "70368744177680 bytes for a tensor of 16",
                   "expected no more than 4096 times as many, or 4 GiB");
}

}  // namespace
}  // namespace backplane
