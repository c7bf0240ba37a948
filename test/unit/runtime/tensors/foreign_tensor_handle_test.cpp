#include "tensors/foreign_tensor_handle.hpp"

#include "support/temporary_directory.hpp"

#include <backplane/host/logging.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

namespace backplane {
namespace {

using ::testing::HasSubstr;

/// Answers as it is told, or throws what it is told.
class ToldHandle final : public ITensorHandle {
 public:
  explicit ToldHandle(const std::string& thrown) : thrown_(thrown) { view_.size_bytes = 12; }

  const MemoryView* GetMemoryView() const override {
    Throw();
    return &view_;
  }
  Status Bind(const MemoryBlock& /*block*/, std::uint64_t /*offset_bytes*/) override {
    ADD_FAILURE() << "another's handle was bound";
    return Status::kSuccess;
  }
  Status Map(MemoryAccess /*access*/, MemoryView* view) override {
    Throw();
    *view = view_;
    return Status::kSuccess;
  }
  Status Unmap() override {
    Throw();
    return Status::kBusy;
  }
  Status Import(const MemoryView& memory) override {
    Throw();
    view_ = memory;
    return Status::kSuccess;
  }
  Status Unimport() override {
    Throw();
    return Status::kInvalidArgument;
  }
  Status Export(MemorySource source, MemoryView* memory) override {
    Throw();
    memory->source = source;
    return Status::kSuccess;
  }

 private:
  void Throw() const {
    if (!thrown_.empty()) throw std::runtime_error(thrown_);
  }

  const std::string& thrown_;
  MemoryView view_;
};

class ForeignTensorHandleTest : public testing::Test {
 protected:
  ~ForeignTensorHandleTest() override { DisableLogging(); }

  ForeignTensorHandle MakeHandle(BackendVersion declared_version = kBackendApiVersion) {
    auto origin = std::make_shared<PluginOrigin>();
    origin->backend_id = "Npu";
    origin->declared_version = declared_version;
    std::unique_ptr<ITensorHandle> told = std::make_unique<ToldHandle>(thrown_);
    return ForeignTensorHandle(PluginObject<ITensorHandle>(std::move(told), origin));
  }
  std::string ReadLog() const {
    std::ifstream file(directory_ / "log");
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }
  static std::size_t CountLines(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }

  std::string thrown_;
  test::TemporaryDirectory directory_;
  MemoryView view_;
};

TEST_F(ForeignTensorHandleTest, GivesTheAnswersOfTheHandle) {
  ForeignTensorHandle handle = MakeHandle();
  ASSERT_NE(handle.GetMemoryView(), nullptr);
  EXPECT_EQ(handle.GetMemoryView()->size_bytes, 12U);
  EXPECT_EQ(handle.Map(MemoryAccess::kRead, &view_), Status::kSuccess);
  EXPECT_EQ(view_.size_bytes, 12U);
  EXPECT_EQ(handle.Unmap(), Status::kBusy);
  view_.size_bytes = 34;
  EXPECT_EQ(handle.Import(view_), Status::kSuccess);
  EXPECT_EQ(handle.GetMemoryView()->size_bytes, 34U);
  EXPECT_EQ(handle.Unimport(), Status::kInvalidArgument);
  EXPECT_EQ(handle.Export(MemorySource::kDmaBuf, &view_), Status::kSuccess);
  EXPECT_EQ(view_.source, MemorySource::kDmaBuf);
  EXPECT_EQ(handle.GetFailure(), nullptr);
  EXPECT_EQ(handle.GetBackendId(), "Npu");
}

TEST_F(ForeignTensorHandleTest, IsNeverBound) {
  ForeignTensorHandle handle = MakeHandle();
  EXPECT_EQ(handle.Bind(MemoryBlock(), 0), Status::kUnsupported);
}

TEST_F(ForeignTensorHandleTest, TurnsEverythingThrownIntoFailures) {
  thrown_ = "device lost";
  ForeignTensorHandle handle = MakeHandle();
  const auto expect_failure = [&](const char* function) {
    ASSERT_NE(handle.GetFailure(), nullptr) << function;
    EXPECT_EQ(handle.GetFailure()->code, DiagnosticCode::kBackendThrew);
    EXPECT_EQ(handle.GetFailure()->subject.name, "Npu");
    EXPECT_THAT(ToText(*handle.GetFailure()), HasSubstr(function));
    EXPECT_THAT(ToText(*handle.GetFailure()), HasSubstr("device lost"));
  };
  EXPECT_EQ(handle.GetMemoryView(), nullptr);
  expect_failure("ITensorHandle::GetMemoryView");
  EXPECT_EQ(handle.Map(MemoryAccess::kRead, &view_), Status::kFailure);
  expect_failure("ITensorHandle::Map");
  EXPECT_EQ(handle.Unmap(), Status::kFailure);
  expect_failure("ITensorHandle::Unmap");
  EXPECT_EQ(handle.Import(view_), Status::kFailure);
  expect_failure("ITensorHandle::Import");
  EXPECT_EQ(handle.Unimport(), Status::kFailure);
  expect_failure("ITensorHandle::Unimport");
  EXPECT_EQ(handle.Export(MemorySource::kMalloc, &view_), Status::kFailure);
  expect_failure("ITensorHandle::Export");
}

TEST_F(ForeignTensorHandleTest, TellsWhatWasThrownLastAndGoesOn) {
  thrown_ = "first";
  ForeignTensorHandle handle = MakeHandle();
  EXPECT_EQ(handle.Unmap(), Status::kFailure);
  thrown_ = "second";
  EXPECT_EQ(handle.Unmap(), Status::kFailure);
  thrown_ = "";
  EXPECT_EQ(handle.Unmap(), Status::kBusy);
  ASSERT_NE(handle.GetFailure(), nullptr);
  EXPECT_THAT(handle.GetFailure()->why, HasSubstr("second"));
}

TEST_F(ForeignTensorHandleTest, LogsTheFirstFailureOfEachHandleOnly) {
  EnableLogging("tensors=error", {directory_ / "log"});
  ForeignTensorHandle handle = MakeHandle();
  EXPECT_EQ(handle.Unmap(), Status::kBusy);
  EXPECT_EQ(ReadLog(), "");
  thrown_ = "device lost";
  for (int run = 0; run < 3; ++run) EXPECT_EQ(handle.GetMemoryView(), nullptr);
  EXPECT_EQ(CountLines(ReadLog()), 1U) << ReadLog();
  EXPECT_THAT(ReadLog(), HasSubstr("device lost"));
  ForeignTensorHandle other = MakeHandle();
  EXPECT_EQ(other.Unmap(), Status::kFailure);
  EXPECT_EQ(CountLines(ReadLog()), 2U) << ReadLog();
}

TEST_F(ForeignTensorHandleTest, DoesNotSupportWhatTheBackendIsTooOldFor) {
  ForeignTensorHandle handle = MakeHandle(BackendVersion{0, 9});
  EXPECT_EQ(handle.GetMemoryView(), nullptr);
  EXPECT_EQ(handle.Map(MemoryAccess::kRead, &view_), Status::kUnsupported);
  EXPECT_EQ(handle.GetFailure(), nullptr);
}

}  // namespace
}  // namespace backplane
