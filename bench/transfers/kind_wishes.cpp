#include "kind_wishes.hpp"

#include <stdexcept>

namespace bench {

using namespace backplane;

namespace {

constexpr LayerType kOperators[] = {
#define BACKPLANE_OPERATOR(name, ...) LayerType::k##name,
#define BACKPLANE_CORE_LAYER(...)
#include <backplane/api/layers.def>
#undef BACKPLANE_OPERATOR
#undef BACKPLANE_CORE_LAYER
};

KindWish FindWish(const NetworkKinds& kinds, KindIndex kind) {
  const TensorInfo info({1, 8}, DataType::kFloat32);
  const MemoryRequirements alone = AskRequirements(kinds.objects, kind, info, {});
  KindWish wish;
  wish.alignment_bytes = alone.alignment_bytes;
  wish.padding_bytes = alone.size_bytes - info.GetSizeBytes();
  if (wish.padding_bytes != 0) return wish;
  for (const LayerType type : kOperators) {
    const MemoryRequirements beside = AskRequirements(kinds.objects, kind, info, {type});
    if (beside.size_bytes == info.GetSizeBytes()) continue;
    if (wish.padding_bytes != 0) {
      throw std::runtime_error(kinds.table.kinds[kind].id + " pads beside two types of layers");
    }
    wish.padding_bytes = beside.size_bytes - info.GetSizeBytes();
    wish.padded_beside = type;
  }
  return wish;
}

}  // namespace

std::vector<KindWish> FindWishes(const NetworkKinds& kinds) {
  std::vector<KindWish> wishes(1);
  for (KindIndex kind = kHostKind + 1; kind < kinds.table.kinds.size(); ++kind) {
    wishes.push_back(FindWish(kinds, kind));
  }
  return wishes;
}

}  // namespace bench
