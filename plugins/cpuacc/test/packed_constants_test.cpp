#include "constants/packed_constants.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

GraphTensor Borrow(const std::vector<float>& content, std::int64_t count) {
  GraphTensor tensor;
  tensor.info = TensorInfo({count}, DataType::kFloat32);
  tensor.content = std::shared_ptr<const void>(content.data(), [](const void*) {});
  tensor.is_borrowed = true;
  return tensor;
}

TEST(PackedConstants, KeepsWholeConstantsThatBeginAtTheSameAddress) {
  const std::vector<float> content = {1, 2, 3, 4, 5};
  PackedConstants constants;
  const auto two = constants.Keep(Borrow(content, 2));
  const auto all = constants.Keep(Borrow(content, 5));
  EXPECT_NE(two, all);
  EXPECT_TRUE(std::equal(content.begin(), content.end(), static_cast<const float*>(all.get())));
}

TEST(PackedConstants, KeepsAConstantOnce) {
  const std::vector<float> content = {1, 2};
  PackedConstants constants;
  const auto first = constants.Keep(Borrow(content, 2));
  EXPECT_EQ(first, constants.Keep(Borrow(content, 2)));
  EXPECT_NE(first.get(), content.data());
}

}  // namespace
}  // namespace cpuacc
}  // namespace backplane
