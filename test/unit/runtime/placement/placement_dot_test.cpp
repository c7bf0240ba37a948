#include "expect_diagnostic.hpp"

#include <gtest/gtest.h>
#include <backplane/runtime/placement.hpp>

#include <cstdio>
#include <cstdlib>
#include <set>
#include <sstream>

namespace backplane {
namespace {

Placement MakePlacementDotPlacement() {
  Placement placement;
  placement.network = "net";
  placement.endpoints = {{0, "image", LayerType::kInput},
                         {1, "weights", LayerType::kConstant},
                         {4, "scores", LayerType::kOutput}};
  placement.layers = {
      {2, "conv", LayerType::kConvolution, "Slow", "Fast", {{"Fast", "no float16"}}},
      {3, "", LayerType::kSoftmax, "Fast", "Fast", {}},
  };
  placement.edges = {{0, 2, 0, 0, {{1, 8}, DataType::kFloat32}},
                     {1, 2, 0, 1, {{8, 8}, DataType::kFloat32}},
                     {2, 3, 0, 0, {{1, 4}, DataType::kFloat32}},
                     {3, 4, 0, 0, {{1, 4}, DataType::kFloat32}}};
  return placement;
}

/// What a DOT text declares and joins, read line by line; strings may have escaped quotes.
struct ReadGraph {
  std::set<std::string> nodes;
  std::set<std::string> ends;  // of edges
  std::size_t num_edges = 0;
  int depth = 0;
  bool is_quoted = false;
};

std::string WithoutStrings(const std::string& text, ReadGraph& graph) {
  std::string rest;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (graph.is_quoted && text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      graph.is_quoted = !graph.is_quoted;
    } else if (!graph.is_quoted) {
      rest += text[i];
      if (text[i] == '{') ++graph.depth;
      if (text[i] == '}') --graph.depth;
    }
  }
  return rest;
}

ReadGraph Read(const std::string& dot) {
  ReadGraph graph;
  std::istringstream lines(WithoutStrings(dot, graph));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string first;
    std::string second;
    std::string third;
    words >> first >> second >> third;
    if (second == "->") {
      ++graph.num_edges;
      graph.ends.insert(first);
      graph.ends.insert(third);
    } else if (second.rfind('[', 0) == 0) {
      graph.nodes.insert(first);
    }
  }
  return graph;
}

void ExpectWellFormedPlacementDot(const std::string& dot) {
  const ReadGraph graph = Read(dot);
  EXPECT_EQ(graph.depth, 0) << dot;
  EXPECT_FALSE(graph.is_quoted) << dot;
  for (const std::string& end : graph.ends) EXPECT_EQ(graph.nodes.count(end), 1U) << end;
}

/// The line of a node.
std::string GetLine(const std::string& dot, const std::string& node) {
  std::istringstream lines(dot);
  for (std::string line; std::getline(lines, line);) {
    if (line.find(node + " [") != std::string::npos) return line;
  }
  return "";
}

std::string GetColour(const std::string& line) {
  const std::string key = "fillcolor=\"";
  const std::size_t begin = line.find(key);
  return begin == std::string::npos ? "" : line.substr(begin + key.size(), 7);
}

TEST(PlacementDot, DeclaresEveryNodeAndJoinsThem) {
  const std::string dot = ToDot(MakePlacementDotPlacement());
  ExpectWellFormedPlacementDot(dot);
  const ReadGraph graph = Read(dot);
  EXPECT_EQ(graph.num_edges, 4U);
  for (const char* node : {"layer0", "layer1", "layer2", "layer3", "layer4"}) {
    EXPECT_EQ(graph.nodes.count(node), 1U) << node;
  }
}

TEST(PlacementDot, ColoursLayersAsTheLegendDoesTheirBackends) {
  const std::string dot = ToDot(MakePlacementDotPlacement());
  ExpectContains(GetLine(dot, "backend0"), "label=\"Slow\\n1 layer\"");
  ExpectContains(GetLine(dot, "backend1"), "label=\"Fast\\n1 layer\"");
  EXPECT_EQ(GetColour(GetLine(dot, "layer2")), GetColour(GetLine(dot, "backend0")));
  EXPECT_EQ(GetColour(GetLine(dot, "layer3")), GetColour(GetLine(dot, "backend1")));
  EXPECT_NE(GetColour(GetLine(dot, "layer2")), GetColour(GetLine(dot, "layer3")));
}

