#pragma once

/// What kernels on quantised elements have in common.

#include "cpu_layers/quantised_runs.hpp"
#include "kernel_builders/kernel_maker.hpp"
#include "kernel_builders/layer.hpp"
#include "threads/parallel.hpp"

#include <algorithm>
#include <cstdint>

namespace backplane {
namespace cpuacc {

/// Refuses a tensor without scales, or with some that do not fit it.
void RequireScales(const TensorInfo& info, const char* tensor, Refusal& refusal);

/// Refuses what is not quantised in 8 bits with zero points that are values of the type; `types`
/// are those that are supported, for the reason.
void RequireQuantisedBytes(const TensorInfo& info, const char* tensor, Refusal& refusal,
                           const char* types = " and uint8");

/// Does what RequireQuantisedBytes does, for 8 or 16 bits.
void RequireQuantisedIntegers(const TensorInfo& info, const char* tensor, Refusal& refusal,
                              const char* types);

/// As RequireQuantisedBytes, for all tensors of a layer, with one scale each.
void RequireBytesWithOneScale(const Layer& layer, Refusal& refusal);

/// Of a byte; uint8 and int8 differ by it.
constexpr std::uint8_t kSignBit = 128;

/// As loops over bytes want it (simd/byte_functions.hpp).
inline std::int32_t GetSignBit(const TensorInfo& info) {
  return info.data_type == DataType::kInt8 ? kSignBit : 0;
}

/// Calls visit(bytes) with the elements of int8 or uint8 in their type.
template <typename Visit>
auto VisitBytes(DataType type, const void* bytes, const Visit& visit) {
  return type == DataType::kInt8 ? visit(static_cast<const std::int8_t*>(bytes))
                                 : visit(static_cast<const std::uint8_t*>(bytes));
}

/// Keeps the layout of the input where all elements have one scale, and asks for a plain one where
/// they do not, or are of 16 bits.
void KeepLayoutOfQuantised(KernelMaker& maker, const TensorInfo& quantised);

/// Calls convert(QuantisedRun) for all elements of a tensor, in pieces that are worth a thread.
template <typename Convert>
void ForEachRun(const TensorInfo& quantised, const Threads& threads, const Convert& convert) {
  constexpr std::int64_t kWorthAThread = 32768;
  VisitQuantisedRuns(quantised, [&](const QuantisedRun& run) {
    ParallelFor(threads, run.count, kWorthAThread, [&](std::int64_t begin, std::int64_t end) {
      convert(QuantisedRun{run.begin + begin, end - begin, run.scale, run.zero_point});
    });
  });
}

}  // namespace cpuacc
}  // namespace backplane
