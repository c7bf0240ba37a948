#pragma once

/// NaN and infinity in tensors.

#include <backplane/api/tensor_info.hpp>
#include <backplane/runtime/export.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace backplane {

/// What is among the elements of a tensor.
struct NumberScan {
  std::uint64_t num_elements = 0;
  std::uint64_t num_nan = 0;
  std::uint64_t num_infinities = 0;           // above all numbers
  std::uint64_t num_negative_infinities = 0;  // below all numbers
  std::vector<std::int64_t> first;            // the indices of the first of those; of a scalar none
  double first_value = 0;                     // NaN or an infinity, when there is one

  std::uint64_t GetNumNonFinite() const {
    return num_nan + num_infinities + num_negative_infinities;
  }
};

/// Whether elements of the type can be NaN or infinity. [any thread]
BACKPLANE_RUNTIME_API bool CanBeNonFinite(DataType type);

/// Looks at a dense tensor. All elements of other types than floating-point ones are finite.
/// Null: `data` of a tensor without elements.
/// [any thread]
BACKPLANE_RUNTIME_API NumberScan ScanNumbers(const TensorInfo& info, const void* data);

/// "2 NaN and 1 infinity of 1000 elements, first NaN at [0, 2, 5]"; "" when all are finite.
/// [any thread]
BACKPLANE_RUNTIME_API std::string DescribeNonFinite(const NumberScan& scan);

}  // namespace backplane
