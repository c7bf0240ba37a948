#pragma once

#include <backplane/api/descriptor.hpp>
#include <backplane/api/tensor_info.hpp>

#include <cstdint>

namespace backplane {

/// The bytes of an operator's name, with the 0 behind it.
constexpr std::uint32_t kMaxStandInName = 64;

/// The most inputs and the most outputs that a stand-in has.
constexpr std::uint32_t kMaxStandInInputs = 64;
constexpr std::uint32_t kMaxStandInOutputs = 16;

/// An operator that is not in the table: a backend that knows its name runs it. Entries behind
/// num_outputs, and extents behind a rank, are not read.
struct StandInDescriptor : Descriptor<StandInDescriptor> {
  std::uint32_t num_outputs = 1;
  char name[kMaxStandInName] = {};  // printable ASCII, not empty, 0 behind it
  DataType data_types[kMaxStandInOutputs] = {};
  std::uint32_t ranks[kMaxStandInOutputs] = {};
  std::int64_t dims[kMaxStandInOutputs][kMaxRank] = {};
};
BACKPLANE_CHECK_DESCRIPTOR(StandInDescriptor, dims);

}  // namespace backplane
