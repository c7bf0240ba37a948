#include "tensors/copy_tensor.hpp"

#include "tensors/dense_layout.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace backplane {
namespace {

constexpr unsigned char kUntouched = 0xEE;

/// A tensor in memory of its own, with `padding_bytes` more for each index along `padded_axis`.
struct TestTensor {
  TestTensor(const TensorShape& shape, DataType type) { SetDenseLayout(view, {shape, type}); }

  TestTensor& Pad(std::uint32_t padded_axis, std::int64_t padding_bytes) {
    view.strides_bytes[padded_axis] += padding_bytes;
    for (std::uint32_t axis = padded_axis; axis-- > 0;) {
      view.strides_bytes[axis] = view.strides_bytes[axis + 1] * view.dims[axis + 1];
    }
    return *this;
  }
  TestTensor& Allocate() {
    std::int64_t size = GetDataTypeSizeBytes(view.data_type);
    for (std::uint32_t axis = 0; axis < view.rank; ++axis) {
      size += (view.dims[axis] - 1) * view.strides_bytes[axis];
    }
    // Exactly as many bytes as are reached, so that sanitizers see any other.
    memory.assign(static_cast<std::size_t>(size), kUntouched);
    return *this;
  }
  TestTensor& Fill() {
    ForEachByte([&](std::size_t byte, std::size_t number) {
      memory[byte] = static_cast<unsigned char>(number % 200);
    });
    return *this;
  }

  /// Calls with the place of each byte of each element, and its number in a dense tensor.
  template <typename Function>
  void ForEachByte(const Function& function) const {
    std::size_t number = 0;
    std::vector<std::int64_t> index(view.rank, 0);
    for (;;) {
      std::size_t place = 0;
      for (std::uint32_t axis = 0; axis < view.rank; ++axis) {
        place += static_cast<std::size_t>(index[axis] * view.strides_bytes[axis]);
      }
      for (std::size_t i = 0; i < GetDataTypeSizeBytes(view.data_type); ++i) {
        function(place + i, number++);
      }
      std::uint32_t axis = view.rank;
      while (axis > 0 && ++index[axis - 1] == view.dims[axis - 1]) index[--axis] = 0;
      if (axis == 0) return;
    }
  }

  MemoryView view;
  std::vector<unsigned char> memory;
};

void ExpectCopied(TestTensor from, TestTensor to) {
  from.view.data = from.memory.data();
  to.view.data = to.memory.data();
  std::vector<unsigned char> expected(to.memory.size(), kUntouched);
  to.ForEachByte([&](std::size_t byte, std::size_t number) {
    expected[byte] = static_cast<unsigned char>(number % 200);
  });
  CopyTensor(from.view, to.view);
  EXPECT_EQ(to.memory, expected);
}

TEST(CopyTensor, CopiesDenseTensors) {
  const auto from = TestTensor({2, 3, 4}, DataType::kFloat32).Allocate().Fill();
  ExpectCopied(from, TestTensor({2, 3, 4}, DataType::kFloat32).Allocate());
}

TEST(CopyTensor, CopiesBetweenDifferentPaddingAndLeavesThePaddingAlone) {
  const TensorShape shape{2, 3, 4, 5};
  for (std::uint32_t from_axis = 0; from_axis < 4; ++from_axis) {
    for (std::uint32_t to_axis = 0; to_axis < 4; ++to_axis) {
      const auto from = TestTensor(shape, DataType::kInt16).Pad(from_axis, 6).Allocate().Fill();
      ExpectCopied(from, TestTensor(shape, DataType::kInt16).Pad(to_axis, 10).Allocate());
    }
  }
}

TEST(CopyTensor, CopiesWhatIsPaddedAlongSeveralAxes) {
  const TensorShape shape{3, 2, 2, 3};
  const auto from = TestTensor(shape, DataType::kFloat32).Pad(3, 4).Pad(1, 8).Allocate().Fill();
  ExpectCopied(from, TestTensor(shape, DataType::kFloat32).Pad(2, 12).Pad(0, 4).Allocate());
}

TEST(CopyTensor, PassesOverAxesOfOneIndexWhateverTheirStride) {
  auto from = TestTensor({1, 6, 1, 2}, DataType::kFloat32).Pad(1, 8).Allocate().Fill();
  from.view.strides_bytes[0] = 123456789;
  from.view.strides_bytes[2] = -1;
  ExpectCopied(from, TestTensor({1, 6, 1, 2}, DataType::kFloat32).Allocate());
}

TEST(CopyTensor, CopiesTheHighestRank) {
  const TensorShape shape{2, 1, 2, 3, 1, 2, 2, 2};
  const auto from = TestTensor(shape, DataType::kFloat64).Pad(5, 16).Allocate().Fill();
  ExpectCopied(from, TestTensor(shape, DataType::kFloat64).Pad(7, 8).Allocate());
}

TEST(CopyTensor, CopiesScalars) {
  const auto from = TestTensor({}, DataType::kFloat64).Allocate().Fill();
  ExpectCopied(from, TestTensor({}, DataType::kFloat64).Allocate());
}

TEST(CopyTensor, TouchesNothingWithoutElements) {
  MemoryView from;
  SetDenseLayout(from, TensorInfo({4, 0, 2}, DataType::kFloat32));
  unsigned char byte = kUntouched;
  MemoryView to = from;
  to.data = &byte;
  CopyTensor(from, to);
  EXPECT_EQ(byte, kUntouched);
}

}  // namespace
}  // namespace backplane
