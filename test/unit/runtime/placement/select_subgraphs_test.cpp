#include "placement/select_subgraphs.hpp"

#include "placement/graph_maker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace backplane {
namespace {

using Layers = std::vector<LayerId>;
using SelectSubgraphsParts = std::vector<Layers>;

constexpr std::uint32_t kA = 0;
constexpr std::uint32_t kB = 1;

TEST(SelectSubgraphs, OfAnEmptyGraphThereAreNone) {
  EXPECT_TRUE(GraphMaker().Select().empty());
}

TEST(SelectSubgraphs, InputsConstantsAndOutputsAreInNone) {
  GraphMaker maker;
  const LayerId x = maker.AddInput();
  const LayerId weights = maker.AddConstant();
  const LayerId a = maker.AddLayer(kA, {x, weights});
  maker.AddOutput(a);
  EXPECT_EQ(maker.Select(), (SelectSubgraphsParts{{a}}));
}

TEST(SelectSubgraphs, TheEntireGraphIsOneWhenOneOwnerHasIt) {
  GraphMaker maker;
  const LayerId x = maker.AddInput();
  const LayerId a = maker.AddLayer(kA, {x});
  const LayerId b = maker.AddLayer(kA, {a});
  const LayerId c = maker.AddLayer(kA, {a});
  const LayerId d = maker.AddLayer(kA, {b, c});
  maker.AddOutput(d);
  EXPECT_EQ(maker.Select(), (SelectSubgraphsParts{{a, b, c, d}}));
}

TEST(SelectSubgraphs, LayersInTheMiddleAreOneBetweenTheOthers) {
  GraphMaker maker;
  const LayerId x = maker.AddInput();
  const LayerId first = maker.AddLayer(kA, {x});
  const LayerId left = maker.AddLayer(kB, {first});
  const LayerId right = maker.AddLayer(kB, {left});
  const LayerId last = maker.AddLayer(kA, {right});
  EXPECT_EQ(maker.Select(), (SelectSubgraphsParts{{first}, {left, right}, {last}}));
}

TEST(SelectSubgraphs, DisjointGraphsStayApart) {
  GraphMaker maker;
  const LayerId x = maker.AddInput();
  const LayerId y = maker.AddInput();
  const LayerId a = maker.AddLayer(kA, {x});
  const LayerId b = maker.AddLayer(kA, {y});
  const LayerId c = maker.AddLayer(kA, {a});
  const LayerId d = maker.AddLayer(kA, {b});
  EXPECT_EQ(maker.Select(), (SelectSubgraphsParts{{a, c}, {b, d}}));
}

// a -> island -> c, and a -> c: a and c in one would need the island's result and give its input.
TEST(SelectSubgraphs, AnIslandInTheMiddleKeepsItsNeighboursApart) {
  GraphMaker maker;
  const LayerId x = maker.AddInput();
  const LayerId a = maker.AddLayer(kA, {x});
  const LayerId island = maker.AddLayer(kB, {a});
  const LayerId c = maker.AddLayer(kA, {a, island});
  EXPECT_EQ(maker.Select(), (SelectSubgraphsParts{{a}, {island}, {c}}));
}

// Both could be joined with their reader, but not with each other through another owner.
TEST(SelectSubgraphs, ADependencyThatIsPassedOnKeepsPartsApart) {
  GraphMaker maker;
  const LayerId x = maker.AddInput();
  const LayerId a = maker.AddLayer(kA, {x});
  const LayerId b = maker.AddLayer(kB, {a});
  const LayerId c = maker.AddLayer(kB, {b});
  const LayerId d = maker.AddLayer(kA, {c});
  const LayerId e = maker.AddLayer(kA, {a, d});
  EXPECT_EQ(maker.Select(), (SelectSubgraphsParts{{a}, {b, c}, {d, e}}));
}

// An arm that begins anew joins the part it leads to, however late that is.
TEST(SelectSubgraphs, AnArmWithAnInputOfItsOwnJoinsWhatReadsIt) {
  GraphMaker maker;
  const LayerId x = maker.AddInput();
  const LayerId y = maker.AddInput();
  const LayerId arm = maker.AddLayer(kA, {y});
  const LayerId a = maker.AddLayer(kA, {x});
  const LayerId b = maker.AddLayer(kB, {a});
  const LayerId joined = maker.AddLayer(kA, {b, arm});
  EXPECT_EQ(maker.Select(), (SelectSubgraphsParts{{a}, {b}, {arm, joined}}));
}

// Joining a with d puts b and c, which d needs and which need a, in the way.
TEST(SelectSubgraphs, AMergeMovesWhatItNeedsBeforeIt) {
  GraphMaker maker;
  const LayerId x = maker.AddInput();
  const LayerId a = maker.AddLayer(kA, {x});
  const LayerId b = maker.AddLayer(kB, {x});
  const LayerId c = maker.AddLayer(kB, {a});
  const LayerId d = maker.AddLayer(kA, {a, b});
  const SelectSubgraphsParts parts = maker.Select();
  EXPECT_EQ(parts, (SelectSubgraphsParts{{b}, {a, d}, {c}}));
}

TEST(SelectSubgraphs, LayersWithoutOwnerAreAlone) {
  GraphMaker maker;
  const LayerId x = maker.AddInput();
  const LayerId a = maker.AddLayer(kNoOwner, {x});
  const LayerId b = maker.AddLayer(kNoOwner, {a});
  EXPECT_EQ(maker.Select(), (SelectSubgraphsParts{{a}, {b}}));
}

GraphMaker MakeRandomGraph(std::uint32_t seed, std::uint32_t num_layers, std::uint32_t num_owners) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t end) { return static_cast<std::uint32_t>(random() % end); };
  GraphMaker maker;
  Layers tensors{maker.AddInput(), maker.AddInput()};
  for (std::uint32_t i = 0; i < num_layers; ++i) {
    Layers inputs;
    for (std::uint32_t input = below(3) + 1; input > 0; --input) {
      const auto reach = static_cast<std::uint32_t>(std::min<std::size_t>(tensors.size(), 8));
      inputs.push_back(below(4) == 0 ? tensors[below(static_cast<std::uint32_t>(tensors.size()))]
                                     : tensors[tensors.size() - 1 - below(reach)]);
    }
    tensors.push_back(maker.AddLayer(below(num_owners), inputs));
  }
  maker.AddOutput(tensors.back());
  return maker;
}

