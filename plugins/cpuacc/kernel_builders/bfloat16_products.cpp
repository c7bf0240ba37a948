#include "kernel_builders/bfloat16_products.hpp"

#include "kernel_builders/converted_input.hpp"
#include "simd/simd.hpp"

#include <cstring>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

dnnl::memory::desc WithType(dnnl::memory::desc desc, dnnl_data_type_t type) {
  desc.data.data_type = type;
  return desc;
}

}  // namespace

bool MultipliesBfloat16(const KernelMaker& maker) {
  return (maker.GetNode().reads_bfloat16 || maker.GetOptions().fast_math) &&
         maker.GetInput(1).IsConstant() &&
         dnnl::get_effective_cpu_isa() == dnnl::cpu_isa::avx512_core_amx;
}

bool UsesTiles(const char* implementation) {
  return std::strstr(implementation, "amx") != nullptr;
}

dnnl::memory::desc ToBfloat16(dnnl::memory::desc desc) {
  return WithType(std::move(desc), dnnl_bf16);
}

dnnl::memory::desc ToFloat32(dnnl::memory::desc desc) {
  return WithType(std::move(desc), dnnl_f32);
}

std::unique_ptr<const Kernel> MakeWithBfloat16Input(const KernelMaker& maker,
                                                    std::int64_t num_elements,
                                                    std::unique_ptr<const Kernel> kernel) {
  InputConversion conversion;
  conversion.num_elements = num_elements;
  conversion.element_bytes = sizeof(std::uint16_t);
  conversion.convert = [](const void* from, void* to, std::int64_t begin, std::int64_t end) {
    GetSimdFunctions().halves.narrow_bfloat16(static_cast<const float*>(from) + begin,
                                              static_cast<std::uint16_t*>(to) + begin, end - begin);
  };
  return MakeWithConvertedInput(maker, conversion, std::move(kernel));
}

}  // namespace cpuacc
}  // namespace backplane
