#pragma once

#include "elements.hpp"
#include "tensor_handle.hpp"

#include <backplane/api/run_args.hpp>

namespace memory_mock {

/// A tensor beside a workload, as it was promised.
struct Operand {
  backplane::TensorInfo info;
  const Kind* kind = nullptr;  // null: of others, known by its memory view alone
};

inline std::vector<Operand> CollectOperands(const backplane::TensorInfo* const* infos,
                                            const char* const* factories, std::uint32_t count) {
  std::vector<Operand> operands;
  for (std::uint32_t i = 0; i < count; ++i) {
    operands.push_back({*infos[i], factories != nullptr ? FindKind(factories[i]) : nullptr});
  }
  return operands;
}

/// The elements of a tensor of a run.
/// Null: when it is not what was promised, not bound, or cannot be used so.
inline std::optional<Elements> OpenElements(const Operand& operand, backplane::RunTensor tensor,
                                            backplane::MemoryAccess access) {
  Place place;
  if (operand.kind != nullptr) {
    const backplane::ITensorHandle* const handle = tensor.GetHandle();
    if (!GetLiveHandles().Contains(handle)) return std::nullopt;
    const auto& own = static_cast<const TensorHandle&>(*handle);
    if (&own.GetKind() != operand.kind || own.GetPlace() == nullptr) return std::nullopt;
    place = *own.GetPlace();
  } else {
    const bp_view* const view = tensor.GetView();
    const bool is_usable =
        view != nullptr && view->data != nullptr && view->storage == BP_STORAGE_PADDED;
    if (!is_usable) return std::nullopt;
    place = {tensor.Describe(), static_cast<unsigned char*>(view->data)};
  }
  if (!IsOf(place.view, operand.info) || !Permits(place.view.access, access)) return std::nullopt;
  return Elements(place.view, place.address);
}

/// Those of all operands that can be opened.
inline std::vector<Elements> OpenOperands(const std::vector<Operand>& operands,
                                          backplane::RunTensorList tensors,
                                          backplane::MemoryAccess access) {
  std::vector<Elements> opened;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const std::optional<Elements> elements = OpenElements(operands[i], tensors[i], access);
    if (elements) opened.push_back(*elements);
  }
  return opened;
}

}  // namespace memory_mock
