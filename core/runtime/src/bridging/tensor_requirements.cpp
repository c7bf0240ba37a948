#include "bridging/kind_table.hpp"
#include "tensors/tensor_size.hpp"

#include <algorithm>

namespace backplane {

namespace {

bool IsPowerOfTwo(std::uint64_t value) {
  return value != 0 && (value & (value - 1)) == 0;
}

[[noreturn]] void ThrowNoPowerOfTwo(const PluginObject<ITensorHandleFactory>& factory,
                                    std::uint64_t alignment) {
  const std::string& backend_id = factory.GetOrigin()->backend_id;
  Diagnostic diagnostic{DiagnosticCode::kFactoryDisagrees};
  diagnostic.subject = {SubjectKind::kBackend, backend_id};
  diagnostic.what =
      "a tensor-handle factory of backend \"" + backend_id + "\" asks for an impossible alignment";
  diagnostic.why = "GetRequirements answered an alignment of " + std::to_string(alignment) +
                   " bytes; expected a power of two";
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
      ThrowNoPowerOfTwo(factory, wanted.alignment_bytes);
    }
    needed.size_bytes = std::max(needed.size_bytes, wanted.size_bytes);
    needed.alignment_bytes = std::max(needed.alignment_bytes, wanted.alignment_bytes);
  };
  ask(LayerType::kUndefined);
  for (const LayerType layer_type : layers_beside) ask(layer_type);
  return needed;
}

}  // namespace backplane
