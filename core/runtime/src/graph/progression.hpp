#pragma once

#include <backplane/api/tensor_info.hpp>

#include <cstdint>
#include <memory>
#include <optional>

namespace backplane {

/// The elements of a tensor, in their order, each greater than the one before by the same step, as
/// positions are; or all alike, as those of a mask that hides nothing. Integers and bool as they
/// are; of other types, whose elements have up to 8 bytes, the bits of elements that are all alike.
struct Progression {
  std::int64_t first = 0;
  std::int64_t step = 0;
};

/// Whether elements of the type are whole numbers as they are. Those of others are bits, of which
/// nothing follows from others.
bool HasWholeNumbers(DataType type);

/// Nothing: the elements are no progression, or are none of plain whole bytes.
std::optional<Progression> FindProgression(const TensorInfo& info, const void* data);

/// Nothing: elements of the type cannot be these.
/// Errors: std::bad_alloc.
std::shared_ptr<const void> MakeProgression(const TensorInfo& info, const Progression& progression);

}  // namespace backplane
