#include "compile/compile.hpp"

#include "threads/thread_count.hpp"

#include <algorithm>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

/// For each tensor, the last node that has it as an input.
std::vector<std::size_t> FindLastReaders(const Graph& graph) {
  std::vector<std::size_t> last(graph.tensors.size(), 0);
  for (std::size_t node = 0; node < graph.nodes.size(); ++node) {
    if (graph.nodes[node].is_removed) continue;
    for (const TensorId input : graph.nodes[node].inputs) last[input] = node;
  }
  for (const TensorId output : graph.outputs) last[output] = graph.nodes.size();
  return last;
}

}  // namespace

std::vector<std::unique_ptr<const Program>> Compile(Graph graph, const Borders& borders,
                                                    PackedConstants& constants,
                                                    const Options& options,
                                                    const std::vector<Threads>& threads) {
  const ThreadCount one(1);
  std::vector<Compiler> compilers;
  compilers.reserve(threads.size());
  for (const Threads& count : threads) {
    compilers.emplace_back(graph, borders, CompilerArgs{&constants, &options, count});
  }
  const std::vector<std::size_t> last_readers = FindLastReaders(graph);
  for (std::size_t index = 0; index < graph.nodes.size(); ++index) {
    for (Compiler& compiler : compilers) compiler.AddNode(index);
    for (const TensorId input : graph.nodes[index].inputs) {
      const bool is_read = std::any_of(compilers.begin(), compilers.end(),
                                       [&](const Compiler& c) { return c.IsRead(input); });
      if (last_readers[input] == index && !is_read) graph.tensors[input].content.reset();
    }
  }
  std::vector<std::unique_ptr<const Program>> programs;
  for (Compiler& compiler : compilers) programs.push_back(compiler.Finish());
  return programs;
}

std::unique_ptr<const Program> Compile(const Graph& graph, const Borders& borders,
                                       PackedConstants& constants, const Options& options,
                                       const Threads& threads) {
  return std::move(
      Compile(graph, borders, constants, options, std::vector<Threads>{threads}).front());
}

std::unique_ptr<const Program> Recompile(const Graph& graph,
                                         const std::vector<std::size_t>& changed,
                                         const CompilerArgs& args,
                                         std::unique_ptr<Compiler>& compiler) {
  const ThreadCount one(1);
  // One that fails half way is of no use.
  std::unique_ptr<Compiler> used = std::move(compiler);
  std::unique_ptr<const Program> program = used ? used->Remake(changed, args) : nullptr;
  if (!program) {
    static const Borders plain;
    used = std::make_unique<Compiler>(graph, plain, args);
    for (std::size_t index = 0; index < graph.nodes.size(); ++index) used->AddNode(index);
    program = used->Finish();
  }
  compiler = std::move(used);
  return program;
}

}  // namespace cpuacc
}  // namespace backplane
