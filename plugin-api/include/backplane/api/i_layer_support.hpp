#pragma once

#include <backplane/api/descriptor.hpp>
#include <backplane/api/layer_type.hpp>
#include <backplane/api/tensor_info.hpp>

#include <cstdint>
#include <string>

namespace backplane {

/// A layer about which a backend is asked. Filled by the host; all pointers are borrowed until the
/// call returns.
struct LayerSupportQuery {
  std::uint32_t size_bytes = sizeof(LayerSupportQuery);
  LayerType layer_type = LayerType::kUndefined;
  const char* layer_name = "";
  const BaseDescriptor* descriptor = nullptr;  // of the type that layers.def states; never null
  const TensorInfo* const* inputs = nullptr;
  std::uint32_t num_inputs = 0;
  std::uint32_t num_outputs = 0;
  const TensorInfo* const* outputs = nullptr;
  const std::uint8_t* input_is_constant = nullptr;  // for each input, 1 or 0
};

/// Says which layers a backend can run.
class ILayerSupport {
 public:
  virtual ~ILayerSupport() = default;

  /// Says whether the backend can run this layer, exactly as its workloads do. Asks nothing of a
  /// device that could fail later.
  /// On no, `reason` says what was found and what is supported, for example "data type float16 is
  /// not supported, only float32". On yes it is left alone.
  /// Conformance: BC0301 to BC0307, BC0605.
  /// [any thread] Since: 1.0
  virtual bool IsLayerSupported(const LayerSupportQuery& query, std::string& reason) const = 0;
};

}  // namespace backplane
