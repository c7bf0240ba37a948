/// Networks that are built layer by layer and have open extents.

#include "expect_diagnostic.hpp"
#include "test_networks.hpp"

#include <backplane/runtime/network_source.hpp>
#include <backplane/runtime/tensor_observer.hpp>

#include <algorithm>
#include <limits>

namespace backplane {
namespace {

TEST(OpenNetwork, TellsWhatDependsOnOpenExtents) {
  auto network = INetwork::Create("net");
  const OutputSlot x = network->AddInputLayer(Float({kOpenExtent, 3}), "x", {{0, "N", {1, 8}}});
  const OutputSlot w = network->AddInputLayer(Float({3}), "w");
  const LayerId sum = AddSum(*network, x, w, "sum");
  const LayerId view = AddView(*network, {sum, 0}, {kOpenExtent, 3, 1}, "view");
  network->AddOutputLayer({view, 0}, "y");
  EXPECT_EQ(network->GetTensorInfo({sum, 0}), Float({kOpenExtent, 3}));
  EXPECT_EQ(network->GetInputs()[0].info, Float({kOpenExtent, 3}));
  EXPECT_EQ(network->GetInputs()[1].info, Float({3}));
  EXPECT_EQ(network->GetOutputs()[0].info, Float({kOpenExtent, 3, 1}));
  EXPECT_EQ(network->GetNumOperators(), 2U);
}

TEST(OpenNetwork, MayBeginWithKnownExtents) {
  auto network = INetwork::Create("net");
  const OutputSlot known = network->AddInputLayer(Float({4}), "known");
  const LayerId relu = AddRelu(*network, known, "relu");
  const OutputSlot x = network->AddInputLayer(Float({kOpenExtent, 1}), "x");
  const LayerId sum = AddSum(*network, {relu, 0}, x, "sum");
  EXPECT_EQ(network->GetTensorInfo({relu, 0}), Float({4}));
  EXPECT_EQ(network->GetTensorInfo({sum, 0}), Float({kOpenExtent, 4}));
}

TEST(OpenNetwork, RefusesLayersThatAreWrongForSomeExtents) {
  auto network = INetwork::Create("net");
  const OutputSlot x = network->AddInputLayer(Float({kOpenExtent}), "x", {{0, "N", {}}});
  const OutputSlot y = network->AddInputLayer(Float({kOpenExtent}), "y", {{0, "M", {}}});
  const OutputSlot same = network->AddInputLayer(Float({kOpenExtent}), "same", {{0, "N", {}}});
  const Diagnostic great = CatchDiagnostic([&] { AddSum(*network, x, y, "sum"); });
  ExpectDiagnostic(great, DiagnosticCode::kWrongShape, "sum", "N as 1031, M as 1033",
                   "extents that are equal or 1");
  EXPECT_NE(great.fix.find("bounds, or one name"), std::string::npos) << great.fix;
  EXPECT_EQ(network->GetNumOperators(), 0U);
  EXPECT_EQ(network->GetTensorInfo({AddSum(*network, x, same, "sum"), 0}), Float({kOpenExtent}));
  const Diagnostic least = CatchDiagnostic([&] { AddView(*network, x, {2, kOpenExtent, 2}, "v"); });
  EXPECT_EQ(network->GetNumOperators(), 1U);
  EXPECT_NE(least.why.find("N as 1"), std::string::npos) << least.why;
}

TEST(OpenNetwork, IsRightWithinBounds) {
  auto network = INetwork::Create("net");
  const OutputSlot x = network->AddInputLayer(Float({1, 2, kOpenExtent, kOpenExtent}), "x",
                                              {{2, "H", {3, kUnbounded}}, {3, "W", {3, 64}}});
  PoolingDescriptor window;
  window.spatial_rank = 2;
  window.kernel[0] = window.kernel[1] = 3;
  const LayerId pool = AddLayer<LayerType::kPooling>(*network, window, {x}, "pool");
  EXPECT_EQ(network->GetTensorInfo({pool, 0}), Float({1, 2, kOpenExtent, kOpenExtent}));
  const OutputSlot small = network->AddInputLayer(Float({1, 2, kOpenExtent, 8}), "small");
  const Diagnostic wrong = CatchDiagnostic(
      [&] { AddLayer<LayerType::kPooling>(*network, window, {small}, "too small"); });
  EXPECT_NE(wrong.why.find("axis 2 of layer \"small\" (Input) as 1"), std::string::npos)
      << wrong.why;
}

TEST(OpenNetwork, ClosesDescriptors) {
  auto network = INetwork::Create("net");
  const OutputSlot x = network->AddInputLayer(Float({kOpenExtent, kOpenExtent, 6}), "x",
                                              {{0, "N", {}}, {1, "L", {4, kUnbounded}}});
  const LayerId heads =
      AddView(*network, x, {kOpenExtent, kOpenExtent, 2, 3}, "as many as are open");
  EXPECT_EQ(network->GetTensorInfo({heads, 0}), Float({kOpenExtent, kOpenExtent, 2, 3}));
  const LayerId rows = AddView(*network, x, {kOpenExtent, 6}, "what is left");
  EXPECT_EQ(network->GetTensorInfo({rows, 0}), Float({kOpenExtent, 6}));
  SliceDescriptor slice;
  slice.extents[0] = kOpenExtent;
  slice.extents[1] = kOpenExtent;
  slice.starts[1] = 3;
  slice.steps[1] = -2;
  slice.extents[2] = 6;
  const LayerId part = AddLayer<LayerType::kSlice>(*network, slice, {x}, "two rows");
  EXPECT_EQ(network->GetTensorInfo({part, 0}), Float({kOpenExtent, 2, 6}));
  slice.starts[1] = 5;  // beyond the least
  EXPECT_EQ(
      CatchDiagnostic([&] { AddLayer<LayerType::kSlice>(*network, slice, {x}, "none"); }).code,
      DiagnosticCode::kInvalidDescriptor);
  ExpandDescriptor expand;
  expand.rank = 4;
  expand.dims[0] = 5;
  expand.dims[1] = expand.dims[2] = kOpenExtent;
  expand.dims[3] = 6;
  const LayerId five = AddLayer<LayerType::kExpand>(*network, expand, {x}, "five times");
  EXPECT_EQ(network->GetTensorInfo({five, 0}), Float({5, kOpenExtent, kOpenExtent, 6}));
  expand.dims[0] = kOpenExtent;
  EXPECT_EQ(
      CatchDiagnostic([&] { AddLayer<LayerType::kExpand>(*network, expand, {x}, "any"); }).code,
      DiagnosticCode::kInvalidDescriptor);
}

TEST(OpenNetwork, FlattensOpenTensors) {
  auto network = INetwork::Create("net");
  const OutputSlot x = network->AddInputLayer(Float({kOpenExtent, 6}), "x");
  const LayerId flat = AddView(*network, x, {kOpenExtent}, "flat");
  EXPECT_EQ(network->GetTensorInfo({flat, 0}), Float({kOpenExtent}));
  const LayerId triples = AddView(*network, x, {kOpenExtent, 3}, "triples");
  EXPECT_EQ(network->GetTensorInfo({triples, 0}), Float({kOpenExtent, 3}));
  const OutputSlot empty = network->AddInputLayer(Float({kOpenExtent, 0}), "empty");
  const LayerId nothing = AddView(*network, empty, {kOpenExtent, 0}, "nothing");
  EXPECT_EQ(network->GetTensorInfo({nothing, 0}), Float({kOpenExtent, 0}));
}

TEST(OpenNetwork, ReadsNoExtentsBehindTheRank) {
  auto network = INetwork::Create("net");
  const OutputSlot x = network->AddInputLayer(Float({kOpenExtent, 6}), "x", {{0, "N", {1, 1}}});
  ReshapeDescriptor descriptor;
  descriptor.rank = 2;
  descriptor.dims[0] = 2;
  descriptor.dims[1] = 3;
  descriptor.dims[2] = kOpenExtent;
  const LayerId view = AddLayer<LayerType::kReshape>(*network, descriptor, {x}, "view");
  EXPECT_EQ(network->GetTensorInfo({view, 0}), Float({2, 3}));
  TensorInfo info = Float({kOpenExtent});
  info.shape.rank = 100;
  EXPECT_EQ(CatchDiagnostic([&] { network->AddInputLayer(info, "y"); }).code,
            DiagnosticCode::kWrongRank);
  EXPECT_EQ(CatchDiagnostic([&] {
              network->AddInputLayer(info, "y", {{50, "M", {}}});
            }).code,
            DiagnosticCode::kWrongRank);
}

TEST(OpenNetwork, RefusesWrongExtents) {
  auto network = INetwork::Create("net");
  const auto refuse = [&](const TensorInfo& info, const std::vector<OpenExtent>& extents) {
    return CatchDiagnostic([&] { network->AddInputLayer(info, "x", extents); });
  };
  ExpectDiagnostic(refuse(Float({4}), {{0, "N", {}}}), DiagnosticCode::kWrongShape, "x",
                   "bounds or a name for axis 0 of [4]", "kOpenExtent");
  ExpectDiagnostic(refuse(Float({kOpenExtent}), {{1, "N", {}}}), DiagnosticCode::kWrongShape, "x",
                   "axis 1 of [-1]", "kOpenExtent");
  ExpectDiagnostic(refuse(Float({kOpenExtent}), {{0, "N", {4, 2}}}), DiagnosticCode::kWrongShape,
                   "x", "4 to 2 as bounds of axis 0", "the least first");
  ExpectDiagnostic(refuse(Float({kOpenExtent}), {{0, "N", {}}, {0, "M", {}}}),
                   DiagnosticCode::kWrongShape, "x", "axis 0 twice", "each axis once");
  ExpectDiagnostic(refuse(Float({kOpenExtent, kOpenExtent}), {{0, "N", {}}, {1, "N", {2, 4}}}),
                   DiagnosticCode::kWrongShape, "x", "N from 2 to 4", "1 and more");
  EXPECT_EQ(refuse(Float({-2}), {}).code, DiagnosticCode::kWrongShape);
  EXPECT_TRUE(network->GetInputs().empty());
  network->AddInputLayer(Float({kOpenExtent}), "x");
  EXPECT_EQ(refuse(Float({kOpenExtent}), {}).code, DiagnosticCode::kDuplicateName);
}

TEST(OpenNetwork, TellsExtentsWithTheSameBoundsApart) {
  auto network = INetwork::Create("net");
  const OutputSlot x = network->AddInputLayer(Float({kOpenExtent}), "x", {{0, "N", {1, 8}}});
  const OutputSlot y = network->AddInputLayer(Float({kOpenExtent}), "y", {{0, "M", {1, 8}}});
  const Diagnostic wrong = CatchDiagnostic([&] { AddSum(*network, x, y, "sum"); });
  ExpectDiagnostic(wrong, DiagnosticCode::kWrongShape, "sum", "N as 8, M as 7", "equal or 1");
}

TEST(OpenNetwork, MayHaveManyOpenAxes) {
  auto network = INetwork::Create("net");
  TensorInfo info = Float({3});
  info.shape.rank = kMaxRank;
  std::fill(info.shape.dims, info.shape.dims + kMaxRank, kOpenExtent);
  network->AddInputLayer(Float({kOpenExtent, kOpenExtent}), "of larger ones");
  const OutputSlot x = network->AddInputLayer(info, "x");
  EXPECT_EQ(network->GetTensorInfo(x), info);
}

TEST(OpenNetwork, MayHaveExtentsThatAreGreatAtLeast) {
  auto network = INetwork::Create("net");
  const std::int64_t great = std::int64_t{1} << 55;
  const OutputSlot x =
      network->AddInputLayer(Float({kOpenExtent}), "x", {{0, "N", {great, kUnbounded}}});
  EXPECT_EQ(network->GetTensorInfo(x), Float({kOpenExtent}));
  EXPECT_EQ(
      CatchDiagnostic([&] {
        network->AddInputLayer(Float({kOpenExtent}), "y", {{0, "M", {kUnbounded, kUnbounded}}});
      }).code,
      DiagnosticCode::kTensorTooLarge);
}

TEST(OpenNetwork, RefusesStepsAndScalesThatLeadNowhere) {
  auto network = INetwork::Create("net");
  const OutputSlot x = network->AddInputLayer(Float({1, 1, kOpenExtent}), "x", {{2, "N", {4, 64}}});
  SliceDescriptor slice;
  slice.extents[0] = slice.extents[1] = 1;
  slice.extents[2] = kOpenExtent;
  slice.starts[2] = 4;  // behind the least
  slice.steps[2] = -1;
  EXPECT_EQ(
      CatchDiagnostic([&] { AddLayer<LayerType::kSlice>(*network, slice, {x}, "none"); }).code,
      DiagnosticCode::kInvalidDescriptor);
  slice.starts[2] = 3;
  slice.steps[2] = std::numeric_limits<std::int64_t>::min();
  const LayerId one = AddLayer<LayerType::kSlice>(*network, slice, {x}, "one");
  EXPECT_EQ(network->GetTensorInfo({one, 0}), Float({1, 1, 1}));
  ResizeDescriptor resize;
  resize.rank = 3;
  resize.extents[0] = resize.extents[1] = 1;
  resize.extents[2] = kOpenExtent;
  resize.scales[2] = 1e300;
  const Diagnostic scale =
      CatchDiagnostic([&] { AddLayer<LayerType::kResize>(*network, resize, {x}, "wide"); });
  EXPECT_EQ(scale.code, DiagnosticCode::kInvalidDescriptor);
  EXPECT_NE(scale.why.find("below 2^53"), std::string::npos) << scale.why;
}

TEST(OpenNetwork, HasNoDerivedNetworks) {
  auto network = INetwork::Create("net");
  const OutputSlot x = network->AddInputLayer(Float({kOpenExtent}), "x");
  EXPECT_EQ(CatchDiagnostic([&] { ExposeTensors(*network, {x}); }).code,
            DiagnosticCode::kUnknownTensor);
}

}  // namespace
}  // namespace backplane
