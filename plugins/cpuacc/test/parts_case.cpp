#include "test/parts_case.hpp"

#include "kernel_builders/primitive_parts.hpp"
#include "library/engine.hpp"
#include "memory/aligned_memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace backplane {
namespace cpuacc_test {
namespace {

using dnnl::memory;

memory::desc DescribeDense(const memory::dims& dims, memory::data_type type) {
  memory::dims strides(dims.size(), 1);
  for (std::size_t axis = dims.size() - 1; axis > 0; --axis) {
    strides[axis - 1] = strides[axis] * dims[axis];
  }
  return memory::desc(dims, type, strides);
}

std::int64_t CountElements(const memory::dims& dims) {
  std::int64_t count = 1;
  for (const std::int64_t extent : dims) count *= extent;
  return count;
}

std::vector<float> ToFloats(const std::vector<unsigned char>& bytes) {
  std::vector<float> floats(bytes.size() / sizeof(float));
  std::memcpy(floats.data(), bytes.data(), bytes.size());
  return floats;
}

}  // namespace

/// Through a reorder, so that padding is 0 and what oneDNN keeps beside the elements is there.
void PartsCase::AddInput(int id, const memory::desc& desc) {
  std::vector<float> numbers(static_cast<std::size_t>(CountElements(desc.dims())));
  const bool has_fractions = desc.data_type() == memory::data_type::f32;
  const std::int64_t least = desc.data_type() == memory::data_type::u8 ? 0 : -50;
  for (float& number : numbers) {
    number = static_cast<float>(random_.Integer(least, 50));
    if (has_fractions) number /= 7.0F;
  }
  inputs_.push_back(cpuacc::AllocateAligned(desc.get_size()));
  memory from(DescribeDense(desc.dims(), memory::data_type::f32), cpuacc::GetEngine(),
              numbers.data());
  memory to(desc, cpuacc::GetEngine(), inputs_.back().get());
  dnnl::stream stream(cpuacc::GetEngine());
  dnnl::reorder(from, to).execute(stream, from, to);
  stream.wait();
  arguments_.push_back(cpuacc::FromInput(id, desc, static_cast<std::uint32_t>(inputs_.size() - 1)));
}

void PartsCase::SetOutput(const memory::desc& desc) {
  output_bytes_ = desc.get_size();
  output_ = cpuacc::AllocateAligned(output_bytes_);
  arguments_.push_back(cpuacc::FromOutput(DNNL_ARG_DST, desc));
}

std::vector<unsigned char> PartsCase::Run(const cpuacc::Kernel& kernel, int num_threads) {
  constexpr int kUnexpected = 77;
  std::vector<void*> inputs;
  for (const std::shared_ptr<void>& input : inputs_) inputs.push_back(input.get());
  void* outputs[] = {output_.get()};
  std::memset(output_.get(), kUnexpected, output_bytes_);
  const std::shared_ptr<void> scratch = cpuacc::AllocateAligned(kernel.GetScratchBytes());
  const std::unique_ptr<cpuacc::KernelState> state = kernel.MakeState();
  cpuacc::KernelRun run;
  run.inputs = inputs.data();
  run.outputs = outputs;
  run.scratch = scratch.get();
  run.state = state.get();
  run.threads = cpuacc::Threads(pool_, num_threads);
  kernel.Run(run);
  const auto* bytes = static_cast<const unsigned char*>(output_.get());
  return std::vector<unsigned char>(bytes, bytes + output_bytes_);
}

bool KeepsOrder(const std::string& implementation) {
  return implementation.find("gemm") == std::string::npos;
}

void ExpectSameResults(const std::vector<unsigned char>& of_parts,
                       const std::vector<unsigned char>& of_whole, memory::data_type type,
                       const std::string& implementation) {
  if (KeepsOrder(implementation) || type != memory::data_type::f32) {
    EXPECT_EQ(of_parts, of_whole) << implementation;
    return;
  }
  constexpr float kCloseness = 1e-4F;
  const std::vector<float> found = ToFloats(of_parts);
  const std::vector<float> expected = ToFloats(of_whole);
  const auto is_close = [](float a, float b) {
    return std::fabs(a - b) <= kCloseness * (1.0F + std::fabs(b));
  };
  EXPECT_TRUE(std::equal(found.begin(), found.end(), expected.begin(), is_close)) << implementation;
}

dnnl::primitive_attr MakeAttributesOf(OpsCase ops, const memory::desc& residual,
                                      std::size_t channel_axis, PartsCase& parts) {
  dnnl::primitive_attr attributes = cpuacc::MakeAttributes();
  dnnl::post_ops made;
  if (ops == OpsCase::kRelu) made.append_eltwise(1.0F, dnnl::algorithm::eltwise_relu, 0.0F, 0.0F);
  if (ops == OpsCase::kScaleOfChannels) {
    memory::dims dims(residual.dims().size(), 1);
    dims[channel_axis] = residual.dims()[channel_axis];
    const memory::desc desc = DescribeDense(dims, memory::data_type::f32);
    parts.AddInput(cpuacc::GetOperandId(0), desc);
    made.append_binary(dnnl::algorithm::binary_mul, desc);
  }
  if (ops == OpsCase::kResidual) {
    parts.AddInput(cpuacc::GetOperandId(0), residual);
    made.append_binary(dnnl::algorithm::binary_add, residual);
  }
  attributes.set_post_ops(made);
  return attributes;
}

}  // namespace cpuacc_test
}  // namespace backplane
