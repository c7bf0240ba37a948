/// A backend with as many kernels as KERNELS says: classes with virtual functions, whose tables the
/// loader relocates, and functions that others can be bound to.

#include <backplane/api/backend.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace kernels {

class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual const char* GetName() const = 0;
  virtual void Run(const float* from, float* to, std::size_t count) const = 0;
  virtual std::vector<float> GetTable() const = 0;
};

template <std::size_t N>
class NumberedKernel : public Kernel {
 public:
  const char* GetName() const override { return "kernel"; }
  void Run(const float* from, float* to, std::size_t count) const override {
    for (std::size_t i = 0; i < count; ++i) to[i] = std::fma(from[i], static_cast<float>(N), 0.5F);
  }
  std::vector<float> GetTable() const override { return std::vector<float>(N % 64 + 1, 1.0F); }
};

template <std::size_t N>
std::unique_ptr<Kernel> MakeKernel() {
  return std::make_unique<NumberedKernel<N>>();
}

using Maker = std::unique_ptr<Kernel> (*)();

template <std::size_t... N>
constexpr std::array<Maker, sizeof...(N)> MakeTable(std::index_sequence<N...> /*numbers*/) {
  return {&MakeKernel<N>...};
}

extern const std::array<Maker, KERNELS> kMakers;
const std::array<Maker, KERNELS> kMakers = MakeTable(std::make_index_sequence<KERNELS>());

}  // namespace kernels

const char* GetBackendId() {
  return "BenchKernels";
}

void GetVersion(std::uint32_t* major, std::uint32_t* minor) {
  *major = BP_API_MAJOR;
  *minor = BP_API_MINOR;
}

void* BackendFactory() {
  return nullptr;  // never called: the file is only opened
}
