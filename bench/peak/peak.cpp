// How fast CpuAcc multiplies rows of float32 with constant matrices, as a part of what the
// processor can do: multiply-adds in registers on the same core, in turn with the products. One
// thread. ONEDNN_MAX_CPU_ISA limits both sides to AVX2 or SSE41.
//
//   bench_peak [--runs N]

#include "opencl/measured_network.hpp"

#include <backplane/api/descriptors/batch_mat_mul.hpp>

#include <immintrin.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

using namespace backplane;
using namespace bench;

/// Enough that no multiply-add waits for another.
constexpr int kChains = 16;
constexpr int kChainsOfFew = 12;  // where there are 16 registers
constexpr std::int64_t kRounds = 200'000;

/// Where results go, so that none is left out.
volatile float result = 1.0F;

/// Calls step(sum) for all sums, again and again.
#define BENCH_MULTIPLY(vector, count, set, step, reduce)   \
  vector sums[count];                                      \
  const vector factor = set(result);                       \
  for (vector & sum : sums) sum = factor;                  \
  for (std::int64_t round = 0; round < kRounds; ++round) { \
    _Pragma("GCC unroll 16") for (vector & sum : sums) {   \
      step;                                                \
    }                                                      \
  }                                                        \
  for (const vector& sum : sums) result = result + reduce(sum);

__attribute__((target("avx512f"))) void MultiplyAvx512() {
  BENCH_MULTIPLY(__m512, kChains, _mm512_set1_ps, sum = _mm512_fmadd_ps(sum, factor, factor),
                 _mm512_cvtss_f32)
}

__attribute__((target("avx2,fma"))) void MultiplyAvx2() {
  BENCH_MULTIPLY(__m256, kChainsOfFew, _mm256_set1_ps, sum = _mm256_fmadd_ps(sum, factor, factor),
                 _mm256_cvtss_f32)
}

void MultiplySse() {
  BENCH_MULTIPLY(__m128, kChainsOfFew, _mm_set1_ps,
                 sum = _mm_add_ps(_mm_mul_ps(sum, factor), factor), _mm_cvtss_f32)
}

#undef BENCH_MULTIPLY

/// Multiply-adds in registers, by the widest instructions that are allowed.
struct Registers {
  const char* name = "SSE4.1";
  void (*multiply)() = &MultiplySse;
  std::int64_t products = kRounds * kChainsOfFew * 4;
};

Registers ChooseRegisters() {
  const char* const limit = std::getenv("ONEDNN_MAX_CPU_ISA");
  const std::string most = limit != nullptr ? limit : "";
  const bool is_within_avx2 = most == "AVX2" || most == "SSE41";
  if (!is_within_avx2 && __builtin_cpu_supports("avx512f")) {
    return {"AVX-512", &MultiplyAvx512, kRounds * kChains * 16};
  }
  if (most != "SSE41" && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    return {"AVX2", &MultiplyAvx2, kRounds * kChainsOfFew * 8};
  }
  return {};
}

/// In thousands of millions of multiply-adds in a second.
double GetSpeed(std::int64_t products, double ms) {
  return static_cast<double>(products) / ms / 1e6;
}

struct Matrix {
  std::int64_t inner = 0;
  std::int64_t columns = 0;
};

// Blocks of transformers have such matrices.
constexpr Matrix kMatrices[] = {{768, 768},   {768, 3072},  {3072, 768},
                                {1024, 4096}, {4096, 1024}, {2048, 2048}};
constexpr std::int64_t kRows[] = {1, 4, 8, 16, 32, 64, 128, 512};

std::unique_ptr<INetwork> MakeNetwork(std::int64_t rows, const Matrix& matrix) {
  auto network = INetwork::Create("product");
  const OutputSlot input = network->AddInputLayer({{rows, matrix.inner}, DataType::kFloat32}, "a");
  std::vector<float> numbers(static_cast<std::size_t>(matrix.inner * matrix.columns));
  // Elements have more bits than 16, so that the matrix is not stored in fewer.
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = 0.01F + static_cast<float>(i % 1009) / 3.0e4F;
  }
  const OutputSlot weights = network->AddConstantLayer(
      {{matrix.inner, matrix.columns}, DataType::kFloat32},
      CopyConstantData(numbers.data(), numbers.size() * sizeof(float)), "b");
  const LayerId layer = AddLayer<LayerType::kBatchMatMul>(*network, {}, {input, weights}, "c");
  network->AddOutputLayer({layer, 0}, "c");
  return network;
}

void Measure(IRuntime& runtime, const Registers& registers, std::int64_t rows, const Matrix& matrix,
             int num_runs) {
  OptimizerOptions options;
  options.model_options.push_back({"CpuAcc", {{"threads", 1}}});
  const auto optimized =
      Optimize(*MakeNetwork(rows, matrix), {"CpuAcc"}, runtime.GetDeviceSpec(), options);
  const Tensors tensors(runtime, *optimized);
  const NetworkId network = runtime.LoadNetwork(optimized);
  std::vector<double> product_ms;
  std::vector<double> register_ms;
  for (int run = 0; run < num_runs; ++run) {
    product_ms.push_back(Time([&] { tensors.Run(runtime, network); }));
    register_ms.push_back(Time(registers.multiply));
  }
  runtime.UnloadNetwork(network);
  const double speed = GetSpeed(rows * matrix.inner * matrix.columns,
                                *std::min_element(product_ms.begin(), product_ms.end()));
  const double peak =
      GetSpeed(registers.products, *std::min_element(register_ms.begin(), register_ms.end()));
  std::printf("%4lld x %4lld x %4lld: %6.1f of %6.1f, %.2f\n", static_cast<long long>(rows),
              static_cast<long long>(matrix.inner), static_cast<long long>(matrix.columns), speed,
              peak, speed / peak);
}

}  // namespace

int main(int argc, char** argv) {
  const auto measure = [](IRuntime& runtime, int num_runs) {
    const Registers registers = ChooseRegisters();
    std::printf(
        "multiply-adds in %s, 10^9 in a second: rows x inner x columns, CpuAcc of registers\n",
        registers.name);
    for (const Matrix& matrix : kMatrices) {
      for (const std::int64_t rows : kRows) Measure(runtime, registers, rows, matrix, num_runs);
    }
  };
  return RunBench(argc, argv, BACKPLANE_BACKENDS_FOLDER, {"OpenCl"}, measure);
}
