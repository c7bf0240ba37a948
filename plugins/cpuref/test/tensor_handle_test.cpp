#include "run_layer.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

namespace backplane {
namespace cpuref_test {
namespace {

/// Takes the factory that the backend registers.
class Registry final : public TensorHandleFactoryRegistry {
 public:
  Status RegisterFactory(std::unique_ptr<ITensorHandleFactory> factory) override {
    factories.push_back(std::move(factory));
    return Status::kSuccess;
  }
  Status RegisterMemoryManager(std::shared_ptr<IMemoryManager> /*memory_manager*/) override {
    return Status::kUnsupported;
  }

  std::vector<std::unique_ptr<ITensorHandleFactory>> factories;
};

class TensorHandleTest : public testing::Test {
 protected:
  TensorHandleTest() {
    backend_->RegisterTensorHandleFactories(registry_, BackendCallArgs());
    TensorHandleArgs args;
    args.info = &info_;
    handle_ = registry_.factories.at(0)->CreateTensorHandle(args);
  }

  MemoryBlock MakeBlock() {
    MemoryBlock block;
    block.data = block_.data();
    block.source = MemorySource::kMalloc;
    block.size_bytes = block_.size() * sizeof(float);
    return block;
  }

  MemoryView MakeMemory(void* data, std::uint64_t size_bytes = 24) {
    MemoryView memory;
    memory.data = data;
    memory.source = MemorySource::kMalloc;
    memory.size_bytes = size_bytes;
    return memory;
  }

  const TensorInfo info_{{2, 3}, DataType::kFloat32};
  std::vector<float> block_ = std::vector<float>(16);
  std::vector<float> given_ = std::vector<float>(6);
  std::unique_ptr<IBackendInternal> backend_ = MakeBackend();
  Registry registry_;
  std::unique_ptr<ITensorHandle> handle_;
};

TEST_F(TensorHandleTest, CpuRefPrefersItsOwnKindAndThenTheHosts) {
  ASSERT_EQ(registry_.factories.size(), 1U);
  EXPECT_EQ(registry_.factories[0]->GetId(), std::string("Backplane/CpuRef/Malloc"));
  EXPECT_EQ(backend_->GetHandleFactoryPreferences(BackendCallArgs()),
            (std::vector<std::string>{"Backplane/CpuRef/Malloc", kHostTensorHandleFactoryId}));
}

TEST_F(TensorHandleTest, ImportsAndExportsMallocAlone) {
  TensorHandleFactoryProperties properties;
  EXPECT_EQ(registry_.factories[0]->GetProperties(&properties), Status::kSuccess);
  EXPECT_EQ(properties.import_sources, ToFlags(MemorySource::kMalloc));
  EXPECT_EQ(properties.export_sources, ToFlags(MemorySource::kMalloc));
  MemoryView memory = MakeMemory(given_.data());
  memory.source = MemorySource::kDmaBuf;
  EXPECT_EQ(handle_->Import(memory), Status::kUnsupported);
  MemoryView exported;
  EXPECT_EQ(handle_->Export(MemorySource::kFileDescriptor, &exported), Status::kUnsupported);
}

TEST_F(TensorHandleTest, AsksForItsBytesAlignedForAnElement) {
  TensorRequirementsArgs args;
  args.info = &info_;
  const MemoryRequirements requirements = registry_.factories[0]->GetRequirements(args);
  EXPECT_EQ(requirements.size_bytes, 24U);
  EXPECT_EQ(requirements.alignment_bytes, 4U);
}

TEST_F(TensorHandleTest, LiesWhereItIsBound) {
  EXPECT_EQ(handle_->GetMemoryView(), nullptr);
  ASSERT_EQ(handle_->Bind(MakeBlock(), 8), Status::kSuccess);
  const MemoryView& view = *handle_->GetMemoryView();
  EXPECT_EQ(view.data, block_.data() + 2);
  EXPECT_EQ(view.strides_bytes[0], 12);
  EXPECT_EQ(view.strides_bytes[1], 4);
}

TEST_F(TensorHandleTest, RefusesPlacesOutsideOfTheBlockAndBetweenElements) {
  EXPECT_EQ(handle_->Bind(MakeBlock(), 44), Status::kInvalidArgument);
  EXPECT_EQ(handle_->Bind(MakeBlock(), 2), Status::kInvalidArgument);
  EXPECT_EQ(handle_->Bind(MemoryBlock(), 0), Status::kInvalidArgument);
  EXPECT_EQ(handle_->GetMemoryView(), nullptr);
}

TEST_F(TensorHandleTest, ImportsUntilUnimport) {
  ASSERT_EQ(handle_->Bind(MakeBlock(), 0), Status::kSuccess);
  ASSERT_EQ(handle_->Import(MakeMemory(given_.data())), Status::kSuccess);
  EXPECT_EQ(handle_->GetMemoryView()->data, given_.data());
  EXPECT_EQ(handle_->Unimport(), Status::kSuccess);
  EXPECT_EQ(handle_->GetMemoryView()->data, block_.data());
  EXPECT_EQ(handle_->Unimport(), Status::kInvalidArgument);
}

TEST_F(TensorHandleTest, RefusesImportsThatDoNotFitAndStaysAsItWas) {
  ASSERT_EQ(handle_->Bind(MakeBlock(), 0), Status::kSuccess);
  EXPECT_EQ(handle_->Import(MakeMemory(given_.data(), 23)), Status::kInvalidArgument);
  EXPECT_EQ(handle_->Import(MakeMemory(nullptr)), Status::kInvalidArgument);
  unsigned char* const odd = reinterpret_cast<unsigned char*>(given_.data()) + 1;
  EXPECT_EQ(handle_->Import(MakeMemory(odd)), Status::kInvalidArgument);
  EXPECT_EQ(handle_->GetMemoryView()->data, block_.data());
}

TEST_F(TensorHandleTest, MapsOnceAtATimeAndAsTheMemoryAllows) {
  MemoryView view;
  EXPECT_EQ(handle_->Map(MemoryAccess::kRead, &view), Status::kInvalidArgument) << "not bound";
  MemoryView memory = MakeMemory(given_.data());
  memory.access = MemoryAccess::kRead;
  ASSERT_EQ(handle_->Import(memory), Status::kSuccess);
  EXPECT_EQ(handle_->Map(MemoryAccess::kWrite, &view), Status::kInvalidArgument);
  EXPECT_EQ(handle_->Map(MemoryAccess::kRead, &view), Status::kSuccess);
  EXPECT_EQ(view.data, given_.data());
  EXPECT_EQ(handle_->Map(MemoryAccess::kRead, &view), Status::kInvalidArgument);
  EXPECT_EQ(handle_->Unimport(), Status::kInvalidArgument) << "while it is mapped";
  EXPECT_EQ(handle_->Unmap(), Status::kSuccess);
  EXPECT_EQ(handle_->Unmap(), Status::kInvalidArgument);
}

TEST_F(TensorHandleTest, ExportsTheMemoryInWhichItLies) {
  MemoryView exported;
  EXPECT_EQ(handle_->Export(MemorySource::kMalloc, &exported), Status::kInvalidArgument);
  ASSERT_EQ(handle_->Import(MakeMemory(given_.data())), Status::kSuccess);
  EXPECT_EQ(handle_->Export(MemorySource::kMalloc, &exported), Status::kSuccess);
  EXPECT_EQ(exported.data, given_.data());
  EXPECT_EQ(exported.size_bytes, 24U);
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
