// A Cast of a constant gives the bytes that the layer gives.

#include "model_builder.hpp"

#include <backplane/api/narrow_types.hpp>
#include <backplane/runtime/i_runtime.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace backplane::onnx::test {
namespace {

using ::onnx::TensorProto;
using Bytes = std::vector<unsigned char>;

// All that Cast takes and gives; the numbers of the last ones are newer than some libraries.
constexpr std::int32_t kCastTypes[] = {TensorProto::FLOAT,
                                       TensorProto::FLOAT16,
                                       TensorProto::BFLOAT16,
                                       TensorProto::DOUBLE,
                                       TensorProto::INT8,
                                       TensorProto::UINT8,
                                       TensorProto::INT16,
                                       TensorProto::UINT16,
                                       TensorProto::INT32,
                                       TensorProto::UINT32,
                                       TensorProto::INT64,
                                       TensorProto::UINT64,
                                       TensorProto::BOOL,
                                       17,
                                       18,
                                       19,
                                       20,
                                       21,
                                       22,
                                       23,
                                       24,
                                       25,
                                       26};

constexpr std::int32_t kUInt4OfOnnx = 21;
constexpr std::int32_t kInt4OfOnnx = 22;
constexpr std::int32_t kFloat4OfOnnx = 23;
constexpr std::int32_t kUInt2OfOnnx = 25;
constexpr std::int32_t kInt2OfOnnx = 26;

template <typename Number>
Bytes ToBytes(const std::vector<Number>& numbers) {
  Bytes bytes(numbers.size() * sizeof(Number));
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

const std::vector<double> kReals = {0,
                                    -0.0,
                                    0.5,
                                    1.5,
                                    2.5,
                                    -0.5,
                                    -1.5,
                                    -2.5,
                                    0.49999,
                                    7.5,
                                    8.5,
                                    15.5,
                                    127.5,
                                    128,
                                    -128.5,
                                    -129,
                                    255.5,
                                    256,
                                    32767.5,
                                    32768,
                                    65504,
                                    65519,
                                    65520,
                                    65535.5,
                                    65536,
                                    1e5,
                                    16777217,
                                    0x1p31,
                                    -0x1p31,
                                    0x1p32,
                                    1e10,
                                    0x1p53,
                                    0x1p62,
                                    0x1p63,
                                    -0x1p63,
                                    0x1p64,
                                    -0x1.8p63,
                                    1e30,
                                    -1e30,
                                    3.4e38,
                                    1e-8,
                                    6e-8,
                                    1e-40,
                                    1e-45,
                                    0x1p-25,
                                    0x1p-127,
                                    1 + 0x1p-8,
                                    1 + 0x1p-11,
                                    448,
                                    464,
                                    57344,
                                    1e300,
                                    -1e300,
                                    1e-320,
                                    INFINITY,
                                    -INFINITY,
                                    NAN,
                                    0x1p53 + 2,
                                    1 + 0x1p-8 + 0x1p-40,
                                    1 + 0x1p-11 + 0x1p-40,
                                    2147483647.5,
                                    4294967295.5,
                                    0x1.fffffffffffffp62,
                                    0x1.ffp127,
                                    0x1.fep127};

template <typename Integer>
std::vector<Integer> MakeIntegers() {
  std::vector<Integer> integers = {std::numeric_limits<Integer>::min(),
                                   std::numeric_limits<Integer>::max()};
  // Around powers of two, and half way between what narrower floats have.
  for (int power = 0; power < 64; ++power) {
    const std::uint64_t one = std::uint64_t{1} << static_cast<unsigned>(power);
    for (const std::uint64_t bits :
         {one, one - 1, one + 1, one + one / 256, one + one / 256 + 1, one + one / 2048,
          one + one / 2048 + 1, one + 3 * (one / 256)}) {
      integers.push_back(static_cast<Integer>(bits));
      integers.push_back(static_cast<Integer>(0 - bits));
    }
  }
  return integers;
}

/// All floats of 16 bits but signaling NaN, whose bits no processor keeps.
Bytes MakeHalves(std::uint32_t infinity, std::uint32_t quiet) {
  std::vector<std::uint16_t> halves;
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    if ((bits & 0x7fffU) > infinity && (bits & quiet) == 0) continue;
    halves.push_back(static_cast<std::uint16_t>(bits));
  }
  return ToBytes(halves);
}

/// One byte for each number of a type of few bits: what writes them extends signed ones.
Bytes MakeFewBits(std::int32_t type) {
  const bool is_signed = type == kInt4OfOnnx || type == kInt2OfOnnx;
  const int count = type == kInt2OfOnnx || type == kUInt2OfOnnx ? 4 : 16;
  Bytes bytes;
  for (int i = 0; i < count; ++i) {
    bytes.push_back(static_cast<unsigned char>(is_signed && i >= count / 2 ? i - count : i));
  }
  return bytes;
}

bool HasFewBits(std::int32_t type) {
  return type == kInt4OfOnnx || type == kUInt4OfOnnx || type == kFloat4OfOnnx ||
         type == kInt2OfOnnx || type == kUInt2OfOnnx;
}

/// Elements of a type, as they lie in memory.
Bytes MakeElementsOf(std::int32_t type) {
  if (HasFewBits(type)) return MakeFewBits(type);
  switch (type) {
    case TensorProto::FLOAT:
      return ToBytes(std::vector<float>(kReals.begin(), kReals.end()));
    case TensorProto::DOUBLE:
      return ToBytes(kReals);
    case TensorProto::FLOAT16:
      return MakeHalves(0x7c00U, 0x200U);
    case TensorProto::BFLOAT16:
      return MakeHalves(0x7f80U, 0x40U);
    case TensorProto::INT16:
    case TensorProto::UINT16:
      return ToBytes(MakeIntegers<std::uint16_t>());
    case TensorProto::INT32:
      return ToBytes(MakeIntegers<std::int32_t>());
    case TensorProto::UINT32:
      return ToBytes(MakeIntegers<std::uint32_t>());
    case TensorProto::INT64:
      return ToBytes(MakeIntegers<std::int64_t>());
    case TensorProto::UINT64:
      return ToBytes(MakeIntegers<std::uint64_t>());
    case TensorProto::BOOL:
      return {0, 1};
    default:
      break;
  }
  Bytes all(256);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<unsigned char>(i);
  return all;
}

std::size_t CountElementsOf(std::int32_t type, const Bytes& elements) {
  switch (type) {
    case TensorProto::FLOAT16:
    case TensorProto::BFLOAT16:
    case TensorProto::INT16:
    case TensorProto::UINT16:
      return elements.size() / 2;
    case TensorProto::FLOAT:
    case TensorProto::INT32:
    case TensorProto::UINT32:
      return elements.size() / 4;
    case TensorProto::DOUBLE:
    case TensorProto::INT64:
    case TensorProto::UINT64:
      return elements.size() / 8;
    default:
      return elements.size();
  }
}

/// A file has several elements in a byte where they have few bits, the first in the lowest ones.
std::string Pack(std::int32_t type, const Bytes& elements) {
  if (!HasFewBits(type)) return {elements.begin(), elements.end()};
  const std::size_t in_a_byte = type == kInt2OfOnnx || type == kUInt2OfOnnx ? 4 : 2;
  const std::size_t bits = 8 / in_a_byte;
  std::string packed(elements.size() / in_a_byte, '\0');
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const unsigned low = elements[i] & ((1U << bits) - 1);
    auto& byte = packed[i / in_a_byte];
    byte = static_cast<char>(static_cast<unsigned char>(byte) | low << (i % in_a_byte * bits));
  }
  return packed;
}

