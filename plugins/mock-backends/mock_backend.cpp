/// A backend that takes no layer and does nothing, but for the one thing that its row of
/// defects.def asks for.

#include "deeds.hpp"

#include <backplane/api/backend.hpp>

#include <fstream>
#include <stdexcept>

// The row says otherwise with key=Value or with a word; see defects.def.
#ifndef BACKPLANE_MOCK_ID
#define BACKPLANE_MOCK_ID kOwn
#endif
#ifndef BACKPLANE_MOCK_VERSION
#define BACKPLANE_MOCK_VERSION kOwn
#endif
#ifndef BACKPLANE_MOCK_FACTORY
#define BACKPLANE_MOCK_FACTORY kGood
#endif
#ifndef BACKPLANE_MOCK_OBJECT_ID
#define BACKPLANE_MOCK_OBJECT_ID kSame
#endif
#ifndef BACKPLANE_MOCK_CONTEXT
#define BACKPLANE_MOCK_CONTEXT kNone
#endif
#ifndef BACKPLANE_MOCK_REASON
#define BACKPLANE_MOCK_REASON kOther
#endif
#ifndef BACKPLANE_MOCK_DEED
#define BACKPLANE_MOCK_DEED kNothing
#endif
#ifndef BACKPLANE_MOCK_AT
#define BACKPLANE_MOCK_AT kNowhere
#endif

namespace {

enum class Id {
  kOwn,
  kNull,
  kEmpty,
  kUnknown,
  kWithSpace,
  kTooLong,
  kChanging,
  kOtherInSandbox,
  kThrows
};
enum class Version { kOwn, kNextMinor, kNextMajor, kPreviousMajor, kThrows };
enum class Factory { kGood, kNull, kThrows, kThrowsNumber, kThrowsLongText, kUnavailable };
enum class ObjectId { kSame, kOther, kNull, kThrows };
enum class Context { kNone, kThrows, kUnavailable };

[[maybe_unused]] constexpr Id kId = Id::BACKPLANE_MOCK_ID;
[[maybe_unused]] constexpr Version kVersion = Version::BACKPLANE_MOCK_VERSION;
[[maybe_unused]] constexpr Factory kFactory = Factory::BACKPLANE_MOCK_FACTORY;
constexpr ObjectId kObjectId = ObjectId::BACKPLANE_MOCK_OBJECT_ID;
constexpr Context kContext = Context::BACKPLANE_MOCK_CONTEXT;
constexpr backplane::UnavailabilityReason kReason =
    backplane::UnavailabilityReason::BACKPLANE_MOCK_REASON;
constexpr backplane::mock::Deed kDeed = backplane::mock::Deed::BACKPLANE_MOCK_DEED;
constexpr backplane::mock::Place kAt = backplane::mock::Place::BACKPLANE_MOCK_AT;

/// The row's deed, when this is the place for it.
void Pass([[maybe_unused]] backplane::mock::Place place) {
  if constexpr (kAt != backplane::mock::Place::kNowhere) {
    if (place == kAt) backplane::mock::Do(kDeed);
  }
}

/// What happens while the file is opened and closed.
struct StaticObject {
  StaticObject() { Pass(backplane::mock::Place::kConstructor); }
  ~StaticObject() {
    if (kDeed != backplane::mock::Deed::kThrow) Pass(backplane::mock::Place::kClosing);
  }
};

[[maybe_unused]] const StaticObject static_object;

class RefusingLayerSupport final : public backplane::ILayerSupport {
 public:
  bool IsLayerSupported(const backplane::LayerSupportQuery& query,
                        std::string& reason) const override {
    reason = std::string("layer type ") + backplane::GetLayerTypeName(query.layer_type) +
             " is not supported, nor is any other: this is a mock";
    return false;
  }
};

/// What happens when an object is destroyed.
template <backplane::mock::Place kPlace>
struct Destruction {
  ~Destruction() { Pass(kPlace); }
};

class MockContext final : public backplane::IBackendContext {
 public:
  backplane::Status OnNetworkEvent(const backplane::NetworkEvent& /*event*/) override {
    return backplane::Status::kSuccess;
  }

 private:
  Destruction<backplane::mock::Place::kContextDestructor> destruction_;
};

class MockMemoryManager final : public backplane::IMemoryManager {
 public:
  backplane::Status Acquire(const backplane::MemoryRequirements& /*requirements*/,
                            backplane::MemoryBlock* /*block*/) override {
    return backplane::Status::kOutOfMemory;
  }
  void Release(const backplane::MemoryBlock& /*block*/) override {}

 private:
  Destruction<backplane::mock::Place::kFactoryDestructor> destruction_;
};

class MockBackend final : public backplane::IBackendInternal {
 public:
  const char* GetId() const override {
    if (kObjectId == ObjectId::kThrows) throw std::runtime_error("the object forgot its id");
    return BACKPLANE_MOCK_NAME;
  }

