#include "tensors/file_check.hpp"

#include "tensors/memory_file.hpp"

#include <gtest/gtest.h>

namespace backplane {
namespace {

const TensorInfo& Info() {
  static const TensorInfo kInfo({24}, DataType::kFloat32);
  return kInfo;
}

std::string Find(int file_descriptor, std::uint64_t offset_bytes, MemoryAccess access) {
  return FindFileFault(ViewOfFile(Info(), file_descriptor, offset_bytes), access);
}

std::string Descriptor(const OpenFile& file) {
  return "file descriptor " + std::to_string(file.Get());
}

TEST(FindFileFault, IsNoneForAFileThatHoldsTheTensor) {
  const MemoryFile file(4096 + 96);
  EXPECT_EQ(Find(file.Get(), 0, MemoryAccess::kReadWrite), "");
  EXPECT_EQ(Find(file.Get(), 4096, MemoryAccess::kReadWrite), "");
}

TEST(FindFileFault, NamesTheSizeOfAFileThatIsTooSmall) {
  const MemoryFile file(100);
  EXPECT_EQ(Find(file.Get(), 8, MemoryAccess::kRead),
            "found a file of 100 bytes; expected one that holds 96 bytes from offset 8 on");
  const MemoryFile nothing(0);
  EXPECT_EQ(Find(nothing.Get(), 0, MemoryAccess::kRead),
            "found a file of 0 bytes; expected one that holds 96 bytes from offset 0 on");
}

TEST(FindFileFault, DoesNotOverflow) {
  const MemoryFile file(100);
  const std::uint64_t last = ~std::uint64_t{0};
  EXPECT_EQ(Find(file.Get(), last - 3, MemoryAccess::kRead),
            "found a file of 100 bytes; expected one that holds 96 bytes from offset "
            "18446744073709551612 on");
  MemoryView view = ViewOfFile(Info(), file.Get(), 4);
  view.size_bytes = last;
  EXPECT_EQ(FindFileFault(view, MemoryAccess::kRead),
            "found a file of 100 bytes; expected one that holds 18446744073709551615 bytes from "
            "offset 4 on");
}

TEST(FindFileFault, NamesDescriptorsThatAreNotOpen) {
  EXPECT_EQ(Find(-1, 0, MemoryAccess::kRead),
            "found no file descriptor; expected one that is open");
  EXPECT_EQ(Find(1 << 30, 0, MemoryAccess::kRead),
            "found file descriptor 1073741824, which is not open; expected one that is open");
}

TEST(FindFileFault, NamesDescriptorsWithoutASize) {
  int ends[2] = {-1, -1};
  ASSERT_EQ(::pipe(ends), 0);
  const OpenFile reading(ends[0]);
  const OpenFile writing(ends[1]);
  const std::string expected = ", which has no size; expected a file or a dma-buf";
  EXPECT_EQ(Find(reading.Get(), 0, MemoryAccess::kRead), "found " + Descriptor(reading) + expected);
  const OpenFile directory(::open("/", O_RDONLY | O_CLOEXEC));
  EXPECT_EQ(Find(directory.Get(), 0, MemoryAccess::kRead),
            "found " + Descriptor(directory) + expected);
}

TEST(FindFileFault, NamesDescriptorsThatAreNotOpenForTheAccess) {
  const MemoryFile file(96);
  const OpenFile read_only(file.OpenAgain(O_RDONLY));
  EXPECT_EQ(Find(read_only.Get(), 0, MemoryAccess::kRead), "");
  const std::string both = "; expected it to be open for reading and writing";
  EXPECT_EQ(Find(read_only.Get(), 0, MemoryAccess::kWrite),
            "found " + Descriptor(read_only) + " open for reading" + both);
  const OpenFile write_only(file.OpenAgain(O_WRONLY));
  EXPECT_EQ(Find(write_only.Get(), 0, MemoryAccess::kWrite),
            "found " + Descriptor(write_only) + " open for writing only" + both);
  EXPECT_EQ(Find(write_only.Get(), 0, MemoryAccess::kRead),
            "found " + Descriptor(write_only) +
                " open for writing only; expected it to be open for reading");
  const OpenFile path(file.OpenAgain(O_PATH));
  EXPECT_EQ(
      Find(path.Get(), 0, MemoryAccess::kRead),
      "found " + Descriptor(path) + " open as a path only; expected it to be open for reading");
}

TEST(FindFileFault, NamesSealsThatForbidTheAccess) {
  for (const int seal : {F_SEAL_WRITE, F_SEAL_FUTURE_WRITE}) {
    const MemoryFile file(96);
    file.Seal(seal);
    EXPECT_EQ(Find(file.Get(), 0, MemoryAccess::kRead), "");
    EXPECT_EQ(Find(file.Get(), 0, MemoryAccess::kReadWrite),
              "found a file sealed against writing; expected one that can be written");
  }
  const MemoryFile fixed(96);
  fixed.Seal(F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL);
  EXPECT_EQ(Find(fixed.Get(), 0, MemoryAccess::kReadWrite), "");
}

TEST(FindFileFault, LeavesTheAccessToDmaBufsToTheirDevices) {
  const MemoryFile file(96);
  const OpenFile read_only(file.OpenAgain(O_RDONLY));
  MemoryView view = ViewOfFile(Info(), read_only.Get(), 0);
  view.source = MemorySource::kDmaBuf;
  EXPECT_EQ(FindFileFault(view, MemoryAccess::kReadWrite), "");
  view.offset_bytes = 4;
  EXPECT_NE(FindFileFault(view, MemoryAccess::kReadWrite), "");
}

TEST(FindFileFault, LeavesThePositionOfAFileWithContent) {
  const MemoryFile file(96);
  ASSERT_EQ(::lseek(file.Get(), 12, SEEK_SET), 12);
  EXPECT_EQ(Find(file.Get(), 0, MemoryAccess::kRead), "");
  EXPECT_EQ(::lseek(file.Get(), 0, SEEK_CUR), 12);
}

}  // namespace
}  // namespace backplane
