#include "workload_factory.hpp"

#include "compile/compile_copy.hpp"
#include "graph/build_graph.hpp"
#include "kernels/kernel_table.hpp"
#include "layout/blocked_tensors.hpp"
#include "subgraphs/compiled_subgraph.hpp"
#include "workload.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <set>
#include <stdexcept>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

Layout GetLayout(const char* factory_id, const TensorInfo& info) {
  return std::strcmp(factory_id, kBlockedFactoryId) == 0 ? GetBlockedLayout(info) : Layout();
}

/// How the tensors beside the layer lie, by the factories that made them.
/// Null: `factories`, where nobody says; the tensors are plain then.
std::vector<Layout> GetLayouts(const char* const* factories, const TensorInfo* const* infos,
                               std::uint32_t count) {
  std::vector<Layout> layouts(count);
  for (std::uint32_t index = 0; factories != nullptr && index < count; ++index) {
    layouts[index] = GetLayout(factories[index], *infos[index]);
  }
  return layouts;
}

Borders GetBorders(const WorkloadArgs& args) {
  return {GetLayouts(args.input_factories, args.inputs, args.num_inputs),
          GetLayouts(args.output_factories, args.outputs, args.num_outputs)};
}

/// Copies between kinds of tensor memory are no layers of a network, and never refused.
bool IsCopy(const WorkloadArgs& args) {
  return args.layer_type == LayerType::kCopy && args.num_inputs == 1 && args.num_outputs == 1;
}

std::shared_ptr<const CompiledGraph> CompileLayer(const WorkloadArgs& args, const Options& options,
                                                  ThreadPool& pool) {
  const Borders borders = GetBorders(args);
  if (args.layer_type == LayerType::kPreCompiled) {
    return static_cast<const CompiledSubgraph&>(*args.pre_compiled).Get(borders, pool);
  }
  if (IsCopy(args)) {
    return CompileCopy(*args.inputs[0], borders.inputs[0], borders.outputs[0],
                       CountThreads(options));
  }
  const std::string refusal = FindRefusal(MakeLayer(args));
  if (!refusal.empty()) {
    throw std::invalid_argument(Text("CpuAcc cannot run layer '", args.layer_name, "' (",
                                     GetLayerTypeName(args.layer_type), "): ", refusal));
  }
  return CompileGraph(BuildGraph(args), options, pool, borders);
}

}  // namespace

std::unique_ptr<IWorkload> WorkloadFactory::CreateWorkload(const WorkloadArgs& args) {
  std::shared_ptr<const CompiledGraph> graph = CompileLayer(args, options_, *threads_);
  most_memory_bytes_ = std::max(most_memory_bytes_, graph->GetMemoryBytes());
  graphs_.push_back(graph);
  return std::make_unique<Workload>(args, std::move(graph), graphs_.size() - 1, timeline_,
                                    threads_);
}

std::unique_ptr<IExecutionState> WorkloadFactory::CreateExecutionState() {
  return std::make_unique<ExecutionState>(graphs_, arenas_, most_memory_bytes_);
}

std::uint64_t WorkloadFactory::GetConstantBytes() const {
  const std::set<std::shared_ptr<const CompiledGraph>> graphs(graphs_.begin(), graphs_.end());
  return std::accumulate(
      graphs.begin(), graphs.end(), std::uint64_t{0},
      [](std::uint64_t sum, const auto& graph) { return sum + graph->GetConstantBytes(); });
}

}  // namespace cpuacc
}  // namespace backplane
