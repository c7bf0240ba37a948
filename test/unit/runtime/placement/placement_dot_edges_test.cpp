#include <backplane/runtime/placement.hpp>

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace backplane {
namespace {

/// image -> conv on Npu, whose tensor Cpu reads twice and Dsp once -> scores.
Placement MakePlacementDotEdgesPlacement() {
  Placement placement;
  placement.endpoints = {{0, "image", LayerType::kInput}, {5, "scores", LayerType::kOutput}};
  placement.layers = {{1, "conv", LayerType::kConvolution, "Npu", "", {}},
                      {2, "sum", LayerType::kElementwiseBinary, "Cpu", "", {}},
                      {3, "next", LayerType::kSoftmax, "Npu", "", {}},
                      {4, "last", LayerType::kSoftmax, "Dsp", "", {}}};
  placement.edges = {
      {0, 1, 0, 0, {{8}, DataType::kFloat32}}, {1, 2, 0, 0, {{8}, DataType::kFloat32}},
      {1, 2, 0, 1, {{8}, DataType::kFloat32}}, {1, 3, 0, 0, {{8}, DataType::kFloat32}},
      {1, 4, 0, 0, {{8}, DataType::kFloat32}}, {4, 5, 0, 0, {{8}, DataType::kFloat32}}};
  return placement;
}

PlacedTransfer MakePlacementDotEdgesTransfer(LayerId from, const std::string& to_backend) {
  PlacedTransfer transfer;
  transfer.from = from;
  transfer.to_backend = to_backend;
  transfer.factory = "Acme/Some/\"Memory\"";
  return transfer;
}

Placement MakeCrossingPlacement() {
  Placement placement = MakePlacementDotEdgesPlacement();
  PlacedTransfer image = MakePlacementDotEdgesTransfer(0, "Npu");
  image.steps = {{TransferStrategy::kImport, "", "Acme/Npu/Memory", "", 0, false}};
  PlacedTransfer to_cpu = MakePlacementDotEdgesTransfer(1, "Cpu");
  to_cpu.steps = {
      {TransferStrategy::kDeviceCopy, "Acme/Npu/Memory", "Acme/Npu/Out", "Npu", 32, false},
      {TransferStrategy::kImport, "Acme/Npu/Out", "Acme/Cpu/Memory", "", 0, false}};
  to_cpu.copied_bytes = 32;
  to_cpu.reason = "it is \"opaque\"";
  PlacedTransfer to_dsp = MakePlacementDotEdgesTransfer(1, "Dsp");
  to_dsp.steps = {to_cpu.steps.front()};
  to_dsp.steps.front().is_shared = true;
  placement.transfers = {image, to_cpu, to_dsp, MakePlacementDotEdgesTransfer(4, "")};
  return placement;
}

/// The line of an edge, without its ends; the `nth` of those between the two.
std::string GetEdge(const std::string& dot, const std::string& ends, int nth = 0) {
  std::istringstream lines(dot);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t begin = line.find(ends + " [");
    if (begin != std::string::npos && nth-- == 0) return line.substr(begin + ends.size() + 1);
  }
  return "";
}

TEST(PlacementDotEdges, LookAllTheSameWhereNothingCrosses) {
  const std::string dot = ToDot(MakePlacementDotEdgesPlacement());
  EXPECT_EQ(GetEdge(dot, "layer1 -> layer2"),
            "[label=\" float32 [8]\", tooltip=\"output 0 is read as input 0\"];");
  EXPECT_EQ(dot.find("cluster_transfers"), std::string::npos);
}

TEST(PlacementDotEdges, AreRedAndThickWithTheirBytesWhereBytesAreCopied) {
  const std::string dot = ToDot(MakeCrossingPlacement());
  const std::string rest =
      "\\ndevice copy by Npu from Acme/Npu/Memory to Acme/Npu/Out: 32 bytes"
      "\\nimport from Acme/Npu/Out to Acme/Cpu/Memory"
      "\\nnot shared: it is \\\"opaque\\\"\""
      ", color=\"#cc3311\", fontcolor=\"#cc3311\", penwidth=2.5];";
  for (int input = 0; input < 2; ++input) {
    EXPECT_EQ(GetEdge(dot, "layer1 -> layer2", input),
              "[label=\" float32 [8]\\n32 bytes\", tooltip=\"output 0 is read as input " +
                  std::to_string(input) + rest);
  }
}

TEST(PlacementDotEdges, SayThatACopyIsCountedElsewhere) {
  const std::string edge = GetEdge(ToDot(MakeCrossingPlacement()), "layer1 -> layer4");
  EXPECT_NE(edge.find("label=\" float32 [8]\\ncopied with another edge\""), std::string::npos);
  EXPECT_NE(edge.find(": 32 bytes, counted at another edge"), std::string::npos) << edge;
  EXPECT_NE(edge.find("#cc3311"), std::string::npos) << edge;
}

TEST(PlacementDotEdges, AreBlueAndDashedWhereMemoryIsImported) {
  EXPECT_EQ(GetEdge(ToDot(MakeCrossingPlacement()), "layer0 -> layer1"),
            "[label=\" float32 [8]\", tooltip=\"output 0 is read as input 0"
            "\\nimport from the application's memory to Acme/Npu/Memory\""
            ", color=\"#0077bb\", fontcolor=\"#0077bb\", style=dashed];");
}

TEST(PlacementDotEdges, KeepTheirLookWhereMemoryIsShared) {
  EXPECT_EQ(GetEdge(ToDot(MakeCrossingPlacement()), "layer4 -> layer5"),
            "[label=\" float32 [8]\", tooltip=\"output 0 is read as input 0"
            "\\nshared in Acme/Some/\\\"Memory\\\"\"];");
}

TEST(PlacementDotEdges, KeepTheirLookWithinABackend) {
  EXPECT_EQ(GetEdge(ToDot(MakeCrossingPlacement()), "layer1 -> layer3"),
            "[label=\" float32 [8]\", tooltip=\"output 0 is read as input 0\"];");
}

TEST(PlacementDotEdges, KeepTheirLookWhereAnotherOutputOfTheLayerCrosses) {
  Placement placement = MakeCrossingPlacement();
  placement.transfers[1].output = 1;
  EXPECT_EQ(GetEdge(ToDot(placement), "layer1 -> layer2"),
            "[label=\" float32 [8]\", tooltip=\"output 0 is read as input 0\"];");
}

TEST(PlacementDotEdges, ArePartOfTheLegendOnlyWhenTheyExist) {
  Placement placement = MakeCrossingPlacement();
  std::string dot = ToDot(placement);
  EXPECT_NE(GetEdge(dot, "copied_from -> copied_to").find("penwidth"), std::string::npos) << dot;
  EXPECT_NE(GetEdge(dot, "imported_from -> imported_to").find("dashed"), std::string::npos) << dot;
  placement.transfers.resize(1);
  dot = ToDot(placement);
  EXPECT_EQ(GetEdge(dot, "copied_from -> copied_to"), "");
  EXPECT_NE(GetEdge(dot, "imported_from -> imported_to"), "");
  placement.transfers = {MakePlacementDotEdgesTransfer(4, "")};
  EXPECT_EQ(ToDot(placement).find("cluster_transfers"), std::string::npos);
}

TEST(PlacementDotEdges, AreReadByGraphviz) {
  if (std::system("dot -V >/dev/null 2>&1") != 0) GTEST_SKIP() << "graphviz is not installed";
  std::FILE* pipe = popen("dot -Tsvg >/dev/null", "w");
  ASSERT_NE(pipe, nullptr);
  const std::string dot = ToDot(MakeCrossingPlacement());
  EXPECT_EQ(std::fwrite(dot.data(), 1, dot.size(), pipe), dot.size());
  EXPECT_EQ(pclose(pipe), 0) << dot;
}

}  // namespace
}  // namespace backplane
