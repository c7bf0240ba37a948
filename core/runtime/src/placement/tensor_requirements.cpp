#include "placement/kind_table.hpp"
#include "tensors/tensor_size.hpp"

#include <algorithm>

namespace backplane {

namespace {

bool IsPowerOfTwo(std::uint64_t value) {
  return value != 0 && (value & (value - 1)) == 0;
}

// Layouts pad tensors; none by more than this.
constexpr std::uint64_t kMostGrowth = 4096;
constexpr std::uint64_t kSmallBytes = std::uint64_t{1} << 20U;

[[noreturn]] void ThrowImpossible(const PluginObject<ITensorHandleFactory>& factory,
                                  const char* what, const std::string& why) {
  const std::string& backend_id = factory.GetOrigin()->backend_id;
  Diagnostic diagnostic{DiagnosticCode::kFactoryDisagrees};
  diagnostic.subject = {SubjectKind::kBackend, backend_id};
  diagnostic.what =
      "a tensor-handle factory of backend \"" + backend_id + "\" asks for an impossible " + what;
  diagnostic.why = why;
  diagnostic.fix = "report this to the vendor of the backend, or prefer another backend";
  throw DiagnosticException(std::move(diagnostic));
}

}  // namespace

MemoryRequirements AskRequirements(const KindObjects& objects, KindIndex kind,
                                   const TensorInfo& info,
                                   const std::vector<LayerType>& layers_beside) {
  MemoryRequirements needed;
  needed.size_bytes = info.GetSizeBytes();
  needed.alignment_bytes = GetDataTypeSizeBytes(info.data_type);
  if (kind == kHostKind) {
    needed.alignment_bytes = kTensorAlignmentBytes;
    return needed;
  }
  const PluginObject<ITensorHandleFactory>& factory = *objects.factories[kind];
  TensorRequirementsArgs args;
  args.info = &info;
  const auto ask = [&](LayerType layer_type) {
    args.layer_type = layer_type;
    auto answer = factory.Call<&ITensorHandleFactory::GetRequirements>(args);
    const MemoryRequirements& wanted = answer.GetOrThrow();
    if (wanted.alignment_bytes != 0 && !IsPowerOfTwo(wanted.alignment_bytes)) {
      ThrowImpossible(factory, "alignment",
                      "GetRequirements answered an alignment of " +
                          std::to_string(wanted.alignment_bytes) +
                          " bytes; expected a power of two");
    }
    const std::uint64_t dense_bytes = std::max(info.GetSizeBytes(), kSmallBytes);
    if (wanted.size_bytes / kMostGrowth > dense_bytes) {
      ThrowImpossible(factory, "size",
                      "GetRequirements answered " + std::to_string(wanted.size_bytes) +
                          " bytes for a tensor of " + std::to_string(info.GetSizeBytes()) +
                          "; expected no more than " + std::to_string(kMostGrowth) +
                          " times as many, or 4 GiB");
    }
    needed.size_bytes = std::max(needed.size_bytes, wanted.size_bytes);
    needed.alignment_bytes = std::max(needed.alignment_bytes, wanted.alignment_bytes);
  };
  ask(LayerType::kUndefined);
  for (const LayerType layer_type : layers_beside) ask(layer_type);
  return needed;
}

}  // namespace backplane
