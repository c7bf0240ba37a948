#include "tensors/host_import_fixture.hpp"

#include <utility>

namespace backplane {
namespace {

using HostImportFileTest = HostImportTest;

TEST_F(HostImportFileTest, MapsAFileAndDoesNotNeedItsDescriptorAnyMore) {
  MemoryFile file(4096);
  const int kept = ::dup(file.Get());
  ASSERT_EQ(handle_.Import(ViewOfFile(info_, kept, 0)), Status::kSuccess);
  ::close(kept);
  EXPECT_EQ(handle_.GetMemoryView()->file_descriptor, -1);
  EXPECT_EQ(handle_.GetMemoryView()->source, MemorySource::kMalloc);
  ExpectInFile(file, 0);
}

TEST_F(HostImportFileTest, MapsFilesFromOffsetsThatAreNotAtPages) {
  const auto page = static_cast<std::size_t>(::getpagesize());
  const MemoryFile file(2 * page + 256);
  // The last one crosses into the next page.
  for (const std::size_t offset : {std::size_t{4}, page, page + 160, 2 * page - 48}) {
    ASSERT_EQ(handle_.Import(ViewOfFile(info_, file.Get(), offset)), Status::kSuccess) << offset;
    ExpectInFile(file, offset);
  }
}

TEST_F(HostImportFileTest, RefusesFilesThatAreTooSmallOrMisaligned) {
  const MemoryFile file(4096);
  ExpectRefused(ViewOfFile(info_, file.Get(), 4096 - 92));
  ExpectRefused(ViewOfFile(info_, file.Get(), ~std::uint64_t{3}));
  ExpectRefused(ViewOfFile(info_, file.Get(), 2));
  MemoryView memory = ViewOfFile(info_, file.Get(), 0);
  memory.size_bytes = 92;
  ExpectRefused(memory);
  ASSERT_EQ(handle_.Import(ViewOfFile(info_, file.Get(), 4096 - 96)), Status::kSuccess);
  ExpectInFile(file, 4096 - 96);
}

TEST_F(HostImportFileTest, AFailedImportLeavesTheMappedFile) {
  const MemoryFile file(4096);
  ASSERT_EQ(handle_.Import(ViewOfFile(info_, file.Get(), 128)), Status::kSuccess);
  const MemoryFile small(64);
  ExpectRefused(ViewOfFile(info_, small.Get(), 0));
  ExpectRefused(ViewOfAddress(info_, nullptr));
  ExpectRefused(ViewOfFile(info_, 1 << 30, 0));
  ExpectInFile(file, 128);
}

TEST_F(HostImportFileTest, ReadsFilesThatAreSealedAgainstWriting) {
  for (const int seal : {F_SEAL_WRITE, F_SEAL_FUTURE_WRITE}) {
    const MemoryFile file(4096);
    file.Seal(seal);
    ExpectRefused(ViewOfFile(info_, file.Get(), 0));
    MemoryView memory = ViewOfFile(info_, file.Get(), 32);
    memory.access = MemoryAccess::kRead;
    ASSERT_EQ(handle_.Import(memory), Status::kSuccess);
    const auto* data = static_cast<const unsigned char*>(handle_.GetMemoryView()->data);
    EXPECT_EQ(data[3], MemoryFile::ExpectedByte(35));
    ASSERT_EQ(handle_.Unimport(), Status::kSuccess);
  }
}

TEST_F(HostImportFileTest, WritesOnlyWhereTheDescriptorAllowsIt) {
  const MemoryFile file(4096);
  const OpenFile read_only(file.OpenAgain(O_RDONLY));
  ExpectRefused(ViewOfFile(info_, read_only.Get(), 0));
  MemoryView memory = ViewOfFile(info_, read_only.Get(), 0);
  memory.access = MemoryAccess::kRead;
  EXPECT_EQ(handle_.Import(memory), Status::kSuccess);
}

TEST_F(HostImportFileTest, UnmapsTheFileWhenItReturns) {
  const MemoryFile file(4096);
  ASSERT_EQ(handle_.Import(ViewOfFile(info_, file.Get(), 0)), Status::kSuccess);
  EXPECT_TRUE(IsMappedForWriting(file));
  ASSERT_EQ(handle_.Unimport(), Status::kSuccess);
  EXPECT_FALSE(IsMappedForWriting(file));
}

TEST_F(HostImportFileTest, UnmapsTheFileWhenItImportsAnythingElse) {
  const MemoryFile next(4096);
  MemoryView dma_buf = ViewOfFile(info_, next.Get(), 0);
  dma_buf.source = MemorySource::kDmaBuf;
  const MemoryView others[] = {ViewOfFile(info_, next.Get(), 0), ViewOfAddress(info_, given_),
                               dma_buf};
  for (int i = 0; i < 3; ++i) {
    const MemoryFile file(4096);
    ASSERT_EQ(handle_.Import(ViewOfFile(info_, file.Get(), 0)), Status::kSuccess);
    ASSERT_EQ(handle_.Import(others[i]), Status::kSuccess);
    EXPECT_FALSE(IsMappedForWriting(file)) << i;
  }
}

TEST_F(HostImportFileTest, UnmapsTheFileAtItsEndOnceAlsoWhenItWasMoved) {
  const MemoryFile file(4096);
  {
    HostTensorHandle first(info_, MemoryAccess::kReadWrite);
    ASSERT_EQ(first.Import(ViewOfFile(info_, file.Get(), 0)), Status::kSuccess);
    const HostTensorHandle second(std::move(first));
    const auto* data = static_cast<const unsigned char*>(second.GetMemoryView()->data);
    EXPECT_EQ(data[5], MemoryFile::ExpectedByte(5));
    EXPECT_TRUE(IsMappedForWriting(file));
  }
  EXPECT_FALSE(IsMappedForWriting(file));
}

}  // namespace
}  // namespace backplane