TEST(PlacementDot, TellsHintsAndRefusalsInTooltips) {
  const std::string dot = ToDot(MakePlacementDotPlacement());
  ExpectContains(GetLine(dot, "layer2"),
                 "tooltip=\"runs on Slow\\nhinted: Fast\\nFast refused: no float16\"");
  ExpectContains(GetLine(dot, "layer3"), "tooltip=\"runs on Fast\\nas hinted\"");
}

TEST(PlacementDot, NamesLayersAndTensors) {
  const std::string dot = ToDot(MakePlacementDotPlacement());
  ExpectContains(GetLine(dot, "layer2"), "label=\"conv\\nConvolution\"");
  ExpectContains(GetLine(dot, "layer3"), "label=\"#3\\nSoftmax\"");
  ExpectContains(GetLine(dot, "layer0"), "label=\"image\"");
  ExpectContains(dot,
                 "layer1 -> layer2 [label=\" float32 [8, 8]\", "
                 "tooltip=\"output 0 is read as input 1\"]");
}

Placement MakeHostilePlacement() {
  Placement placement = MakePlacementDotPlacement();
  placement.network = "\"; } evil {";
  placement.layers[0].name = "a\"b\\nc\\";
  placement.layers[0].backend_id = "&lt;\n}";
  placement.layers[0].refusals[0].reason = "\"]; x -> y";
  placement.endpoints[0].name = "\\";
  return placement;
}

TEST(PlacementDot, EscapesNames) {
  const std::string dot = ToDot(MakeHostilePlacement());
  ExpectWellFormedPlacementDot(dot);
  EXPECT_EQ(Read(dot).num_edges, 4U);
  ExpectContains(dot, "label=\"a\\\"b\\\\nc\\\\\\nConvolution\"");
  ExpectContains(dot, "label=\"&amp;lt;\\\\x0a}\\n1 layer\"");
}

Placement MakeFramedPlacement() {
  Placement placement = MakePlacementDotPlacement();
  placement.subgraphs = {{"Fast", 1, SubgraphOutcome::kFailed, {2}, {}},
                         {"Slow", 2, SubgraphOutcome::kReplaced, {2}, {"fused \"2\"", "rest"}},
                         {"Fast", 2, SubgraphOutcome::kDeleted, {3}, {}},
                         {"Fast", 2, SubgraphOutcome::kUntouched, {3}, {}}};
  return placement;
}

TEST(PlacementDot, FramesLayersForWhichOthersRun) {
  const std::string dot = ToDot(MakeFramedPlacement());
  ExpectWellFormedPlacementDot(dot);
  ExpectContains(dot,
                 "  subgraph cluster_part1 {\n"
                 "    label=\"Slow: runs as fused \\\"2\\\", rest\";\n"
                 "    labeljust=l;\n"
                 "    layer2;\n"
                 "  }\n"
                 "  subgraph cluster_part2 {\n"
                 "    label=\"Fast: nothing to run\";\n"
                 "    labeljust=l;\n"
                 "    layer3;\n"
                 "  }\n");
  EXPECT_EQ(dot.find("cluster_part0"), std::string::npos);
  EXPECT_EQ(dot.find("cluster_part3"), std::string::npos);
}

TEST(PlacementDot, IsWellFormedWithoutLayers) {
  const std::string dot = ToDot(Placement());
  ExpectWellFormedPlacementDot(dot);
  EXPECT_EQ(dot.find("cluster"), std::string::npos);
}

TEST(PlacementDot, BeginsAgainWithTheColoursOfManyBackends) {
  Placement placement;
  for (LayerId i = 0; i < 40; ++i) {
    placement.layers.push_back({i, "", LayerType::kSoftmax, "Backend" + std::to_string(i), "", {}});
  }
  const std::string dot = ToDot(placement);
  ExpectWellFormedPlacementDot(dot);
  for (LayerId i = 0; i < 40; ++i) {
    EXPECT_EQ(GetColour(GetLine(dot, "layer" + std::to_string(i))).front(), '#') << i;
  }
}

TEST(PlacementDot, IsReadByGraphviz) {
  if (std::system("dot -V >/dev/null 2>&1") != 0) GTEST_SKIP() << "graphviz is not installed";
  for (const Placement& placement :
       {MakePlacementDotPlacement(), MakeHostilePlacement(), MakeFramedPlacement(), Placement()}) {
    std::FILE* pipe = popen("dot -Tsvg >/dev/null", "w");
    ASSERT_NE(pipe, nullptr);
    const std::string dot = ToDot(placement);
    EXPECT_EQ(std::fwrite(dot.data(), 1, dot.size(), pipe), dot.size());
    EXPECT_EQ(pclose(pipe), 0) << dot;
  }
}

}  // namespace
}  // namespace backplane
