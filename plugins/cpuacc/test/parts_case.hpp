#pragma once

/// Primitives of oneDNN with memory for their arguments, to be run whole and in parts.

#include "conformance/random.hpp"
#include "kernel_builders/primitive.hpp"

#include <dnnl.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace backplane {
namespace cpuacc_test {

/// The arguments of one primitive. Inputs have small integers, which are exact in every type, or
/// fractions where they are float32.
class PartsCase {
 public:
  /// `id` is a DNNL_ARG.
  void AddInput(int id, const dnnl::memory::desc& desc);
  void SetOutput(const dnnl::memory::desc& desc);

  const std::vector<cpuacc::PrimitiveArgument>& GetArguments() const { return arguments_; }

  /// What a kernel leaves in the output, which is filled with something else before.
  std::vector<unsigned char> Run(const cpuacc::Kernel& kernel, int num_threads);

  /// How many threads helped in all runs.
  int CountHelpers() const { return pool_.CountHelpers(); }

 private:
  std::vector<cpuacc::PrimitiveArgument> arguments_;
  std::vector<std::shared_ptr<void>> inputs_;
  std::shared_ptr<void> output_;
  std::uint64_t output_bytes_ = 0;
  conformance::Random random_{1};
  cpuacc::ThreadPool pool_;
};

/// Whether a part adds up in the order of the whole: not by products of matrices that are cut by
/// their extents.
bool KeepsOrder(const std::string& implementation);

/// Outputs of a whole and of its parts: the same to the bit where the order is the same; else, when
/// they are float32, close to each other.
void ExpectSameResults(const std::vector<unsigned char>& of_parts,
                       const std::vector<unsigned char>& of_whole, dnnl::memory::data_type type,
                       const std::string& implementation);

/// What is done to the sums.
enum class OpsCase { kNone, kRelu, kScaleOfChannels, kResidual };

constexpr OpsCase kAllOps[] = {OpsCase::kNone, OpsCase::kRelu, OpsCase::kScaleOfChannels,
                               OpsCase::kResidual};

/// Post-operations on an output, of which `residual` describes a whole operand; operands are added
/// to the case. The channels stand at `channel_axis`.
dnnl::primitive_attr MakeAttributesOf(OpsCase ops, const dnnl::memory::desc& residual,
                                      std::size_t channel_axis, PartsCase& parts);

}  // namespace cpuacc_test
}  // namespace backplane
