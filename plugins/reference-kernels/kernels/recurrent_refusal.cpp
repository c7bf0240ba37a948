#include "kernels/recurrent_refusal.hpp"

#include "elements/compute_type.hpp"

namespace backplane {
namespace reference {

void CheckRecurrent(const Layer& layer, const RecurrentOptions& options, Refusal& refusal) {
  CheckRecurrentFlags(layer, options, refusal);
  if (!refusal.IsEmpty()) return;
  RequireFloats(layer, refusal, GetRecurrentRoles(options));
  RefuseQuantised(layer, refusal);
  CheckRecurrentShapes(layer, options, refusal);
}

}  // namespace reference
}  // namespace backplane
