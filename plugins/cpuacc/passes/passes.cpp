#include "passes/passes.hpp"

#include <iterator>
#include <sstream>
#include <stdexcept>

namespace backplane {
namespace cpuacc {
namespace {

struct Pass {
  const char* name;
  void (*run)(Graph& graph);
};

constexpr Pass kPasses[] = {
#define CPUACC_PASS(name) {#name, name},
#include "passes/passes.def"
#undef CPUACC_PASS
};
static_assert(std::size(kPasses) <= 64, "Graph::left_out_passes has a bit for each");

}  // namespace

void RunPasses(Graph& graph, const cpu_layers::RunEnd& end,
               const std::function<void(const char* pass)>& on_change) {
  for (std::size_t place = 0; place < std::size(kPasses); ++place) {
    if ((graph.left_out_passes >> place & 1U) != 0) continue;
    end.RequireTime();
    const Graph before = on_change ? graph : Graph();
    kPasses[place].run(graph);
    if (on_change && !IsSame(before, graph)) on_change(kPasses[place].name);
    DropUnreadConstants(graph);
  }
}

std::uint64_t FindPasses(const std::string& names) {
  std::uint64_t found = 0;
  std::istringstream words(names);
  for (std::string word; std::getline(words, word, ',');) {
    std::uint64_t of_word = 0;
    for (std::size_t place = 0; place < std::size(kPasses); ++place) {
      if (word == kPasses[place].name) of_word |= std::uint64_t{1} << place;
    }
    if (of_word == 0) {
      throw std::invalid_argument("the option without_passes has \"" + word +
                                  "\"; expected names of plugins/cpuacc/passes/passes.def, as "
                                  "FoldConstants, with commas between them");
    }
    found |= of_word;
  }
  return found;
}

}  // namespace cpuacc
}  // namespace backplane
