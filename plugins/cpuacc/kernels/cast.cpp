#include "kernels/kernel_table.hpp"
#include "making/kept_layout.hpp"
#include "making/widened_layer.hpp"
#include "simd/simd.hpp"
#include "threads/parallel.hpp"

#include <backplane/api/descriptors/cast.hpp>

namespace backplane {
namespace cpuacc {
namespace {

/// `Function` is a CastFunction, or one that has types.
template <typename From, typename To, typename Function>
class CastKernel : public Kernel {
 public:
  CastKernel(const TensorInfo& from, const TensorInfo& to, Function cast)
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
                  cast_(reinterpret_cast<const From*>(input + first * from_bytes_),
                        reinterpret_cast<To*>(output + first * to_bytes_), end - begin);
                });
  }

 private:
  const std::int64_t num_elements_;
  const std::uint64_t from_bytes_;
  const std::uint64_t to_bytes_;
  const Function cast_;
};

/// Between float32 and a float of 16 bits.
bool IsOfHalves(const Layer& layer) {
  if (IsQuantised(layer)) return false;
  const DataType from = layer.Input(0).data_type;
  const DataType to = layer.Output().data_type;
  return (from == DataType::kFloat32 && IsHalf(to)) || (IsHalf(from) && to == DataType::kFloat32);
}

template <typename From, typename To>
std::unique_ptr<const Kernel> MakeCastBy(const TensorInfo& from, const TensorInfo& to,
                                         void (*cast)(const From*, To*, std::int64_t)) {
  return std::make_unique<CastKernel<From, To, decltype(cast)>>(from, to, cast);
}

}  // namespace

std::string FindRefusalOfCast(const Layer& layer) {
  Refusal refusal;
  if (!IsOfHalves(layer)) {
    RequireNumberType(layer.Input(0), "input 0", refusal);
    RequireNumberType(layer.Output(), "the output", refusal);
  }
  RequireOutputType(layer, layer.GetDescriptor<CastDescriptor>().to, refusal);
  RequireOutputShape(layer, layer.Input(0).shape, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeCast(KernelMaker& maker) {
  const TensorInfo& from = maker.GetInput(0).info;
  const TensorInfo& to = maker.GetOutput().info;
  KeepLayout(maker);
  const HalfFunctions& halves = GetSimdFunctions().halves;
  if (IsHalf(from.data_type)) return MakeCastBy(from, to, halves.GetWiden(from.data_type));
  if (IsHalf(to.data_type)) return MakeCastBy(from, to, halves.GetNarrow(to.data_type));
  auto from_type = NumberType::kFloat32;
  auto to_type = NumberType::kFloat32;
  FindNumberType(from.data_type, &from_type);
  FindNumberType(to.data_type, &to_type);
  return MakeCastBy(from, to, GetSimdFunctions().conversions.GetCast(from_type, to_type));
}

}  // namespace cpuacc
}  // namespace backplane
