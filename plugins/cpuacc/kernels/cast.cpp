#include "cpu_layers/narrowing_refusal.hpp"
#include "elements/chain_kernels.hpp"
#include "kernel_builders/kept_layout.hpp"
#include "kernel_builders/widened_layer.hpp"
#include "kernels/kernel_table.hpp"
#include "simd/simd.hpp"
#include "threads/parallel.hpp"

#include <backplane/api/descriptors/cast.hpp>

namespace backplane {
namespace cpuacc {
namespace {

class CastKernel : public Kernel {
 public:
  CastKernel(const TensorInfo& from, const TensorInfo& to, CastFunction cast)
      : num_elements_(from.shape.GetNumElements()),
        from_bytes_(GetDataTypeSizeBytes(from.data_type)),
        to_bytes_(GetDataTypeSizeBytes(to.data_type)),
        cast_(cast) {}

  void Run(const KernelRun& run) const override {
    constexpr std::int64_t kWorthAThread = 32768;
    const auto* input = run.Input<unsigned char>(0);
    auto* output = run.Output<unsigned char>();
    ParallelFor(run.threads, num_elements_, kWorthAThread,
                [&](std::int64_t begin, std::int64_t end) {
                  const auto first = static_cast<std::uint64_t>(begin);
                  cast_(input + first * from_bytes_, output + first * to_bytes_, end - begin);
                });
  }

 private:
  const std::int64_t num_elements_;
  const std::uint64_t from_bytes_;
  const std::uint64_t to_bytes_;
  const CastFunction cast_;
};

/// Between float32 and a float of 16 bits.
bool IsOfHalves(const Layer& layer) {
  if (IsQuantised(layer)) return false;
  const DataType from = layer.Input(0).data_type;
  const DataType to = layer.Output().data_type;
  return (from == DataType::kFloat32 && IsHalf(to)) || (IsHalf(from) && to == DataType::kFloat32);
}

CastFunction FindCast(DataType from, DataType to) {
  const HalfFunctions& halves = GetSimdFunctions().halves;
  if (IsHalf(from)) return halves.GetWiden(from);
  if (IsHalf(to)) return halves.GetNarrow(to);
  auto from_type = NumberType::kFloat32;
  auto to_type = NumberType::kFloat32;
  FindNumberType(from, &from_type);
  FindNumberType(to, &to_type);
  return GetSimdFunctions().conversions.GetCast(from_type, to_type);
}

}  // namespace

std::string FindRefusalOfCast(const Layer& layer) {
  Refusal refusal;
  if (!IsOfHalves(layer)) {
    RequireNumberType(layer.Input(0), "input 0", refusal);
    RequireNumberType(layer.Output(), "the output", refusal);
  }
  const auto cast = layer.GetDescriptor<CastDescriptor>();
  RequireKnownNarrowing(cast, refusal);
  RequireOutputType(layer, cast.to, refusal);
  RequireOutputShape(layer, layer.Input(0).shape, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeCast(KernelMaker& maker) {
  const TensorInfo& from = maker.GetInput(0).info;
  const TensorInfo& to = maker.GetOutput().info;
  KeepLayout(maker);
  if (from.data_type == DataType::kInt32 && to.data_type == DataType::kFloat32) {
    return MakeChainOfIntegers(maker);
  }
  return std::make_unique<CastKernel>(from, to, FindCast(from.data_type, to.data_type));
}

}  // namespace cpuacc
}  // namespace backplane
