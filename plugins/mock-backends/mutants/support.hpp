#pragma once

/// What the backend says of layers: what the kernels of the reference backend say.

#include "mistake.hpp"
#include "pass.hpp"

#include <backplane/api/i_layer_support.hpp>
#include <backplane/api/layer_type.hpp>
#include <cpuref/layer_support.hpp>

#include <backplane/api/descriptors/activation.hpp>

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
    if (Makes(Mistake::kLaterStructsRefused) && query.size_bytes != sizeof(query)) {
      throw std::invalid_argument("the question has an unknown size");
    }
    const bool is_activation = query.layer_type == backplane::LayerType::kActivation;
    if (Makes(Mistake::kLaterDescriptorsRefused) && is_activation &&
        query.descriptor->size_bytes != sizeof(backplane::ActivationDescriptor)) {
      throw std::invalid_argument("the descriptor has an unknown size");
    }
    if (Makes(Mistake::kNameRead) && query.layer_name[0] == '\0') return false;
    if (Makes(Mistake::kHugeTensorsThrow) && query.num_outputs != 0 &&
        query.outputs[0]->shape.GetNumElements() > INT32_MAX) {
      throw std::bad_alloc();
    }
    const bool is_supported = Answer(query, reason);
    if (Makes(Mistake::kAnswersInTurn) && is_activation && num_asked_.fetch_add(1) % 2 == 1) {
      reason = "no kernel is free";
      return false;
    }
    if (Makes(Mistake::kAnswersMixedUp)) {
      last_answer_ = is_supported;
      std::this_thread::sleep_for(std::chrono::microseconds(20));
      return last_answer_;
    }
    if (!is_supported && Makes(Mistake::kRefusesWithoutReason)) reason.clear();
    if (is_supported && Makes(Mistake::kReasonWithYes)) reason = "supported";
    return is_supported;
  }

 private:
  bool Answer(const backplane::LayerSupportQuery& query, std::string& reason) const {
    const auto last = static_cast<std::uint32_t>(kLastKnown);
    const auto type = static_cast<std::uint32_t>(query.layer_type);
    if (Makes(Mistake::kTakesUnknownLayers) && type > last) return true;
    const bool is_supported = kernels_.IsLayerSupported(query, reason);
    if (!is_supported && query.layer_type == backplane::LayerType::kActivation &&
        Makes(Mistake::kTakesUnknownValues)) {
      reason.clear();
      return true;
    }
    return is_supported;
  }

  static constexpr int kLastKnown = 255;

  const backplane::cpuref::LayerSupport kernels_{};
  mutable std::atomic<std::uint32_t> num_asked_{0};
  mutable std::atomic<bool> last_answer_{false};
};

}  // namespace mutants
