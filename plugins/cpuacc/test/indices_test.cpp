#include "test/run_on_cpuacc.hpp"

#include <gtest/gtest.h>
#include <backplane/api/descriptors/gather.hpp>
#include <backplane/api/descriptors/gather_elements.hpp>
#include <backplane/api/descriptors/gather_nd.hpp>

#include <cstring>
#include <vector>

namespace backplane {
namespace cpuacc_test {
namespace {

StoredTensor MakeBytes(const TensorInfo& info, Random& random) {
  StoredTensor stored{info};
  for (unsigned char& byte : stored.bytes) {
    byte = static_cast<unsigned char>(random.Integer(0, 255));
  }
  return stored;
}

/// Some count from the end.
StoredTensor MakeIndices(const TensorShape& shape, std::int64_t extent, Random& random) {
  StoredTensor stored{TensorInfo(shape, DataType::kInt32)};
  for (std::size_t at = 0; at < stored.bytes.size(); at += sizeof(std::int32_t)) {
    const auto index = static_cast<std::int32_t>(random.Integer(-extent, extent - 1));
    std::memcpy(&stored.bytes[at], &index, sizeof(index));
  }
  return stored;
}

/// Large enough for several threads, which must not change anything.
template <typename Descriptor>
void ExpectAsCpuRef(LayerType type, const Descriptor& descriptor,
                    const std::vector<StoredTensor>& inputs, const TensorShape& output) {
  const TensorInfo info(output, inputs[0].info.data_type);
  const StoredTensor expected = RunStored(type, descriptor, inputs, info);
  for (const int num_threads : {1, 2, 3}) {
    const TestLayer layer(type, descriptor, {inputs[0].info, inputs[1].info}, info);
    EXPECT_EQ(RunOnCpuAcc(layer, inputs, {num_threads})[0].bytes, expected.bytes)
        << num_threads << " threads";
  }
}

TEST(Indices, GatherLongRunsInParts) {
  Random random(1);
  const StoredTensor values = MakeBytes(TensorInfo({2, 3, 50001}, DataType::kFloat32), random);
  for (const std::int64_t count : {0, 1, 4}) {
    GatherDescriptor descriptor;
    descriptor.axis = 1;
    ExpectAsCpuRef(LayerType::kGather, descriptor, {values, MakeIndices({count}, 3, random)},
                   {2, count, 50001});
  }
}

TEST(Indices, GatherElementsOfManyRows) {
  Random random(1);
  const StoredTensor values = MakeBytes(TensorInfo({5, 90, 70}, DataType::kInt16), random);
  for (GatherElementsDescriptor descriptor; descriptor.axis < 3; ++descriptor.axis) {
    TensorShape shape = {4, 80, 69};
    shape[descriptor.axis] = 300;
    ExpectAsCpuRef(LayerType::kGatherElements, descriptor,
                   {values, MakeIndices(shape, values.info.shape[descriptor.axis], random)}, shape);
  }
}

TEST(Indices, GatherSlicesOfManyPositionsInBatches) {
  Random random(1);
  const StoredTensor values = MakeBytes(TensorInfo({3, 20, 30, 2}, DataType::kFloat32), random);
  GatherNdDescriptor descriptor;
  descriptor.batch_dims = 1;
  ExpectAsCpuRef(LayerType::kGatherNd, descriptor, {values, MakeIndices({3, 15001, 2}, 2, random)},
                 {3, 15001, 2});
}

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