  std::unique_ptr<backplane::IWorkloadFactory> CreateWorkloadFactory(
      const backplane::WorkloadFactoryArgs& /*args*/) const override {
    return nullptr;
  }

#ifdef BACKPLANE_MOCK_RANK
  backplane::BackendCapabilities GetCapabilities() const override {
    return {{backplane::kCapabilityRank, BACKPLANE_MOCK_RANK}};
  }
#endif

  std::unique_ptr<backplane::IBackendContext> CreateBackendContext(
      const backplane::BackendContextArgs& /*args*/) const override {
    Pass(backplane::mock::Place::kContext);
    if (kContext == Context::kThrows) throw std::runtime_error("the context is broken");
    if (kContext == Context::kUnavailable) {
      throw backplane::BackendUnavailableException("the mock device does not answer", kReason);
    }
    if (kAt != backplane::mock::Place::kContextDestructor) return nullptr;
    return std::make_unique<MockContext>();
  }

  void RegisterTensorHandleFactories(backplane::TensorHandleFactoryRegistry& registry,
                                     const backplane::BackendCallArgs& /*args*/) const override {
    if (kAt != backplane::mock::Place::kFactoryDestructor) return;
    const auto status = registry.RegisterMemoryManager(std::make_shared<MockMemoryManager>());
    if (status != backplane::Status::kSuccess) throw std::runtime_error("it is not wanted");
  }

  std::shared_ptr<const backplane::ILayerSupport> GetLayerSupport(
      const backplane::LayerSupportArgs& /*args*/) const override {
    return std::make_shared<RefusingLayerSupport>();
  }

 private:
  Destruction<backplane::mock::Place::kBackendDestructor> destruction_;
};

}  // namespace

#ifndef BACKPLANE_MOCK_WITHOUT_GET_BACKEND_ID
const char* GetBackendId() {
  Pass(backplane::mock::Place::kGetBackendId);
  switch (kId) {
    case Id::kOwn:
      return BACKPLANE_MOCK_NAME;
    case Id::kNull:
      return nullptr;
    case Id::kEmpty:
      return "";
    case Id::kUnknown:
      return "Unknown";
    case Id::kWithSpace:
      return "Mock\tWith Space";
    case Id::kTooLong:
      return "MockWhoseIdGoesOnAndOnUntilItIsLongerThanTheSixtyFourCharactersThatAreAllowed";
    case Id::kChanging: {
      static bool is_first = false;
      is_first = !is_first;
      return is_first ? "MockFirst" : "MockSecond";
    }
    case Id::kOtherInSandbox: {
      const bool is_free = std::ifstream("/etc/passwd").good();
      return is_free ? BACKPLANE_MOCK_NAME : "MockHarmless";
    }
    case Id::kThrows:
      throw std::runtime_error("the id is not known yet");
  }
  return nullptr;
}
#endif

#ifndef BACKPLANE_MOCK_WITHOUT_GET_VERSION
void GetVersion(std::uint32_t* outMajor, std::uint32_t* outMinor) {
  Pass(backplane::mock::Place::kGetVersion);
  constexpr backplane::BackendVersion kApi{BP_API_MAJOR, BP_NEEDS_MINOR};
  *outMajor = kApi.major;
  *outMinor = kApi.minor;
  if (kVersion == Version::kNextMinor) *outMinor = kApi.minor + 1;
  if (kVersion == Version::kNextMajor) *outMajor = kApi.major + 1;
  if (kVersion == Version::kPreviousMajor) *outMajor = kApi.major - 1;
  if (kVersion == Version::kThrows) throw std::runtime_error("the version is not known yet");
}
#endif

#ifndef BACKPLANE_MOCK_WITHOUT_BACKEND_FACTORY
namespace {

[[maybe_unused]] std::unique_ptr<backplane::IBackendInternal> MakeMock() {
  Pass(backplane::mock::Place::kFactory);
  if (kFactory == Factory::kThrows) throw std::runtime_error("the factory is closed");
  if (kFactory == Factory::kThrowsNumber) throw 42;
  if (kFactory == Factory::kThrowsLongText) {
    throw std::runtime_error("a dump of the device: " + std::string(20'000'000, 'x'));
  }
  if (kFactory == Factory::kUnavailable) {
    throw backplane::BackendUnavailableException("there is no mock device in this machine",
                                                 kReason);
  }
  return std::make_unique<MockBackend>();
}

}  // namespace

void* BackendFactory() {
  if (kFactory == Factory::kNull) return nullptr;
#ifdef BACKPLANE_MOCK_WITHOUT_GET_BACKEND_ID
  return nullptr;
#else
  static bp_backend table = *static_cast<const bp_backend*>(backplane::GetBackendTable<MakeMock>());
  if (kObjectId == ObjectId::kOther) table.id = "AnotherId";
  if (kObjectId == ObjectId::kNull) table.id = nullptr;
  return &table;
#endif
}
#endif
