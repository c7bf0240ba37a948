// Copies between the kinds of memory that the backend registers, and memory of the CPU.

#include "harness/descriptor_text.hpp"
#include "harness/expectations.hpp"
#include "harness/kind_tensor.hpp"
#include "harness/session.hpp"

namespace backplane::check_backend {
namespace {

using conformance::StoredTensor;

std::vector<TensorInfo> ListCopied() {
  return {{{2, 3}, DataType::kFloat32}, {{1, 5, 7}, DataType::kInt8}, {{33}, DataType::kInt64}};
}

/// One run of a Copy workload.
Status RunCopy(Plugin& plugin, const TensorInfo& info, ITensorHandle* from,
               const std::string& from_id, ITensorHandle* to, const std::string& to_id) {
  const conformance::TestLayer layer(LayerType::kCopy, NoDescriptor(), {info}, info);
  const auto factory = plugin.MakeFactory();
  const auto workload = MakeWorkloadOfKinds(*factory, layer, from_id, to_id);
  const auto state = factory->CreateExecutionState();
  return conformance::Execute(*workload, {from}, {to}, state.get());
}

bool ExpectCopied(Session& session, Status status, const std::string& what) {
  return ExpectStatus(session, what + ", Execute", status, Status::kSuccess,
                      "kSuccess, as the properties of the kind promise this copy");
}

void CheckCopyWithHost(Session& session, const Kind& kind, const TensorInfo& info) {
  Plugin& plugin = session.GetPlugin();
  const Reach reach = FindReach(plugin, kind);
  const StoredTensor content = MakeContent(info, session.GetSeed());
  const Reach used = reach == Reach::kNone ? Reach::kCopy : reach;
  KindTensor tensor(plugin, kind, used, info, LayerType::kCopy, "the tensor");
  if (kind.CopiesFrom(MemorySource::kMalloc)) {
    GuardedTensor host(content, GuardedSide::kBehind, "the memory copied");
    host.ForbidWriting();
    const Status status = RunCopy(plugin, info, host.GetHandle(), kHostTensorHandleFactoryId,
                                  tensor.GetHandle(), kind.GetId());
    if (!ExpectCopied(session, status, "from memory of the CPU")) return;
    if (reach == Reach::kNone) return;
    session.Expect(tensor.Read().bytes == content.bytes,
                   "copied from memory of the CPU, the tensor does not hold what that held",
                   "the same bytes");
  } else if (reach != Reach::kNone) {
    tensor.Write(content);
  }
  if (!kind.CopiesTo(MemorySource::kMalloc) || reach == Reach::kNone) return;
  GuardedTensor host(MakeGarbage(info), GuardedSide::kBehind, "the memory copied to");
  const Status status = RunCopy(plugin, info, tensor.GetHandle(), kind.GetId(), host.GetHandle(),
                                kHostTensorHandleFactoryId);
  if (!ExpectCopied(session, status, "to memory of the CPU")) return;
  session.Expect(host.Read().bytes == content.bytes,
                 "memory of the CPU does not hold what the tensor copied to it held",
                 "the same bytes");
  ExpectNoDamage(session, host.DescribeDamage(), "the tensor");
}

/// There and back again.
void CheckCopyWithin(Session& session, const Kind& near, const Kind& far, const TensorInfo& info) {
  Plugin& plugin = session.GetPlugin();
  const Reach reach = FindReach(plugin, near);
  const StoredTensor content = MakeContent(info, session.GetSeed());
  KindTensor begin(plugin, near, reach, info, LayerType::kCopy, "the tensor");
  KindTensor middle(plugin, far, Reach::kNone, info, LayerType::kCopy, "the copy");
  KindTensor end(plugin, near, reach, info, LayerType::kCopy, "the copy of the copy");
  begin.Write(content);
  end.Write(MakeGarbage(info));
  Status status =
      RunCopy(plugin, info, begin.GetHandle(), near.GetId(), middle.GetHandle(), far.GetId());
  if (!ExpectCopied(session, status, "there")) return;
  status = RunCopy(plugin, info, middle.GetHandle(), far.GetId(), end.GetHandle(), near.GetId());
  if (!ExpectCopied(session, status, "back")) return;
  session.Expect(end.Read().bytes == content.bytes,
                 "copied there and back, the tensor does not hold what it held", "the same bytes");
}

void CheckCopiesWithin(Session& session, const RegisteredMemory& memory) {
  const std::vector<Kind> kinds = ListKinds(memory);
  for (const Kind& near : kinds) {
    if (near.GetProperties().copies_within_backend == 0) continue;
    if (FindReach(session.GetPlugin(), near) == Reach::kNone) continue;
    for (const Kind& far : kinds) {
      if (far.GetProperties().copies_within_backend == 0 || far.GetId() == near.GetId()) continue;
      for (const TensorInfo& info : ListCopied()) {
        if (session.Begin("copies " + DescribeTensor(info) + " from " + near.GetId() + " to " +
                          far.GetId() + " and back")) {
          CheckCopyWithin(session, near, far, info);
        }
      }
    }
  }
}

}  // namespace

void CheckCopiesAsDeclared(Session& session) {
  WatchFaults(session.GetRecord());
  const RegisteredMemory memory = session.GetPlugin().RegisterMemory();
  for (const Kind& kind : ListKinds(memory)) {
    if (!kind.CopiesTo(MemorySource::kMalloc) && !kind.CopiesFrom(MemorySource::kMalloc)) continue;
    for (const TensorInfo& info : ListCopied()) {
      if (session.Begin("copies " + DescribeTensor(info) + " between " + kind.GetId() +
                        " and memory of the CPU")) {
        CheckCopyWithHost(session, kind, info);
      }
    }
  }
  CheckCopiesWithin(session, memory);
  if (!session.HasCases()) {
    session.Skip("none of its kinds of tensor memory promises copies that the CPU can compare");
  }
}

}  // namespace backplane::check_backend
