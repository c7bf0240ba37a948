#include "tensors/host_tensor_handle.hpp"

#include <gtest/gtest.h>

namespace backplane {
namespace {

class HostTensorHandleTest : public testing::Test {
 protected:
  HostTensorHandleTest() {
    block_.data = memory_;
    block_.size_bytes = sizeof(memory_);
  }

  alignas(64) unsigned char memory_[256] = {};
  MemoryBlock block_;
  HostTensorHandle handle_{TensorInfo({2, 3, 4}, DataType::kFloat32), MemoryAccess::kReadWrite};
};

TEST_F(HostTensorHandleTest, HasNoViewUntilItIsBound) {
  EXPECT_EQ(handle_.GetMemoryView(), nullptr);
  MemoryView view;
  EXPECT_EQ(handle_.Map(MemoryAccess::kRead, &view), Status::kInvalidArgument);
  EXPECT_EQ(handle_.Export(MemorySource::kMalloc, &view), Status::kInvalidArgument);
}

TEST_F(HostTensorHandleTest, DescribesDenseMemory) {
  ASSERT_EQ(handle_.Bind(block_, 64), Status::kSuccess);
  const MemoryView& view = *handle_.GetMemoryView();
  EXPECT_EQ(view.data, memory_ + 64);
  EXPECT_EQ(view.size_bytes, 96U);
  EXPECT_EQ(view.alignment_bytes, 64U);
  EXPECT_EQ(view.rank, 3U);
  EXPECT_EQ(view.dims[2], 4);
  EXPECT_EQ(view.strides_bytes[0], 48);
  EXPECT_EQ(view.strides_bytes[1], 16);
  EXPECT_EQ(view.strides_bytes[2], 4);
  EXPECT_EQ(view.source, MemorySource::kMalloc);
  EXPECT_EQ(view.data_type, DataType::kFloat32);
}

TEST_F(HostTensorHandleTest, RejectsPlacesThatDoNotFit) {
  ASSERT_EQ(handle_.Bind(block_, 64), Status::kSuccess);
  EXPECT_EQ(handle_.Bind(block_, 192), Status::kInvalidArgument);
  EXPECT_EQ(handle_.Bind(block_, 2), Status::kInvalidArgument);
  EXPECT_EQ(handle_.Bind(block_, ~std::uint64_t{0}), Status::kInvalidArgument);
  EXPECT_EQ(handle_.Bind(MemoryBlock(), 0), Status::kInvalidArgument);
  EXPECT_EQ(handle_.GetMemoryView()->data, memory_ + 64);
}

TEST_F(HostTensorHandleTest, MapsWithinItsAccess) {
  HostTensorHandle constant(TensorInfo({4}, DataType::kInt8), MemoryAccess::kRead);
  ASSERT_EQ(constant.Bind(block_, 0), Status::kSuccess);
  MemoryView view;
  EXPECT_EQ(constant.Map(MemoryAccess::kRead, &view), Status::kSuccess);
  EXPECT_EQ(view.data, memory_);
  EXPECT_EQ(constant.Unmap(), Status::kSuccess);
  EXPECT_EQ(constant.Map(MemoryAccess::kReadWrite, &view), Status::kInvalidArgument);
  EXPECT_EQ(constant.Unmap(), Status::kInvalidArgument);
  EXPECT_EQ(constant.GetMemoryView()->access, MemoryAccess::kRead);
}

TEST_F(HostTensorHandleTest, IsMappedOnceAtATime) {
  ASSERT_EQ(handle_.Bind(block_, 0), Status::kSuccess);
  EXPECT_EQ(handle_.Unmap(), Status::kInvalidArgument);
  MemoryView view;
  ASSERT_EQ(handle_.Map(MemoryAccess::kWrite, &view), Status::kSuccess);
  EXPECT_EQ(handle_.Map(MemoryAccess::kRead, &view), Status::kInvalidArgument);
  EXPECT_EQ(handle_.Unmap(), Status::kSuccess);
  EXPECT_EQ(handle_.Unmap(), Status::kInvalidArgument);
  EXPECT_EQ(handle_.Map(MemoryAccess::kRead, &view), Status::kSuccess);
}

TEST_F(HostTensorHandleTest, ExportsMemoryWithAnAddress) {
  ASSERT_EQ(handle_.Bind(block_, 0), Status::kSuccess);
  MemoryView view;
  EXPECT_EQ(handle_.Export(MemorySource::kMalloc, &view), Status::kSuccess);
  EXPECT_EQ(view.size_bytes, 96U);
  EXPECT_EQ(handle_.Export(MemorySource::kDmaBuf, &view), Status::kUnsupported);
  EXPECT_EQ(handle_.Export(MemorySource::kUndefined, &view), Status::kUnsupported);
}

TEST_F(HostTensorHandleTest, ExportsTheFileOfItsBlockAsWhatItIs) {
  block_.file_descriptor = 7;
  block_.source = MemorySource::kFileDescriptor;
  ASSERT_EQ(handle_.Bind(block_, 128), Status::kSuccess);
  MemoryView view;
  ASSERT_EQ(handle_.Export(MemorySource::kFileDescriptor, &view), Status::kSuccess);
  EXPECT_EQ(view.source, MemorySource::kFileDescriptor);
  EXPECT_EQ(view.file_descriptor, 7);
  EXPECT_EQ(view.offset_bytes, 128U);
  EXPECT_EQ(handle_.Export(MemorySource::kDmaBuf, &view), Status::kUnsupported);
  ASSERT_EQ(handle_.Export(MemorySource::kMalloc, &view), Status::kSuccess);
  EXPECT_EQ(view.source, MemorySource::kMalloc);
  EXPECT_EQ(view.data, memory_ + 128);
  EXPECT_EQ(view.file_descriptor, -1);
}

TEST_F(HostTensorHandleTest, IsKnownByDescriptorAndOffsetWithoutAnAddress) {
  MemoryBlock block;
  block.file_descriptor = 7;
  block.source = MemorySource::kDmaBufProtected;
  block.size_bytes = 256;
  EXPECT_EQ(handle_.Bind(block, 2), Status::kInvalidArgument);
  EXPECT_EQ(handle_.Bind(block, 192), Status::kInvalidArgument);
  ASSERT_EQ(handle_.Bind(block, 128), Status::kSuccess);
  const MemoryView& view = *handle_.GetMemoryView();
  EXPECT_EQ(view.data, nullptr);
  EXPECT_EQ(view.file_descriptor, 7);
  EXPECT_EQ(view.offset_bytes, 128U);
  EXPECT_EQ(view.size_bytes, 96U);
  EXPECT_EQ(view.alignment_bytes, 64U);
  EXPECT_EQ(view.source, MemorySource::kDmaBufProtected);
}

TEST_F(HostTensorHandleTest, IsNotMappedWithoutAnAddress) {
  MemoryBlock block;
  block.file_descriptor = 7;
  block.source = MemorySource::kDmaBufProtected;
  block.size_bytes = 256;
  ASSERT_EQ(handle_.Bind(block, 0), Status::kSuccess);
  MemoryView view;
  EXPECT_EQ(handle_.Map(MemoryAccess::kRead, &view), Status::kUnsupported);
  EXPECT_EQ(handle_.Export(MemorySource::kMalloc, &view), Status::kUnsupported);
  EXPECT_EQ(view.data, nullptr);
}

TEST_F(HostTensorHandleTest, HoldsScalarsAndTensorsWithoutElements) {
  HostTensorHandle scalar(TensorInfo({}, DataType::kFloat64), MemoryAccess::kReadWrite);
  ASSERT_EQ(scalar.Bind(block_, 248), Status::kSuccess);
  EXPECT_EQ(scalar.GetMemoryView()->size_bytes, 8U);
  EXPECT_EQ(scalar.GetMemoryView()->alignment_bytes, 8U);
  HostTensorHandle empty(TensorInfo({3, 0}, DataType::kFloat32), MemoryAccess::kReadWrite);
  ASSERT_EQ(empty.Bind(block_, 256), Status::kSuccess);
  EXPECT_EQ(empty.GetMemoryView()->size_bytes, 0U);
  EXPECT_EQ(empty.GetMemoryView()->strides_bytes[0], 4);
}

}  // namespace
}  // namespace backplane
