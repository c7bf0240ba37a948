#include "quantised/byte_table.hpp"

#include "cpu_layers/quantised_number.hpp"
#include "cpu_layers/scales.hpp"
#include "kernel_builders/kept_layout.hpp"
#include "kernel_builders/layer.hpp"
#include "simd/simd.hpp"
#include "threads/parallel.hpp"

#include <cstddef>
#include <cstring>

namespace backplane {
namespace cpuacc {
namespace {

class ByteTableKernel : public Kernel {
 public:
  ByteTableKernel(const ByteTable& table, std::int64_t num_elements)
      : table_(table), num_elements_(num_elements) {}

  void Run(const KernelRun& run) const override {
    constexpr std::int64_t kWorthAThread = 32768;
    const auto* input = run.Input<std::uint8_t>(0);
    auto* output = run.Output<std::uint8_t>();
    const LookUpBytes look_up = GetSimdFunctions().bytes.look_up;
    ParallelFor(run.threads, num_elements_, kWorthAThread,
                [&](std::int64_t begin, std::int64_t end) {
                  look_up(table_.data(), input + begin, output + begin, end - begin);
                });
  }

 private:
  const ByteTable table_;
  const std::int64_t num_elements_;
};

}  // namespace

double FindReal(const TensorInfo& info, std::uint8_t byte) {
  const auto scale = static_cast<double>(GetScale(info));
  const double zero_point = GetZeroPoint(info);
  return info.data_type == DataType::kInt8
             ? cpu_layers::ToReal(static_cast<std::int8_t>(byte), scale, zero_point)
             : cpu_layers::ToReal(byte, scale, zero_point);
}

std::uint8_t FindByte(const TensorInfo& info, double real) {
  const auto scale = static_cast<double>(GetScale(info));
  const double zero_point = GetZeroPoint(info);
  return info.data_type == DataType::kInt8
             ? static_cast<std::uint8_t>(cpu_layers::ToStored<std::int8_t>(real, scale, zero_point))
             : cpu_layers::ToStored<std::uint8_t>(real, scale, zero_point);
}

ByteTable MakeByteTable(const TensorInfo& input, const TensorInfo& output,
                        const std::function<double(double)>& function) {
  ByteTable table = {};
  for (std::size_t byte = 0; byte < table.size(); ++byte) {
    table[byte] = FindByte(output, function(FindReal(input, static_cast<std::uint8_t>(byte))));
  }
  return table;
}

std::unique_ptr<const Kernel> MakeByteTableKernel(KernelMaker& maker, const ByteTable& table) {
  KeepLayout(maker);
  return std::make_unique<ByteTableKernel>(table, maker.GetOutput().info.shape.GetNumElements());
}

std::unique_ptr<const Kernel> MakeByteTableKernel(KernelMaker& maker) {
  ByteTable table = {};
  std::memcpy(table.data(), maker.GetInput(1).content.get(), table.size());
  maker.IgnoreInput(1);
  return MakeByteTableKernel(maker, table);
}

}  // namespace cpuacc
}  // namespace backplane
