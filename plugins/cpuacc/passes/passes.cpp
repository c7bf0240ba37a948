#include "passes/passes.hpp"

namespace backplane {
namespace cpuacc {

void RunPasses(Graph& graph) {
#define CPUACC_PASS(name) \
  name(graph);            \
  DropUnreadConstants(graph);
#include "passes/passes.def"
#undef CPUACC_PASS
}

}  // namespace cpuacc
}  // namespace backplane
