#include "test/run_layer.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

namespace backplane {
namespace cpuref_test {
namespace {

BatchToSpaceDescriptor DescribeBatchToSpace(std::uint32_t block, std::uint32_t crop_begin,
                                            std::uint32_t crop_end) {
  BatchToSpaceDescriptor descriptor;
  descriptor.spatial_rank = 1;
  descriptor.block[0] = block;
  descriptor.crops_begin[0] = crop_begin;
  descriptor.crops_end[0] = crop_end;
  return descriptor;
}

using Row = std::vector<float>;

TEST(BatchToSpace, TakesThePlacesInABlockFromTheBatch) {
  EXPECT_EQ(RunLayer(LayerType::kBatchToSpace, DescribeBatchToSpace(2, 0, 0),
                     {{{2, 1, 2}, {1, 3, 2, 4}}}, {1, 1, 4}),
            (Row{1, 2, 3, 4}));
}

TEST(BatchToSpace, CropsWholeBlocksAndPartsOfThem) {
  const FloatTensor input = {{3, 1, 3}, {0, 3, 6, 1, 4, 7, 2, 5, 8}};
  EXPECT_EQ(RunLayer(LayerType::kBatchToSpace, DescribeBatchToSpace(3, 4, 1), {input}, {1, 1, 4}),
            (Row{4, 5, 6, 7}));
  EXPECT_TRUE(RunLayer(LayerType::kBatchToSpace, DescribeBatchToSpace(3, 4, 5), {input}, {1, 1, 0})
                  .empty());
}

TEST(BatchToSpace, RefusesWhatDoesNotFit) {
  const TensorInfo info({3, 1, 2}, DataType::kFloat32);
  const TensorInfo output({1, 1, 4}, DataType::kFloat32);
  EXPECT_EQ(GetRefusal({LayerType::kBatchToSpace, DescribeBatchToSpace(2, 0, 0), {info}, output}),
            "input 0 with shape [3, 1, 2] does not give an output with shape [1, 1, 4] with the "
            "blocks and the padding or crops of the descriptor");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
