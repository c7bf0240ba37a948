#include "staging/plan.hpp"

#include <utility>

namespace backplane::staging {

Plan::Plan(NetworkStage made, bool of_outermost, StageLoader of_runtime)
    : loader(std::move(of_runtime)), is_outermost(of_outermost), stage(std::move(made)) {
  if (!stage.network) return;
  outputs = stage.network->GetOutputs();
  network = loader.load(std::move(stage.network));
}

Plan::~Plan() {
  if (network != kNoNetwork) loader.unload(*this);
}

}  // namespace backplane::staging
