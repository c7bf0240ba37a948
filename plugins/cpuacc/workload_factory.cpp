#include "workload_factory.hpp"

#include "compile/compile_graph.hpp"
#include "graph/build_graph.hpp"
#include "kernels/kernel_table.hpp"
#include "workload.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

std::shared_ptr<const CompiledGraph> CompileLayer(const WorkloadArgs& args,
                                                  const Options& options) {
  const std::string refusal = FindRefusal(MakeLayer(args));
  if (!refusal.empty()) {
    throw std::invalid_argument(Text("CpuAcc cannot run layer '", args.layer_name, "' (",
                                     GetLayerTypeName(args.layer_type), "): ", refusal));
  }
  return CompileGraph(BuildGraph(args), options);
}

}  // namespace

std::unique_ptr<IWorkload> WorkloadFactory::CreateWorkload(const WorkloadArgs& args) {
  std::shared_ptr<const CompiledGraph> graph =
      args.layer_type == LayerType::kPreCompiled
          ? std::static_pointer_cast<const CompiledGraph>(args.pre_compiled)
          : CompileLayer(args, options_);
  most_memory_bytes_ = std::max(most_memory_bytes_, graph->GetMemoryBytes());
  graphs_.push_back(graph);
  return std::make_unique<Workload>(args, std::move(graph), graphs_.size() - 1, timeline_);
}

std::unique_ptr<IExecutionState> WorkloadFactory::CreateExecutionState() {
  return std::make_unique<ExecutionState>(graphs_, most_memory_bytes_);
}

}  // namespace cpuacc
}  // namespace backplane
