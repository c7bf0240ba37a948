#pragma once

#include <backplane/c/backend.h>
#include <backplane/api/descriptor.hpp>
#include <backplane/api/tensor_info.hpp>

#include <cstdint>

namespace backplane {

/// The most inputs and the most outputs that a custom layer has.
constexpr std::uint32_t kMaxCustomInputs = 64;
constexpr std::uint32_t kMaxCustomOutputs = 16;

/// A layer of an operator that a backend declares: see IBackendInternal::GetOperators. Owns nothing
/// of what it points to; CustomLayer does.
struct CustomDescriptor : Descriptor<CustomDescriptor> {
  std::uint32_t version = 1;                   // of the domain's operator set
  const char* domain = nullptr;                // printable ASCII, not empty
  const char* type = nullptr;                  // the same
  const bp_named_value* attributes = nullptr;  // those that the model states
  std::uint32_t num_attributes = 0;
  std::uint32_t num_subgraphs = 0;  // 0
  // What comes out, as the application states it. The host checks what a backend infers against it;
  // backends find it in the outputs of the layer, and nothing here.
  const TensorInfo* outputs = nullptr;
  std::uint32_t num_outputs = 0;
  std::uint32_t reserved = 0;
};
BACKPLANE_CHECK_DESCRIPTOR(CustomDescriptor, reserved);

}  // namespace backplane
