// The kinds of tensor memory, on the device of this machine.

#include "memory/kinds.hpp"

#include "test/opencl_case.hpp"

#include <map>
#include <utility>

namespace backplane {
namespace opencl_test {
namespace {

/// What the backend registers.
class Kinds : public TensorHandleFactoryRegistry {
 public:
  Status RegisterFactory(std::unique_ptr<ITensorHandleFactory> factory) override {
    managers[factory->GetId()] = manager_;
    const std::string id = factory->GetId();
    factories[id] = std::move(factory);
    return Status::kSuccess;
  }
  Status RegisterMemoryManager(std::shared_ptr<IMemoryManager> manager) override {
    manager_ = std::move(manager);
    return Status::kSuccess;
  }
  Status RegisterCopyAndImportFactoryPair(const char* /*copy*/, const char* /*import*/) override {
    return Status::kUnsupported;
  }

  std::map<std::string, std::unique_ptr<ITensorHandleFactory>> factories;
  std::map<std::string, std::shared_ptr<IMemoryManager>> managers;

 private:
  std::shared_ptr<IMemoryManager> manager_;
};

class KindsOfMemory : public OpenClDevice {
 protected:
  void SetUp() override {
    OpenClDevice::SetUp();
    if (context_ == nullptr) return;
    MakeOpenCl()->RegisterTensorHandleFactories(kinds_, GetCall());
  }

  BackendCallArgs GetCall() {
    BackendCallArgs args;
    args.context = context_.get();
    args.options = &options_;
    args.logger = &log_;
    return args;
  }

  std::vector<std::string> GetPreferences(const char* memory) {
    Open({BackendOption("memory", memory)});
    return MakeOpenCl()->GetHandleFactoryPreferences(GetCall());
  }

  std::unique_ptr<ITensorHandle> MakeHandle(const char* kind) {
    TensorHandleArgs args;
    args.info = &info_;
    return kinds_.factories.at(kind)->CreateTensorHandle(args);
  }

  MemoryRequirements GetRequirements(const char* kind, LayerType layer) {
    TensorRequirementsArgs args;
    args.info = &info_;
    args.layer_type = layer;
    return kinds_.factories.at(kind)->GetRequirements(args);
  }

  MemoryBlock Acquire(const char* kind, std::uint64_t size_bytes) {
    MemoryRequirements requirements;
    requirements.size_bytes = size_bytes;
    requirements.alignment_bytes = 64;
    MemoryBlock block;
    EXPECT_EQ(kinds_.managers.at(kind)->Acquire(requirements, &block), Status::kSuccess);
    return block;
  }

  const TensorInfo info_{{5}, DataType::kFloat32};
  Kinds kinds_;
};

using opencl::kDeviceFactoryId;
using opencl::kHostVisibleFactoryId;

TEST_F(KindsOfMemory, AreChosenByTheOption) {
  EXPECT_EQ(GetPreferences("device"), std::vector<std::string>{kDeviceFactoryId});
  EXPECT_EQ(GetPreferences("host-visible"), std::vector<std::string>{kHostVisibleFactoryId});
  EXPECT_GE(GetPreferences("auto").size(), 2U);
}

TEST_F(KindsOfMemory, ArePaddedOnTheDeviceAndDenseWhereTheHostSeesThem) {
  EXPECT_GT(GetRequirements(kDeviceFactoryId, LayerType::kActivation).size_bytes, 20U);
  EXPECT_EQ(GetRequirements(kHostVisibleFactoryId, LayerType::kActivation).size_bytes, 20U);
  EXPECT_EQ(GetRequirements(kHostVisibleFactoryId, LayerType::kUndefined).alignment_bytes, 4U);
}

TEST_F(KindsOfMemory, HideWhatLiesOnTheDevice) {
  const auto handle = MakeHandle(kDeviceFactoryId);
  const MemoryBlock block = Acquire(kDeviceFactoryId, 4096);
  EXPECT_EQ(block.data, nullptr);
  ASSERT_EQ(handle->Bind(block, 0), Status::kSuccess);
  MemoryView view;
  EXPECT_EQ(handle->GetMemoryView(), nullptr);
  EXPECT_EQ(handle->Map(MemoryAccess::kRead, &view), Status::kUnsupported);
  EXPECT_EQ(handle->Import(view), Status::kUnsupported);
  EXPECT_EQ(handle->Bind(block, 4096), Status::kInvalidArgument);
  EXPECT_EQ(handle->Bind(MemoryBlock(), 0), Status::kInvalidArgument);
  kinds_.managers.at(kDeviceFactoryId)->Release(block);
}

TEST_F(KindsOfMemory, KeepWhatWasWrittenWhileMapped) {
  const auto handle = MakeHandle(kHostVisibleFactoryId);
  const MemoryBlock block = Acquire(kHostVisibleFactoryId, 4096);
  ASSERT_EQ(handle->Bind(block, 1024), Status::kSuccess);
  MemoryView view;
  ASSERT_EQ(handle->Map(MemoryAccess::kWrite, &view), Status::kSuccess);
  EXPECT_EQ(handle->Map(MemoryAccess::kRead, &view), Status::kInvalidArgument);
  static_cast<float*>(view.data)[4] = 7.0F;
  ASSERT_EQ(handle->Unmap(), Status::kSuccess);
  EXPECT_EQ(handle->Unmap(), Status::kInvalidArgument);
  ASSERT_EQ(handle->Map(MemoryAccess::kRead, &view), Status::kSuccess);
  EXPECT_EQ(static_cast<const float*>(view.data)[4], 7.0F);
  ASSERT_EQ(handle->Unmap(), Status::kSuccess);
  kinds_.managers.at(kHostVisibleFactoryId)->Release(block);
}

TEST_F(KindsOfMemory, UseImportedMemoryWhereItLies) {
  TensorHandleFactoryProperties properties;
  ASSERT_EQ(kinds_.factories.at(kHostVisibleFactoryId)->GetProperties(&properties),
            Status::kSuccess);
  if (properties.import_sources == 0) GTEST_SKIP() << "the device has memory of its own";
  std::vector<float> memory(5, 3.0F);
  const MemoryHandle given(info_, memory.data());
  const auto handle = MakeHandle(kHostVisibleFactoryId);
  EXPECT_EQ(handle->Unimport(), Status::kInvalidArgument);
  ASSERT_EQ(handle->Import(given.view), Status::kSuccess);
  MemoryView view;
  ASSERT_EQ(handle->Map(MemoryAccess::kRead, &view), Status::kSuccess);
  EXPECT_EQ(view.data, memory.data());
  ASSERT_EQ(handle->Unmap(), Status::kSuccess);
  EXPECT_EQ(handle->Unimport(), Status::kSuccess);
  MemoryView short_view = given.view;
  short_view.size_bytes = 16;
  EXPECT_EQ(handle->Import(short_view), Status::kInvalidArgument);
}

TEST_F(KindsOfMemory, SayHowMuchTheDeviceAllocates) {
  MemoryRequirements requirements;
  requirements.size_bytes = std::uint64_t{1} << 62;
  requirements.alignment_bytes = 64;
  MemoryBlock block;
  EXPECT_EQ(kinds_.managers.at(kDeviceFactoryId)->Acquire(requirements, &block),
            Status::kOutOfMemory);
  ExpectHas(log_.text, "4611686018427387904 bytes");
  ExpectHas(log_.text, "CL_DEVICE_MAX_MEM_ALLOC_SIZE");
}

}  // namespace
}  // namespace opencl_test
}  // namespace backplane
