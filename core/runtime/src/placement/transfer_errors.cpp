#include "placement/transfer_errors.hpp"

#include "tensors/memory_check.hpp"
#include "tensors/tensor_text.hpp"

#include <utility>

namespace backplane {

namespace {

std::string DescribeKind(const TensorKind& kind) {
  const TensorHandleFactoryProperties& properties = kind.properties;
  std::string text = kind.id + " (";
  if (!HasKnownLayout(kind)) text += "opaque layout, ";
  text += IsMappable(kind) ? "can be mapped" : "cannot be mapped";
  const auto add = [&](const char* name, MemorySourceFlags sources) {
    text += std::string(", ") + name + " " + DescribeSources(sources);
  };
  add("imports", properties.import_sources);
  add("exports", properties.export_sources);
  if (properties.copy_to_sources != 0) add("copies to", properties.copy_to_sources);
  if (properties.copy_from_sources != 0) add("copies from", properties.copy_from_sources);
  return text + ")";
}

// Who makes or reads a tensor, and in which kinds of memory.
struct Side {
  std::string name;
  std::string kinds;
};

Side DescribeSide(std::uint32_t backend, const KindTable& table,
                  const std::vector<std::string>& backend_ids) {
  if (backend == kOfApplication) {
    const bool is_protected = !IsMappable(table.kinds[kHostKind]);
    return {"the application", is_protected ? "protected memory" : "memory that the CPU can use"};
  }
  return {"backend \"" + backend_ids[backend] + "\"", DescribeKinds(table, table.usable[backend])};
}

}  // namespace

std::string DescribeKinds(const KindTable& table, const std::vector<KindIndex>& kinds) {
  std::string text;
  for (const KindIndex kind : kinds) {
    if (!text.empty()) text += ", ";
    text += DescribeKind(table.kinds[kind]);
  }
  return text.empty() ? "no kind of memory" : text;
}

Diagnostic DescribeNoTransfer(const Graph& graph, const ViewGroup& group, const GroupReader& reader,
                              std::uint32_t producer, const KindTable& table,
                              const std::vector<std::string>& backend_ids) {
  const Layer& maker = graph.layers[group.members[0].slot.layer];
  const Layer& layer = graph.layers[reader.layers.front()];
  const Side from = DescribeSide(producer, table, backend_ids);
  const Side to = DescribeSide(reader.backend, table, backend_ids);
  Diagnostic diagnostic{DiagnosticCode::kNoTransfer};
  diagnostic.subject = {SubjectKind::kLayer, GetDisplayName(layer.name, layer.id)};
  diagnostic.what = "the output of " + DescribeLayer(maker) + ", " +
                    DescribeTensor(GetTensor(graph, group.members[0].slot)) + ", cannot get from " +
                    from.name + " to " + to.name + ", where " + DescribeLayer(layer) + " needs it";
  diagnostic.why =
      from.name + " has " + from.kinds + "; " + to.name + " has " + to.kinds +
      "; expected a kind in common, an export of the one that the other imports, a "
      "copy by one of their workloads, or two that can be mapped, also by way of other "
      "kinds of the network";
  diagnostic.fix =
      "place both layers on one backend with a hint or other preferences; ask the vendors for a "
      "factory that can be mapped, or for Copy workloads";
  return diagnostic;
}

void ThrowNoTransfers(const std::string& network, std::vector<Diagnostic> failures) {
  if (failures.empty()) return;
  if (failures.size() == 1) throw DiagnosticException(std::move(failures.front()));
  Diagnostic diagnostic{DiagnosticCode::kNoTransfer};
  diagnostic.subject = {SubjectKind::kNetwork, network};
  diagnostic.what = std::to_string(failures.size()) + " tensors of network \"" + network +
                    "\" cannot get from one backend to another";
  diagnostic.why = "found no way between the kinds of tensor memory, as the causes say";
  diagnostic.fix = failures.front().fix;
  diagnostic.causes = std::move(failures);
  throw DiagnosticException(std::move(diagnostic));
}

void RequireFewBytesCopied(const Placement& placement, std::optional<std::uint64_t> most_bytes) {
  if (!most_bytes || placement.copied_bytes <= *most_bytes) return;
  Diagnostic diagnostic{DiagnosticCode::kTooManyBytesCopied};
  diagnostic.subject = {SubjectKind::kNetwork, placement.network};
  diagnostic.what = "network \"" + placement.network + "\" would copy more bytes than allowed";
  diagnostic.why = "the best plan copies " + std::to_string(placement.copied_bytes) +
                   " bytes in one run; expected at most " + std::to_string(*most_bytes);
  diagnostic.fix =
      "place the layers so that fewer tensors cross between backends, or allow more bytes";
  for (const PlacedTransfer& transfer : placement.transfers) {
    if (transfer.copied_bytes == 0) continue;
    Diagnostic cause{DiagnosticCode::kTooManyBytesCopied};
    cause.subject = {SubjectKind::kLayer, transfer.layer};
    cause.what = "the output of " + transfer.layer + ", " + transfer.tensor +
                 ", is copied: " + std::to_string(transfer.copied_bytes) + " bytes";
    cause.why = transfer.reason;
    diagnostic.causes.push_back(std::move(cause));
  }
  throw DiagnosticException(std::move(diagnostic));
}

}  // namespace backplane