// What a set of parts means: which part each layer is in, and which parts read which.
struct PartView {
  PartView(const Graph& graph, const SelectSubgraphsParts& parts) : readers(parts.size()) {
    for (std::size_t part = 0; part < parts.size(); ++part) {
      for (const LayerId id : parts[part]) part_of[id] = part;
    }
    for (const auto& [id, part] : part_of) {
      for (const OutputSlot input : graph.layers[id].inputs) {
        const auto producer = part_of.find(input.layer);
        if (producer != part_of.end() && producer->second != part) {
          readers[producer->second].insert(part);
        }
      }
    }
  }

  // Whether a way of two edges or more leads from one part to another.
  bool HasDetour(std::size_t from, std::size_t to) const {
    std::set<std::size_t> seen;
    std::vector<std::size_t> open;
    for (const std::size_t part : readers[from]) {
      if (part != to && seen.insert(part).second) open.push_back(part);
    }
    while (!open.empty()) {
      const std::size_t part = open.back();
      open.pop_back();
      if (part == to) return true;
      for (const std::size_t reader : readers[part]) {
        if (seen.insert(reader).second) open.push_back(reader);
      }
    }
    return false;
  }

  std::map<LayerId, std::size_t> part_of;
  std::vector<std::set<std::size_t>> readers;
};

TEST(SelectSubgraphs, OfRandomGraphsCoverEveryLayerOnceWithoutCyclesAndAreMaximal) {
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    const GraphMaker maker = MakeRandomGraph(seed, 1 + seed % 60, 1 + seed % 4);
    const Graph& graph = maker.GetGraph();
    const SelectSubgraphsParts parts = maker.Select();
    const PartView view(graph, parts);
    std::size_t num_layers = 0;
    for (const Layers& part : parts) {
      num_layers += part.size();
      EXPECT_TRUE(std::is_sorted(part.begin(), part.end()));
      for (const LayerId id : part) EXPECT_EQ(maker.GetOwners()[id], maker.GetOwners()[part[0]]);
    }
    EXPECT_EQ(num_layers, graph.layers.size() - 3) << "seed " << seed;
    EXPECT_EQ(view.part_of.size(), num_layers) << "seed " << seed;
    for (std::size_t part = 0; part < parts.size(); ++part) {
      for (const std::size_t reader : view.readers[part]) {
        EXPECT_LT(part, reader) << "the order is not one in which they can run; seed " << seed;
        if (maker.GetOwners()[parts[part][0]] != maker.GetOwners()[parts[reader][0]]) continue;
        EXPECT_TRUE(view.HasDetour(part, reader)) << "two parts could be one; seed " << seed;
      }
    }
    EXPECT_EQ(parts, maker.Select());
  }
}

TEST(SelectSubgraphs, OfALargeRandomGraphAreAcyclicToo) {
  const GraphMaker maker = MakeRandomGraph(7, 5000, 3);
  const SelectSubgraphsParts parts = maker.Select();
  const PartView view(maker.GetGraph(), parts);
  EXPECT_EQ(view.part_of.size(), 5000U);
  for (std::size_t part = 0; part < parts.size(); ++part) {
    for (const std::size_t reader : view.readers[part]) EXPECT_LT(part, reader);
  }
}

}  // namespace
}  // namespace backplane
