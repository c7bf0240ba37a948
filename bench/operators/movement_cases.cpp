#include "operator_case.hpp"

namespace bench {
namespace {

using namespace backplane;

const TensorShape kImage = {1, 64, 112, 112};

OperatorCase MakeTranspose(const char* name, const TensorShape& shape,
                           const std::vector<std::uint32_t>& permutation) {
  TransposeDescriptor descriptor;
  for (std::size_t axis = 0; axis < permutation.size(); ++axis) {
    descriptor.permutation[axis] = permutation[axis];
  }
  return {name,
          LayerType::kTranspose,
          std::make_shared<TransposeDescriptor>(descriptor),
          {Float(shape)}};
}

OperatorCase MakeSlice(const char* name, std::int64_t step) {
  SliceDescriptor descriptor;
  for (std::uint32_t axis = 0; axis < kImage.rank; ++axis) descriptor.extents[axis] = kImage[axis];
  descriptor.steps[3] = step;
  descriptor.starts[3] = step < 0 ? kImage[3] - 1 : 0;
  descriptor.extents[3] = kImage[3] / (step < 0 ? -step : step);
  return {name, LayerType::kSlice, std::make_shared<SliceDescriptor>(descriptor), {Float(kImage)}};
}

OperatorCase MakePad(const char* name, PaddingMode mode) {
  return {name,
          LayerType::kPad,
          Describe<PadDescriptor>([&](auto& d) {
            d.mode = mode;
            d.pads_begin[2] = d.pads_begin[3] = d.pads_end[2] = d.pads_end[3] = 1;
          }),
          {Float(kImage)}};
}

void AddIndexed(std::vector<OperatorCase>& cases) {
  const CaseInput table = Weights({30000, 256});
  cases.push_back({"gather 2048 of 30000 rows of 256",
                   LayerType::kGather,
                   Describe<GatherDescriptor>(),
                   {table, Indices({2048}, 29999)}});
  cases.push_back({"gather elements",
                   LayerType::kGatherElements,
                   Describe<GatherElementsDescriptor>([](auto& d) { d.axis = 1; }),
                   {Float({512, 1024}), Indices({512, 1024}, 1023)}});
  cases.push_back({"gather rows by position",
                   LayerType::kGatherNd,
                   Describe<GatherNdDescriptor>(),
                   {table, Indices({2048, 1}, 29999)}});
  cases.push_back({"scatter elements",
                   LayerType::kScatterElements,
                   Describe<ScatterElementsDescriptor>([](auto& d) { d.axis = 1; }),
                   {Float({512, 1024}), Indices({512, 1024}, 1023), Float({512, 1024})}});
  cases.push_back({"scatter rows by position",
                   LayerType::kScatterNd,
                   Describe<ScatterNdDescriptor>(),
                   {Float({4096, 256}), Indices({2048, 1}, 4095), Float({2048, 256})}});
  cases.push_back({"one-hot of 1000",
                   LayerType::kOneHot,
                   Describe<OneHotDescriptor>([](auto& d) {
                     d.axis = 1;
                     d.depth = 1000;
                   }),
                   {Indices({1024}, 999), Weights({2})}});
}

void AddBlocks(std::vector<OperatorCase>& cases) {
  const auto by_two = [](auto& d) { d.block_size = 2; };
  cases.push_back({"depth to space",
                   LayerType::kDepthToSpace,
                   Describe<DepthToSpaceDescriptor>(by_two),
                   {Float(kImage)}});
  cases.push_back({"space to depth",
                   LayerType::kSpaceToDepth,
                   Describe<SpaceToDepthDescriptor>(by_two),
                   {Float(kImage)}});
  const auto blocks = [](auto& d) { d.block[0] = d.block[1] = 2; };
  cases.push_back({"space to batch",
                   LayerType::kSpaceToBatch,
                   Describe<SpaceToBatchDescriptor>(blocks),
                   {Float(kImage)}});
  cases.push_back({"batch to space",
                   LayerType::kBatchToSpace,
                   Describe<BatchToSpaceDescriptor>(blocks),
                   {Float({4, 64, 56, 56})}});
}

}  // namespace

std::vector<OperatorCase> MakeMovementCases() {
  std::vector<OperatorCase> cases = {
      MakeTranspose("transpose NCHW to NHWC", kImage, {0, 2, 3, 1}),
      MakeTranspose("transpose NHWC to NCHW", {1, 112, 112, 64}, {0, 3, 1, 2}),
      MakeTranspose("transpose a matrix", {1024, 1024}, {1, 0}),
      MakeTranspose("transpose heads", {8, 197, 12, 64}, {0, 2, 1, 3}),
      MakeSlice("slice, every other element", 2),
      MakeSlice("slice backwards", -1),
      MakePad("pad with zeros", PaddingMode::kConstant),
      MakePad("pad by reflection", PaddingMode::kReflect),
  };
  cases.push_back({"concat over channels",
                   LayerType::kConcat,
                   Describe<ConcatDescriptor>([](auto& d) { d.axis = 1; }),
                   {Float(kImage), Float(kImage)}});
  cases.push_back({"expand",
                   LayerType::kExpand,
                   Describe<ExpandDescriptor>([](auto& d) {
                     d.rank = 4;
                     for (std::uint32_t axis = 0; axis < 4; ++axis) d.dims[axis] = kImage[axis];
                   }),
                   {Float({1, 64, 1, 112})}});
  cases.push_back({"tile",
                   LayerType::kTile,
                   Describe<TileDescriptor>([](auto& d) { d.repeats[2] = d.repeats[3] = 2; }),
                   {Float({1, 64, 56, 56})}});
  cases.push_back({"upper triangles",
                   LayerType::kTriangularPart,
                   Describe<TriangularPartDescriptor>(),
                   {Float({64, 112, 112})}});
  AddIndexed(cases);
  AddBlocks(cases);
  return cases;
}

}  // namespace bench
