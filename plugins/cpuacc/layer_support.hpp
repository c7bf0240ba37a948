#pragma once

#include <backplane/api/i_layer_support.hpp>

#include <string>

namespace backplane {
namespace cpuacc {

/// Answers what the kernels answer.
class LayerSupport : public ILayerSupport {
 public:
  bool IsLayerSupported(const LayerSupportQuery& query, std::string& reason) const override;
};

}  // namespace cpuacc
}  // namespace backplane
