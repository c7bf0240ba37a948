#include "tensors/host_import_fixture.hpp"

#include <type_traits>
#include <vector>

namespace backplane {
namespace {

static_assert(std::is_nothrow_move_constructible_v<HostTensorHandle>);

TEST_F(HostImportTest, UsesAnAddressUntilItReturns) {
  EXPECT_EQ(handle_.Unimport(), Status::kInvalidArgument);
  MemoryView memory = ViewOfAddress(info_, given_ + 16);
  memory.size_bytes = 200;
  ASSERT_EQ(handle_.Import(memory), Status::kSuccess);
  const MemoryView& view = *handle_.GetMemoryView();
  EXPECT_EQ(view.data, given_ + 16);
  EXPECT_EQ(view.source, MemorySource::kMalloc);
  EXPECT_EQ(view.size_bytes, 96U);
  EXPECT_GE(view.alignment_bytes, 16U);
  EXPECT_EQ(view.strides_bytes[0], 48);
  EXPECT_EQ(handle_.Unimport(), Status::kSuccess);
  EXPECT_EQ(handle_.GetMemoryView()->data, bound_ + 64);
  EXPECT_EQ(handle_.Unimport(), Status::kInvalidArgument);
}

TEST_F(HostImportTest, KeepsWhatIsImportedWhenItIsBoundAgain) {
  ASSERT_EQ(handle_.Import(ViewOfAddress(info_, given_)), Status::kSuccess);
  ASSERT_EQ(handle_.Bind(block_, 128), Status::kSuccess);
  EXPECT_EQ(handle_.GetMemoryView()->data, given_);
  ASSERT_EQ(handle_.Unimport(), Status::kSuccess);
  EXPECT_EQ(handle_.GetMemoryView()->data, bound_ + 128);
}

TEST_F(HostImportTest, NeedsNoBoundMemory) {
  HostTensorHandle handle(info_, MemoryAccess::kReadWrite);
  ASSERT_EQ(handle.Import(ViewOfAddress(info_, given_)), Status::kSuccess);
  EXPECT_EQ(handle.GetMemoryView()->data, given_);
  ASSERT_EQ(handle.Unimport(), Status::kSuccess);
  EXPECT_EQ(handle.GetMemoryView(), nullptr);
}

TEST_F(HostImportTest, RefusesWhatIsNotTheTensor) {
  MemoryView memory = ViewOfAddress(info_, given_);
  memory.dims[2] = 5;
  ExpectRefused(memory);
  memory = ViewOfAddress(info_, given_);
  memory.data_type = DataType::kInt32;
  ExpectRefused(memory);
  memory = ViewOfAddress(info_, given_);
  memory.rank = 4000000000U;
  ExpectRefused(memory);
  memory = ViewOfAddress(info_, given_);
  memory.layout = TensorLayout::kOpaque;
  ExpectRefused(memory);
}

TEST_F(HostImportTest, RefusesStridesSizesAndPlacesThatDoNotFit) {
  MemoryView memory = ViewOfAddress(info_, given_);
  memory.strides_bytes[1] = 20;
  ExpectRefused(memory);
  memory = ViewOfAddress(info_, given_);
  memory.size_bytes = 95;
  ExpectRefused(memory);
  ExpectRefused(ViewOfAddress(info_, given_ + 2));
  ExpectRefused(ViewOfAddress(info_, nullptr));
  ExpectRefused(ViewOfFile(info_, -1, 0));
}

TEST_F(HostImportTest, RefusesSourcesItDoesNotKnow) {
  for (const std::uint32_t source : {0U, 3U, 16U}) {
    MemoryView memory = ViewOfAddress(info_, given_);
    memory.source = static_cast<MemorySource>(source);
    ExpectRefused(memory, Status::kUnsupported);
  }
}

TEST_F(HostImportTest, AllowsWhatBothTheMemoryAndTheHandleAllow) {
  MemoryView memory = ViewOfAddress(info_, given_);
  memory.access = MemoryAccess::kRead;
  ASSERT_EQ(handle_.Import(memory), Status::kSuccess);
  EXPECT_EQ(handle_.GetMemoryView()->access, MemoryAccess::kRead);
  MemoryView view;
  EXPECT_EQ(handle_.Map(MemoryAccess::kWrite, &view), Status::kInvalidArgument);
  HostTensorHandle constant(info_, MemoryAccess::kRead);
  memory.access = MemoryAccess::kReadWrite;
  ASSERT_EQ(constant.Import(memory), Status::kSuccess);
  EXPECT_EQ(constant.GetMemoryView()->access, MemoryAccess::kRead);
  memory.access = MemoryAccess::kWrite;
  EXPECT_EQ(constant.Import(memory), Status::kInvalidArgument);
}

TEST_F(HostImportTest, KnowsDmaBufsByDescriptorAndOffset) {
  const MemoryFile file(4096);
  for (const auto source : {MemorySource::kDmaBuf, MemorySource::kDmaBufProtected}) {
    MemoryView memory = ViewOfFile(info_, file.Get(), 128);
    memory.source = source;
    ASSERT_EQ(handle_.Import(memory), Status::kSuccess);
    const MemoryView& view = *handle_.GetMemoryView();
    EXPECT_EQ(view.data, nullptr);
    EXPECT_EQ(view.file_descriptor, file.Get());
    EXPECT_EQ(view.offset_bytes, 128U);
    EXPECT_EQ(view.source, source);
    EXPECT_EQ(view.alignment_bytes, 64U);
    MemoryView mapped;
    EXPECT_EQ(handle_.Map(MemoryAccess::kRead, &mapped), Status::kUnsupported);
    EXPECT_EQ(handle_.Unmap(), Status::kInvalidArgument);
    memory.offset_bytes = 130;
    ExpectRefused(memory);
    memory.file_descriptor = -1;
    ExpectRefused(memory);
  }
  EXPECT_FALSE(IsMappedForWriting(file));
}

TEST_F(HostImportTest, ForgetsTheDescriptorOfADmaBufWithTheNextImport) {
  const MemoryFile file(4096);
  MemoryView memory = ViewOfFile(info_, file.Get(), 16);
  memory.source = MemorySource::kDmaBuf;
  ASSERT_EQ(handle_.Import(memory), Status::kSuccess);
  EXPECT_EQ(handle_.GetMemoryView()->alignment_bytes, 16U);
  ASSERT_EQ(handle_.Import(ViewOfAddress(info_, given_)), Status::kSuccess);
  const MemoryView& view = *handle_.GetMemoryView();
  EXPECT_EQ(view.file_descriptor, -1);
  EXPECT_EQ(view.offset_bytes, 0U);
  EXPECT_EQ(view.alignment_bytes, 64U);
}

TEST_F(HostImportTest, ExportsWhatIsImported) {
  const MemoryFile file(4096);
  MemoryView memory = ViewOfFile(info_, file.Get(), 128);
  memory.source = MemorySource::kDmaBuf;
  ASSERT_EQ(handle_.Import(memory), Status::kSuccess);
  MemoryView exported;
  ASSERT_EQ(handle_.Export(MemorySource::kDmaBuf, &exported), Status::kSuccess);
  EXPECT_EQ(exported.file_descriptor, file.Get());
  EXPECT_EQ(exported.offset_bytes, 128U);
  EXPECT_EQ(handle_.Export(MemorySource::kMalloc, &exported), Status::kUnsupported);
  EXPECT_EQ(handle_.Export(MemorySource::kDmaBufProtected, &exported), Status::kUnsupported);
  ASSERT_EQ(handle_.Import(ViewOfFile(info_, file.Get(), 128)), Status::kSuccess);
  ASSERT_EQ(handle_.Export(MemorySource::kMalloc, &exported), Status::kSuccess);
  EXPECT_EQ(exported.data, handle_.GetMemoryView()->data);
  EXPECT_EQ(handle_.Export(MemorySource::kFileDescriptor, &exported), Status::kUnsupported);
}

TEST_F(HostImportTest, ChangesNothingWhileItIsMapped) {
  ASSERT_EQ(handle_.Import(ViewOfAddress(info_, given_)), Status::kSuccess);
  MemoryView view;
  ASSERT_EQ(handle_.Map(MemoryAccess::kReadWrite, &view), Status::kSuccess);
  EXPECT_EQ(view.data, given_);
  ExpectRefused(ViewOfAddress(info_, given_ + 64));
  EXPECT_EQ(handle_.Unimport(), Status::kInvalidArgument);
  EXPECT_EQ(handle_.Bind(block_, 0), Status::kInvalidArgument);
  ASSERT_EQ(handle_.Unmap(), Status::kSuccess);
  EXPECT_EQ(handle_.Unimport(), Status::kSuccess);
}

TEST_F(HostImportTest, GivesTensorsWithoutElementsAnAddress) {
  const TensorInfo empty({2, 0}, DataType::kFloat32);
  const MemoryFile file(0);
  for (const MemoryView& memory :
       {ViewOfAddress(empty, nullptr), ViewOfFile(empty, file.Get(), 0)}) {
    HostTensorHandle handle(empty, MemoryAccess::kReadWrite);
    ASSERT_EQ(handle.Import(memory), Status::kSuccess);
    EXPECT_NE(handle.GetMemoryView()->data, nullptr);
    EXPECT_EQ(handle.GetMemoryView()->size_bytes, 0U);
  }
}

TEST(HostTensorHandles, LieInAVectorThatGrows) {
  alignas(64) unsigned char memory[256] = {};
  MemoryBlock block;
  block.data = memory;
  block.size_bytes = sizeof(memory);
  const TensorInfo info({4}, DataType::kFloat32);
  std::vector<HostTensorHandle> handles;
  for (std::uint64_t i = 0; i < 16; ++i) {
    handles.emplace_back(info, MemoryAccess::kReadWrite);
    ASSERT_EQ(handles.back().Bind(block, 16 * i), Status::kSuccess);
  }
  for (std::uint64_t i = 0; i < 16; ++i) {
    EXPECT_EQ(handles[i].GetMemoryView()->data, memory + 16 * i);
  }
}

}  // namespace
}  // namespace backplane
