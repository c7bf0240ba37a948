#include "compile/compile_copy.hpp"

#include "compile/worthwhile_threads.hpp"
#include "moves/copy.hpp"
#include "moves/reorder.hpp"
#include "threads/thread_count.hpp"

#include <string>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

std::unique_ptr<const Program> MakeProgram(const TensorInfo& info, const Layout& from,
                                           const Layout& to, int num_threads) {
  Step step;
  step.num_threads = ChooseThreads(info.GetSizeBytes(), num_threads);
  step.name = std::make_shared<const std::string>(from == to ? "Copy" : "Reorder");
  step.kernel =
      from == to ? MakeCopy(info.GetSizeBytes()) : MakeReorder(info, from, to, step.num_threads);
  step.num_inputs = 1;
  step.num_outputs = 1;
  std::vector<Step> steps;
  steps.push_back(std::move(step));
  std::vector<Place> places{{Place::Kind::kInput, 0, 0}, {Place::Kind::kOutput, 0, 0}};
  return std::make_unique<const Program>(std::move(steps), std::move(places), Constants(), 0,
                                         num_threads);
}

}  // namespace

std::shared_ptr<const CompiledGraph> CompileCopy(const TensorInfo& info, const Layout& from,
                                                 const Layout& to, int num_threads) {
  const ThreadCount one(1);
  return std::make_shared<const CompiledGraph>(
      MakeProgram(info, from, to, num_threads),
      num_threads == 1 ? nullptr : MakeProgram(info, from, to, 1), 0);
}

}  // namespace cpuacc
}  // namespace backplane
