#include "library/engine.hpp"

namespace backplane {
namespace cpuacc {

const dnnl::engine& GetEngine() {
  static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

}  // namespace cpuacc
}  // namespace backplane
