// Tensor handles of a backend's own kinds: how they are mapped.

#include "harness/session.hpp"
#include "rules/handle_expectations.hpp"

namespace backplane::check_backend {
namespace {

void CheckMap(Session& session, const Kind& kind, const TensorInfo& info) {
  MemoryView view;
  if (!kind.OwnsMemory()) {
    ExpectAnswer(session, "Map before Bind",
                 MakeHandle(kind, info)->Map(MemoryAccess::kRead, &view), Status::kInvalidArgument,
                 "as the handle is not bound");
  }
  const BoundHandle bound(kind, info);
  ITensorHandle& handle = *bound.handle;
  ExpectAnswer(session, "Unmap before Map", handle.Unmap(), Status::kInvalidArgument,
               "as the handle is not mapped");
  std::uint32_t round = 0;
  for (const MemoryAccess access : {MemoryAccess::kWrite, MemoryAccess::kReadWrite}) {
    const conformance::StoredTensor content = MakeContent(info, session.GetSeed() * 31 + round++);
    if (!MapFor(session, handle, access, info, &view)) return;
    MemoryView second;
    ExpectAnswer(session, "Map while it was mapped", handle.Map(MemoryAccess::kRead, &second),
                 Status::kInvalidArgument, "as the handle is mapped already");
    CopyToView(content, view);
    ExpectAnswer(session, "Unmap after Map", handle.Unmap(), Status::kSuccess, "as it is mapped");
    ExpectAnswer(session, "Unmap after Unmap", handle.Unmap(), Status::kInvalidArgument,
                 "as the handle is not mapped");
    const char* const otherwise =
        "mapped for reading, the tensor does not hold what was written when it was mapped for "
        "writing";
    if (!ExpectMapped(session, handle, content, otherwise)) return;
  }
  if (bound.block != nullptr) ExpectNoDamage(session, bound.block->DescribeDamage(), "the tensor");
}

void CheckNoMap(Session& session, const Kind& kind, const TensorInfo& info) {
  const BoundHandle bound(kind, info);
  MemoryView view;
  ExpectAnswer(session, "Map", bound.handle->Map(MemoryAccess::kRead, &view), Status::kUnsupported,
               "as the kind does not state supports_map_unmap");
}

}  // namespace

void CheckMapsAsDeclared(Session& session) {
  ForEachTensor(
      session, "maps", kNoKinds, [](const Kind&) { return true; },
      [&](const Kind& kind, const TensorInfo& info) {
        if (kind.GetProperties().supports_map_unmap != 0) return CheckMap(session, kind, info);
        CheckNoMap(session, kind, info);
      });
}

}  // namespace backplane::check_backend
