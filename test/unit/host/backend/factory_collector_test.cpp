#include <backplane/host/factory_collector.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace backplane {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A factory that makes nothing and says what it is told to say.
class SayingFactory final : public ITensorHandleFactory {
 public:
  explicit SayingFactory(const char* id, TensorHandleFactoryProperties properties = {},
                         Status status = Status::kSuccess)
      : id_(id), properties_(properties), status_(status) {}

  const char* GetId() const override {
    if (id_ != nullptr && id_ == std::string_view("throws"))
      throw std::runtime_error("no id today");
    return id_;
  }
  Status GetProperties(TensorHandleFactoryProperties* properties) const override {
    *properties = properties_;
    return status_;
  }
  MemoryRequirements GetRequirements(const TensorRequirementsArgs& /*args*/) const override {
    return {};
  }
  std::unique_ptr<ITensorHandle> CreateTensorHandle(
      const TensorHandleArgs& /*args*/) const override {
    return nullptr;
  }
  std::unique_ptr<ITensorHandle> CreateSubTensorHandle(
      const SubTensorHandleArgs& /*args*/) const override {
    return nullptr;
  }

 private:
  const char* id_;
  TensorHandleFactoryProperties properties_;
  Status status_;
};

std::shared_ptr<const PluginOrigin> MakeFactoryCollectorOrigin() {
  auto origin = std::make_shared<PluginOrigin>();
  origin->backend_id = "Npu";
  origin->declared_version = kBackendApiVersion;
  return origin;
}

class FactoryCollectorTest : public ::testing::Test {
 protected:
  template <typename... Args>
  Status Register(Args... args) {
    return collector_.RegisterFactory(std::make_unique<SayingFactory>(args...));
  }

  std::vector<std::string> GetIds() const {
    std::vector<std::string> ids;
    for (const RegisteredFactory& factory : collector_.Get().factories) ids.push_back(factory.id);
    return ids;
  }

  void ExpectOneRefusal(const std::string& words) const {
    ASSERT_EQ(collector_.Get().refusals.size(), 1U);
    const Diagnostic& refusal = collector_.Get().refusals[0];
    EXPECT_EQ(refusal.code, DiagnosticCode::kInvalidTensorHandleFactory);
    EXPECT_EQ(refusal.severity, Severity::kWarning);
    EXPECT_EQ(refusal.subject.name, "Npu");
    EXPECT_THAT(ToText(refusal), HasSubstr(words));
  }

  FactoryCollector collector_{MakeFactoryCollectorOrigin(), {"Acme/Gpu/Taken"}};
};

TEST_F(FactoryCollectorTest, KeepsTheIdsInTheOrderOfRegistration) {
  EXPECT_EQ(Register("Acme/Npu/Sram"), Status::kSuccess);
  EXPECT_EQ(Register("Acme/Npu/Dram"), Status::kSuccess);
  EXPECT_THAT(GetIds(), ElementsAre("Acme/Npu/Sram", "Acme/Npu/Dram"));
  EXPECT_THAT(collector_.Get().refusals, IsEmpty());
}

TEST_F(FactoryCollectorTest, RefusesNull) {
  EXPECT_EQ(collector_.RegisterFactory(nullptr), Status::kInvalidArgument);
  ExpectOneRefusal("found null");
}

TEST_F(FactoryCollectorTest, RefusesIdsThatAreNotInThreeParts) {
  const char* const ids[] = {"",       "Npu",     "Acme/Npu", "Acme//Sram", "/Npu/Sram",
                             "A/B/C/", "A/B C/D", "A/B/\xff", "A/B/C/D",    nullptr};
  for (const char* id : ids) EXPECT_EQ(Register(id), Status::kInvalidArgument);
  EXPECT_EQ(collector_.Get().refusals.size(), std::size(ids));
  EXPECT_THAT(GetIds(), IsEmpty());
}

TEST_F(FactoryCollectorTest, RefusesAnIdThatThrows) {
  EXPECT_EQ(Register("throws"), Status::kInvalidArgument);
  ExpectOneRefusal("no id today");
}

TEST_F(FactoryCollectorTest, RefusesAnIdTwice) {
  EXPECT_EQ(Register("Acme/Npu/Sram"), Status::kSuccess);
  EXPECT_EQ(Register("Acme/Npu/Sram"), Status::kAlreadyExists);
  ExpectOneRefusal("registered twice");
  EXPECT_EQ(GetIds().size(), 1U);
}

TEST_F(FactoryCollectorTest, RefusesAnIdOfAnotherBackendAndThatOfTheHost) {
  EXPECT_EQ(Register("Acme/Gpu/Taken"), Status::kAlreadyExists);
  ExpectOneRefusal("another backend has registered this id");
  EXPECT_EQ(Register(kHostTensorHandleFactoryId), Status::kAlreadyExists);
  EXPECT_THAT(collector_.Get().taken_ids,
              ElementsAre("Acme/Gpu/Taken", kHostTensorHandleFactoryId));
}

TEST_F(FactoryCollectorTest, KnowsTheMemoryManagerOfEachFactory) {
  class Manager final : public IMemoryManager {
    Status Acquire(const MemoryRequirements& /*requirements*/, MemoryBlock* /*block*/) override {
      return Status::kOutOfMemory;
    }
    void Release(const MemoryBlock& /*block*/) override {}
  };
  EXPECT_EQ(Register("A/B/Host"), Status::kSuccess);
  EXPECT_EQ(collector_.RegisterMemoryManager(std::make_shared<Manager>()), Status::kSuccess);
  EXPECT_EQ(Register("A/B/First"), Status::kSuccess);
  EXPECT_EQ(collector_.RegisterMemoryManager(std::make_shared<Manager>()), Status::kSuccess);
  EXPECT_EQ(Register("A/B/Second"), Status::kSuccess);
  const std::vector<RegisteredFactory>& factories = collector_.Get().factories;
  EXPECT_EQ(factories[0].memory_manager, kNoMemoryManager);
  EXPECT_EQ(factories[1].memory_manager, 0U);
  EXPECT_EQ(factories[2].memory_manager, 1U);
}

TEST_F(FactoryCollectorTest, RefusesALayoutThatItDoesNotKnow) {
  TensorHandleFactoryProperties properties;
  properties.layout = static_cast<TensorLayout>(7);
  EXPECT_EQ(Register("Acme/Npu/Odd", properties), Status::kInvalidArgument);
  ExpectOneRefusal("its layout is 7");
}

TEST_F(FactoryCollectorTest, RefusesAnOpaqueLayoutThatClaimsToBeReachable) {
  TensorHandleFactoryProperties properties;
  properties.layout = TensorLayout::kOpaque;
  EXPECT_EQ(Register("Acme/Npu/Opaque", properties), Status::kSuccess);
  properties.supports_map_unmap = 1;
  EXPECT_EQ(Register("Acme/Npu/Mapped", properties), Status::kInvalidArgument);
  ExpectOneRefusal("layout is opaque");
}

TEST_F(FactoryCollectorTest, RefusesAFactoryThatDoesNotTellItsProperties) {
  EXPECT_EQ(Register("Acme/Npu/Sram", TensorHandleFactoryProperties(), Status::kUnsupported),
            Status::kInvalidArgument);
  ExpectOneRefusal("GetProperties returned");
  EXPECT_THAT(GetIds(), IsEmpty());
}

TEST_F(FactoryCollectorTest, RefusesANullMemoryManager) {
  EXPECT_EQ(collector_.RegisterMemoryManager(nullptr), Status::kInvalidArgument);
}

}  // namespace
}  // namespace backplane
