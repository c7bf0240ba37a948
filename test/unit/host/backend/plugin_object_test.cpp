#include <backplane/host/plugin_object.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace backplane {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Writes down when objects and the library go.
struct Recorder {
  std::vector<std::string> events;
};

class RecordingContext final : public IBackendContext {
 public:
  explicit RecordingContext(Recorder& recorder) : recorder_(recorder) {}
  ~RecordingContext() override { recorder_.events.emplace_back("object"); }
  Status OnNetworkEvent(const NetworkEvent& event) override {
    if (event.kind == NetworkEventKind::kAfterLoad) throw std::runtime_error("after all");
    if (event.kind == NetworkEventKind::kBeforeUnload) throw 42;
    if (event.kind == NetworkEventKind::kAfterUnload) {
      throw BackendUnavailableException("device gone");
    }
    return Status::kBusy;
  }

 private:
  Recorder& recorder_;
};

std::unique_ptr<IBackendContext> MakeContext(Recorder& recorder) {
  return std::make_unique<RecordingContext>(recorder);
}

PluginResult<Status> Tell(const PluginObject<IBackendContext>& object, NetworkEventKind kind) {
  NetworkEvent event;
  event.kind = kind;
  return object.Call<&IBackendContext::OnNetworkEvent>(event);
}

std::shared_ptr<PluginOrigin> MakePluginObjectOrigin(Recorder& recorder) {
  auto origin = std::make_shared<PluginOrigin>();
  origin->backend_id = "Npu";
  origin->declared_version = kBackendApiVersion;
  origin->library = std::shared_ptr<const void>(
      &recorder, [&](const void* /*library*/) { recorder.events.emplace_back("library"); });
  return origin;
}

TEST(PluginObject, ReleasesTheLibraryAfterTheLastCopyOfTheObject) {
  Recorder recorder;
  auto object =
      PluginObject<IBackendContext>(MakeContext(recorder), MakePluginObjectOrigin(recorder));
  auto copy = object;
  object = {};
  EXPECT_TRUE(recorder.events.empty());
  copy = {};
  EXPECT_THAT(recorder.events, ElementsAre("object", "library"));
}

TEST(PluginObject, ASharedObjectKeepsTheLibraryToo) {
  Recorder recorder;
  std::shared_ptr<IBackendContext> kept;
  {
    const PluginObject<IBackendContext> object(
        std::shared_ptr<IBackendContext>(std::make_shared<RecordingContext>(recorder)),
        MakePluginObjectOrigin(recorder));
    kept = object.Share();
  }
  EXPECT_TRUE(recorder.events.empty());
  kept.reset();
  EXPECT_THAT(recorder.events, ElementsAre("object", "library"));
}

TEST(PluginObject, ReturnsValuesAndTurnsExceptionsIntoDiagnostics) {
  Recorder recorder;
  const PluginObject<IBackendContext> object(MakeContext(recorder),
                                             MakePluginObjectOrigin(recorder));
  const auto value = Tell(object, NetworkEventKind::kBeforeLoad);
  EXPECT_FALSE(value.HasFailed());
  EXPECT_EQ(value.value, Status::kBusy);

  const auto threw = Tell(object, NetworkEventKind::kAfterLoad);
  ASSERT_TRUE(threw.HasFailed());
  EXPECT_EQ(threw.failure->code, DiagnosticCode::kBackendThrew);
  EXPECT_THAT(threw.failure->what, HasSubstr("IBackendContext::OnNetworkEvent"));
  EXPECT_THAT(threw.failure->why, HasSubstr("after all"));

  auto strange = Tell(object, NetworkEventKind::kBeforeUnload);
  ASSERT_TRUE(strange.HasFailed());
  EXPECT_EQ(strange.failure->code, DiagnosticCode::kBackendThrew);
  EXPECT_THROW(static_cast<void>(strange.GetOrThrow()), DiagnosticException);

  const auto absent = Tell(object, NetworkEventKind::kAfterUnload);
  ASSERT_TRUE(absent.HasFailed());
  EXPECT_EQ(absent.failure->code, DiagnosticCode::kBackendUnavailable);
  EXPECT_THAT(absent.failure->why, HasSubstr("device gone"));
}

TEST(PluginObject, NeverCallsAFunctionNewerThanThePlugin) {
  Recorder recorder;
  auto origin = MakePluginObjectOrigin(recorder);
  origin->declared_version = {0, 9};
  const PluginObject<IBackendContext> object(MakeContext(recorder), origin);
  const auto result = Tell(object, NetworkEventKind::kBeforeUnload);
  EXPECT_FALSE(result.WasCalled());
  EXPECT_FALSE(result.HasFailed()) << "it would have thrown";
}

TEST(PluginObject, IsEmptyForNull) {
  Recorder recorder;
  const PluginObject<IBackendContext> object(std::unique_ptr<IBackendContext>(),
                                             MakePluginObjectOrigin(recorder));
  EXPECT_FALSE(object);
  EXPECT_FALSE(PluginObject<IBackendContext>());
}

}  // namespace
}  // namespace backplane
