#include "tensors/memory_check.hpp"

#include "tensors/memory_file.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace backplane {
namespace {

constexpr std::int64_t kMemoryCheckHuge = std::numeric_limits<std::int64_t>::max();
constexpr MemorySourceFlags kAllSources = 15;

class FindImportFaultTest : public testing::Test {
 protected:
  FindImportFaultTest() {
    rules_.info = &info_;
    rules_.requirements.size_bytes = 96;
    rules_.requirements.alignment_bytes = 64;
    rules_.sources = kAllSources;
    rules_.access = MemoryAccess::kReadWrite;
  }

  std::string Find() const { return FindImportFault(view_, rules_); }

  TensorInfo info_{{2, 3, 4}, DataType::kFloat32};
  alignas(64) unsigned char memory_[256] = {};
  MemoryView view_ = ViewOfAddress(info_, memory_);
  ImportRules rules_;
};

TEST_F(FindImportFaultTest, IsNoneForDenseMemoryThatFits) {
  EXPECT_EQ(Find(), "");
  view_.size_bytes = 200;
  EXPECT_EQ(Find(), "");
}

TEST_F(FindImportFaultTest, NamesBothTensors) {
  view_.dims[1] = 5;
  EXPECT_EQ(Find(), "found float32 [2, 5, 4]; expected float32 [2, 3, 4]");
  view_ = ViewOfAddress(info_, memory_);
  view_.data_type = DataType::kInt32;
  EXPECT_EQ(Find(), "found int32 [2, 3, 4]; expected float32 [2, 3, 4]");
  view_ = ViewOfAddress(info_, memory_);
  view_.rank = 2;
  EXPECT_EQ(Find(), "found float32 [2, 3]; expected float32 [2, 3, 4]");
}

TEST_F(FindImportFaultTest, ReadsNoMoreAxesThanThereAre) {
  view_.rank = 4000000000U;
  EXPECT_EQ(Find(), "found a tensor of rank 4000000000; expected float32 [2, 3, 4]");
}

TEST_F(FindImportFaultTest, RefusesOpaqueLayouts) {
  view_.layout = TensorLayout::kOpaque;
  EXPECT_EQ(Find(), "found a tensor of opaque layout; expected one that is dense");
}

TEST_F(FindImportFaultTest, NamesStridesThatAreNotDense) {
  const std::int64_t wrong_strides[] = {0, -16, 12, 20, kMemoryCheckHuge, -kMemoryCheckHuge - 1};
  for (const std::int64_t wrong : wrong_strides) {
    view_.strides_bytes[1] = wrong;
    EXPECT_EQ(Find(), "found strides of [48, " + std::to_string(wrong) +
                          ", 4] bytes; expected dense ones, [48, 16, 4]");
  }
}

TEST_F(FindImportFaultTest, IgnoresStridesThatAreNeverUsed) {
  const TensorInfo info({1, 4}, DataType::kFloat32);
  rules_.info = &info;
  rules_.requirements.size_bytes = 16;
  view_ = ViewOfAddress(info, memory_);
  view_.strides_bytes[0] = -kMemoryCheckHuge;
  EXPECT_EQ(Find(), "");
  const TensorInfo empty({3, 0}, DataType::kFloat32);
  rules_.info = &empty;
  rules_.requirements.size_bytes = 0;
  view_ = ViewOfAddress(empty, memory_);
  view_.strides_bytes[0] = -kMemoryCheckHuge;
  EXPECT_EQ(Find(), "");
}

TEST_F(FindImportFaultTest, NamesTheBytesThatAreMissing) {
  view_.size_bytes = 95;
  EXPECT_EQ(Find(), "found 95 bytes; expected 96 bytes");
  view_.size_bytes = 100;
  rules_.requirements.size_bytes = 128;
  EXPECT_EQ(Find(), "found 100 bytes; expected 128 bytes");
  rules_.requirements.size_bytes = 0;
  view_.size_bytes = 95;
  EXPECT_EQ(Find(), "found 95 bytes; expected 96 bytes");
}

TEST_F(FindImportFaultTest, NamesMemoryThatReachesBeyondTheLastAddress) {
  view_.size_bytes = ~std::uint64_t{0};
  EXPECT_EQ(Find(),
            "found 18446744073709551615 bytes that reach beyond the last address; "
            "expected memory that ends before it");
}

TEST_F(FindImportFaultTest, NamesTheAlignmentOfAnAddress) {
  view_.data = memory_ + 8;
  EXPECT_EQ(Find(),
            "found an address that is a multiple of 8 and no more; expected a multiple of 64");
  rules_.requirements.alignment_bytes = 8;
  EXPECT_EQ(Find(), "");
  view_.data = memory_ + 2;
  rules_.requirements.alignment_bytes = 0;
  EXPECT_EQ(Find(),
            "found an address that is a multiple of 2 and no more; expected a multiple of 4");
}

TEST_F(FindImportFaultTest, HoldsToAlignmentsThatAreNoPowerOfTwo) {
  const MemoryFile file(256);
  view_ = ViewOfFile(info_, file.Get(), 6);
  rules_.requirements.alignment_bytes = 6;
  EXPECT_EQ(Find(), "found the offset 6 in the file; expected a multiple of 6 and of 4");
  view_.offset_bytes = 12;
  EXPECT_EQ(Find(), "");
}

TEST_F(FindImportFaultTest, NamesTheAlignmentOfAnOffset) {
  const MemoryFile file(256);
  view_ = ViewOfFile(info_, file.Get(), 32);
  EXPECT_EQ(Find(), "found the offset 32 in the file; expected a multiple of 64");
  view_.offset_bytes = 64;
  EXPECT_EQ(Find(), "");
}

TEST_F(FindImportFaultTest, NamesSourcesThatAreNotImported) {
  rules_.sources = ToFlags(MemorySource::kDmaBuf) | ToFlags(MemorySource::kFileDescriptor);
  EXPECT_EQ(Find(), "found memory of the source malloc; expected file descriptor or dma-buf");
  rules_.sources = 0;
  EXPECT_EQ(Find(), "found memory of the source malloc; expected none");
}

TEST_F(FindImportFaultTest, RefusesSourcesThatAreNotOneKnownBit) {
  view_.source = MemorySource::kUndefined;
  rules_.sources = ToFlags(MemorySource::kMalloc);
  EXPECT_EQ(Find(), "found memory of the source none; expected malloc");
  rules_.sources = ~MemorySourceFlags{0};
  for (const std::uint32_t unknown : {3U, 16U, 0x80000001U}) {
    view_.source = static_cast<MemorySource>(unknown);
    EXPECT_EQ(Find(), "found memory of the unknown source " + std::to_string(unknown) +
                          "; expected malloc or file descriptor or dma-buf or protected dma-buf");
  }
}

TEST_F(FindImportFaultTest, NeedsAnAddressForElementsOnly) {
  view_.data = nullptr;
  EXPECT_EQ(Find(), "found no address; expected that of 96 bytes");
  const TensorInfo empty({2, 0}, DataType::kFloat32);
  rules_.info = &empty;
  rules_.requirements.size_bytes = 0;
  view_ = ViewOfAddress(empty, nullptr);
  EXPECT_EQ(Find(), "");
}

TEST_F(FindImportFaultTest, DoesNotLookAtTheDescriptorOfMemoryWithAnAddress) {
  view_.file_descriptor = 1 << 30;
  EXPECT_EQ(Find(), "");
}

TEST_F(FindImportFaultTest, RefusesProtectedMemoryWithAnAddress) {
  const MemoryFile file(256);
  view_ = ViewOfFile(info_, file.Get(), 0);
  view_.source = MemorySource::kDmaBufProtected;
  EXPECT_EQ(Find(), "");
  view_.data = memory_;
  EXPECT_EQ(Find(), "found protected memory with an address; expected no address");
}

TEST_F(FindImportFaultTest, NamesTheAccessThatIsMissing) {
  view_.access = MemoryAccess::kRead;
  EXPECT_EQ(Find(), "found memory for reading; expected memory for reading and writing");
  rules_.access = MemoryAccess::kWrite;
  EXPECT_EQ(Find(), "found memory for reading; expected memory for writing");
  rules_.access = MemoryAccess::kRead;
  EXPECT_EQ(Find(), "");
  view_.access = MemoryAccess{};
  EXPECT_EQ(Find(), "found memory for access 0; expected memory for reading");
}

TEST_F(FindImportFaultTest, TellsEverythingAtOnce) {
  view_.dims[0] = 1;
  view_.size_bytes = 48;
  view_.data = memory_ + 16;
  view_.access = MemoryAccess::kRead;
  EXPECT_EQ(Find(),
            "found float32 [1, 3, 4]; expected float32 [2, 3, 4]; found 48 bytes; expected 96 "
            "bytes; found an address that is a multiple of 16 and no more; expected a multiple of "
            "64; found memory for reading; expected memory for reading and writing");
}

TEST(CompleteView, FillsInWhatIsNotSaid) {
  const TensorInfo info({2, 3}, DataType::kInt16);
  MemoryView memory;
  memory.size_bytes = 12;
  const MemoryView view = CompleteView(memory, info);
  EXPECT_EQ(view.data_type, DataType::kInt16);
  EXPECT_EQ(view.rank, 2U);
  EXPECT_EQ(view.dims[1], 3);
  EXPECT_EQ(view.strides_bytes[0], 6);
  EXPECT_EQ(view.strides_bytes[1], 2);
  EXPECT_EQ(view.size_bytes, 12U);
}

TEST(CompleteView, LeavesWhatIsSaid) {
  MemoryView scalar;
  scalar.data_type = DataType::kInt8;
  const TensorInfo info({2, 3}, DataType::kInt16);
  EXPECT_EQ(CompleteView(scalar, info).rank, 0U);
  EXPECT_EQ(CompleteView(scalar, info).data_type, DataType::kInt8);
  MemoryView untyped;
  untyped.rank = 1;
  EXPECT_EQ(CompleteView(untyped, info).rank, 1U);
}

TEST(DescribeSources, NamesThemInTheirOrder) {
  EXPECT_EQ(DescribeSources(0), "none");
  EXPECT_EQ(DescribeSources(4), "dma-buf");
  EXPECT_EQ(DescribeSources(9), "malloc or protected dma-buf");
}

}  // namespace
}  // namespace backplane
