#pragma once

#include "test_backend.hpp"

#include <backplane/api/subgraph_parts.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace backplane {

/// What a test backend does with a layer of an offered sub-graph.
enum class Deed { kCompile, kLeave, kFail, kDelete };

/// Gathers consecutive layers with the same deed into parts, and compiles, leaves, fails or deletes
/// these. A compiled part adds the number of its layers.
inline OptimizationViews AnswerByLayer(const std::shared_ptr<TestBackend>& test,
                                       const OptimizeSubgraphArgs& args,
                                       const std::function<Deed(const LayerView&)>& choose) {
  OptimizationViews views;
  std::vector<LayerId> run;
  Deed deed = Deed::kLeave;
  const auto finish = [&] {
    if (run.empty()) return;
    const SubgraphView part = MakeSubgraphPart(args, run);
    if (deed == Deed::kLeave) views.untouched.push_back(part);
    if (deed == Deed::kFail) views.failed.push_back(part);
    if (deed == Deed::kDelete) views.deleted.push_back(part);
    if (deed == Deed::kCompile) {
      const auto object = std::make_shared<TestCompiled>(test, static_cast<float>(run.size()));
      const Status status = ReplaceByPreCompiled(
          args, part, object, ("compiled " + std::to_string(run.front())).c_str(), &views);
      test->Record(std::string("replaced: ") + GetStatusText(status));
    }
    run.clear();
  };
  for (const LayerId id : args.subgraph->layers) {
    const LayerView* layer = nullptr;
    if (args.reader->GetLayer(id, &layer) != Status::kSuccess) continue;
    const Deed next = choose(*layer);
    if (next != deed) finish();
    deed = next;
    run.push_back(id);
  }
  finish();
  return views;
}

/// By what a layer's name begins with: "unoptimizable", "unsupported" or "needless"; others are
/// compiled.
inline Deed ChooseByName(const LayerView& layer) {
  const std::string name = layer.name;
  if (name.rfind("unoptimizable", 0) == 0) return Deed::kLeave;
  if (name.rfind("unsupported", 0) == 0) return Deed::kFail;
  if (name.rfind("needless", 0) == 0) return Deed::kDelete;
  return Deed::kCompile;
}

/// Makes the backend answer by the names of layers.
inline void CompileByName(const std::shared_ptr<TestBackend>& test) {
  const std::weak_ptr<TestBackend> weak = test;
  test->optimize = [weak](const OptimizeSubgraphArgs& args) {
    return AnswerByLayer(weak.lock(), args, ChooseByName);
  };
}

}  // namespace backplane
