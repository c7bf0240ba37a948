#pragma once

/// What the backend says of layers: what the kernels of the reference backend say.

#include "device.hpp"
#include "mistake.hpp"
#include "own_operator.hpp"
#include "pass.hpp"

#include <backplane/api/i_layer_support.hpp>
#include <backplane/api/layer_type.hpp>
#include <cpuref/layer_support.hpp>

#include <backplane/api/descriptors.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>

namespace mutants {

class LayerSupport final : public backplane::ILayerSupport {
 public:
  bool IsLayerSupported(const backplane::LayerSupportQuery& query,
                        std::string& reason) const override {
    Pass(Place::kSupport);
    const bool is_activation = query.layer_type == backplane::LayerType::kActivation;
    if (Makes(Mistake::kLaterDescriptorsRefused) &&
        query.descriptor->size_bytes != GetDescriptorBytes(query.layer_type)) {
      throw std::invalid_argument("the descriptor has an unknown size");
    }
    if (Makes(Mistake::kNameRead) && query.layer_name[0] == '\0') return false;
    if (Makes(Mistake::kHugeTensorsThrow) && query.num_outputs != 0 &&
        query.outputs[0]->shape.GetNumElements() > INT32_MAX) {
      throw std::bad_alloc();
    }
    const bool is_supported = Answer(query, reason);
    if (Makes(Mistake::kAnswersInTurn) && is_activation &&
        GetDevice().num_asked.fetch_add(1) % 2 == 1) {
      reason = "no kernel is free";
      return false;
    }
    if (Makes(Mistake::kAnswersMixedUp)) {
      std::atomic<backplane::LayerType>& last_type = GetDevice().last_type;
      last_type = query.layer_type;
      std::this_thread::sleep_for(std::chrono::microseconds(20));
      if (last_type != query.layer_type) reason = "no kernel for this layer";
      return is_supported && last_type == query.layer_type;
    }
    if (!is_supported && Makes(Mistake::kRefusesWithoutReason)) reason.clear();
    return is_supported;
  }

 private:
  bool Answer(const backplane::LayerSupportQuery& query, std::string& reason) const {
    const auto last = static_cast<std::uint32_t>(kLastKnown);
    const auto type = static_cast<std::uint32_t>(query.layer_type);
    if (Makes(Mistake::kTakesUnknownLayers) && type > last) return true;
    const bool is_supported = WithKnownOperator(
        query, [&](const auto& known) { return kernels_.IsLayerSupported(known, reason); });
    if (!is_supported && query.layer_type == backplane::LayerType::kActivation &&
        Makes(Mistake::kTakesUnknownValues)) {
      reason.clear();
      return true;
    }
    return is_supported;
  }

  static std::size_t GetDescriptorBytes(backplane::LayerType type) {
    switch (type) {
#define BACKPLANE_OPERATOR(name, number, major, minor, least_inputs, most_inputs, least_outputs, \
                           most_outputs, descriptor, ...)                                        \
  case backplane::LayerType::k##name:                                                            \
    return sizeof(backplane::descriptor);
#define BACKPLANE_CORE_LAYER(...)
#include <backplane/api/layers.def>
#undef BACKPLANE_OPERATOR
#undef BACKPLANE_CORE_LAYER
      default:
        return sizeof(backplane::BaseDescriptor);
    }
  }

  static constexpr int kLastKnown = 255;

  const backplane::cpuref::LayerSupport kernels_{};
};

}  // namespace mutants
