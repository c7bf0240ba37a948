#pragma once

/// Layers that the backend takes, for rules that need some to run.

#include "conformance/difference.hpp"
#include "conformance/typed_case.hpp"
#include "harness/garbage.hpp"
#include "harness/guarded_tensor.hpp"
#include "harness/plugin.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace backplane::check_backend {

class Session;

/// A layer with inputs, of which is known what it must give.
struct Sample {
  conformance::Oracle oracle;
  conformance::LayerCase layer;
  conformance::ValueTypes types;
  conformance::TestLayer made;
  std::vector<conformance::StoredTensor> inputs;
};

/// What the backend says of a layer.
struct Answer {
  bool is_supported = false;
  std::string reason;  // "" where it was left alone
};

Answer AskWhetherSupported(const ILayerSupport& support, const conformance::TestLayer& layer);

/// The same with inputs of which some are constants: 1 or 0 for each.
Answer AskWhetherSupported(const ILayerSupport& support, const conformance::TestLayer& layer,
                           const std::vector<std::uint8_t>& input_is_constant);

/// Whether workloads take tensors that lie in memory of the host.
bool UsesHostMemory(const Plugin& plugin);

/// The same for rules that need it: when not, `session` is told so.
bool TakesHostMemory(Session& session);

/// Layers that the backend says it supports, up to so many of each operator, of float32 where that
/// is among them. None: `session` is told that the rule cannot be applied.
std::vector<Sample> MakeSamples(Session& session, std::size_t num_each);

/// The same for backends of any kind of tensor memory: for rules that make the tensors so.
std::vector<Sample> MakeSamplesAnywhere(Session& session, std::size_t num_each);

/// The operators of which the backend says it supports some layer.
std::vector<LayerType> ListSupportedTypes(Session& session);

/// Layers of several inputs that the backend says it supports when all but the first of them are
/// constants.
std::vector<Sample> MakeSamplesWithConstants(Session& session, std::size_t num_each);

/// The same as MakeSamples, a few of them of different operators: for rules that take long.
std::vector<Sample> MakeFewSamples(Session& session, std::size_t num_samples);

/// Whether the output may lie where this input lies.
bool MayOverwrite(const Sample& sample, std::size_t input);

/// For Session::Skip, when no sample has such an input.
constexpr char kNothingOverwritten[] =
    "it supports no operator whose output may lie where an input lies";

/// Random elements, always the same with the same seed.
conformance::StoredTensor MakeContent(const TensorInfo& info, std::uint32_t seed);

/// The first element of an output that is wrong: "output 0, element 3: ..."; "" when all is right.
std::string FindWrongResult(const Sample& sample,
                            const std::vector<conformance::StoredTensor>& outputs);

/// Whether CpuRef gives what was computed independently: where numbers leave the range of their
/// type on the way, the two may disagree, and nothing is to be held against either. Also when
/// CpuRef does not know the layer.
bool IsAgreedOn(const Sample& sample);

/// As above; the words for Session::Report.
constexpr char kExpectedResult[] = "what the operator means, computed independently";

/// The workload of a layer and its state.
struct Running {
  std::unique_ptr<IWorkloadFactory> factory;
  std::unique_ptr<IWorkload> workload;
  std::unique_ptr<IExecutionState> state;
};

/// Errors: std::runtime_error when CreateWorkload gives null; those below as well.
std::unique_ptr<IWorkload> MakeWorkload(IWorkloadFactory& factory, const WorkloadArgs& args);

Running MakeRunning(std::unique_ptr<IWorkloadFactory> factory, const WorkloadArgs& args);

/// `constants`: as for conformance::LayerWorkloadArgs.
Running MakeRunning(const Plugin& plugin, const conformance::TestLayer& layer,
                    const std::vector<const ConstTensor*>& constants = {});

/// One run with guarded tensors: inputs that nobody may write, outputs filled with `garbage`.
/// Damage and a status that is not kSuccess are reported. The outputs.
std::vector<conformance::StoredTensor> RunGuarded(Session& session, const Running& running,
                                                  const Sample& sample, GuardedSide side,
                                                  unsigned char garbage = kGarbage);

/// "kTimeout (timeout)", or the number.
std::string DescribeStatus(Status status);

}  // namespace backplane::check_backend
