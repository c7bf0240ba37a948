// The kinds of tensor memory, on the device of this machine.

#include "memory/kinds.hpp"

#include "test/kinds_case.hpp"

namespace backplane {
namespace opencl_test {
namespace {

TEST_F(KindsOfMemory, AreChosenByTheOption) {
  EXPECT_EQ(GetPreferences("device"), std::vector<std::string>{kDeviceFactoryId});
  EXPECT_EQ(GetPreferences("host-visible"), std::vector<std::string>{kHostVisibleFactoryId});
  EXPECT_GE(GetPreferences("auto").size(), 2U);
}

TEST_F(KindsOfMemory, ArePaddedOnTheDeviceAndDenseWhereTheHostSeesThem) {
  EXPECT_GT(GetRequirements(kDeviceFactoryId, LayerType::kActivation).size_bytes, 20U);
  EXPECT_EQ(GetRequirements(kHostVisibleFactoryId, LayerType::kActivation).size_bytes, 20U);
  EXPECT_EQ(GetRequirements(kHostVisibleFactoryId, LayerType::kActivation).alignment_bytes, 4U);
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