/// From "x", which is an input or a constant, to all other types.
ModelBuilder MakeCasts(std::int32_t from, std::int64_t count) {
  ModelBuilder builder(25);
  for (const std::int32_t to : kCastTypes) {
    if (to == from) continue;
    const std::string name = "y" + std::to_string(to);
    builder.Output(name, {count});
    auto& output = *builder.GetProto().mutable_graph()->mutable_output()->rbegin();
    output.mutable_type()->mutable_tensor_type()->set_elem_type(to);
    builder.Node("Cast", {"x"}, {name}).Int("to", to);
  }
  return builder;
}

/// All outputs, as CpuRef gives them.
std::vector<Bytes> RunCasts(const ImportedModel& model, const Bytes& input) {
  const auto runtime = IRuntime::Create({});
  const auto optimized = Optimize(*model.network, {"CpuRef"}, runtime->GetDeviceSpec());
  const NetworkId id = runtime->LoadNetwork(optimized);
  InputTensors inputs;
  for (const NetworkBinding& binding : optimized->GetInputs()) {
    inputs.push_back({binding.id, {binding.info, input.data()}});
  }
  std::vector<Bytes> results;
  OutputTensors outputs;
  for (const NetworkBinding& binding : optimized->GetOutputs()) {
    results.emplace_back(binding.info.GetSizeBytes());
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    outputs.push_back({optimized->GetOutputs()[i].id, results[i].data(), results[i].size()});
  }
  EXPECT_EQ(runtime->EnqueueWorkload(id, inputs, outputs), Status::kSuccess);
  return results;
}

TEST(Casts, OfConstantsGiveTheBytesOfLayers) {
  for (const std::int32_t from : kCastTypes) {
    const Bytes elements = MakeElementsOf(from);
    const auto count = static_cast<std::int64_t>(CountElementsOf(from, elements));
    ModelBuilder run = MakeCasts(from, count);
    run.Input("x", {count});
    run.GetProto()
        .mutable_graph()
        ->mutable_input(0)
        ->mutable_type()
        ->mutable_tensor_type()
        ->set_elem_type(from);
    ModelBuilder folded = MakeCasts(from, count);
    TensorProto& constant = *folded.GetProto().mutable_graph()->add_initializer();
    constant.set_name("x");
    constant.set_data_type(from);
    constant.add_dims(count);
    constant.set_raw_data(Pack(from, elements));
    const ImportedModel of_constants = folded.Import();
    EXPECT_EQ(of_constants.network->GetNumOperators(), 0U) << "from type " << from;
    const std::vector<Bytes> expected = RunCasts(run.Import(), elements);
    const std::vector<Bytes> found = RunCasts(of_constants, {});
    ASSERT_EQ(found.size(), expected.size());
    std::size_t index = 0;
    for (const std::int32_t to : kCastTypes) {
      if (to == from) continue;
      SCOPED_TRACE("from type " + std::to_string(from) + " to type " + std::to_string(to));
      const std::size_t size = expected[index].size() / static_cast<std::size_t>(count);
      for (std::size_t at = 0; at < expected[index].size(); at += size) {
        ASSERT_EQ(std::memcmp(&found[index][at], &expected[index][at], size), 0)
            << "element " << at / size << ", first byte " << int{found[index][at]} << " instead of "
            << int{expected[index][at]};
      }
      ++index;
    }
  }
}

}  // namespace
}  // namespace backplane::onnx::test
