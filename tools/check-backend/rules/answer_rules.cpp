// One layer at a time: what the backend says of it, and what it computes.

#include "harness/descriptor_text.hpp"
#include "harness/samples.hpp"
#include "harness/session.hpp"

#include <backplane/api/layer_type.hpp>

namespace backplane::check_backend {
namespace {

using namespace conformance;

constexpr Scales kAllScales[] = {Scales::kNone, Scales::kPerTensor, Scales::kPerAxis};

/// Calls `use(sample)` for each case of each operator that CpuRef must take, in every type.
template <typename Use>
void ForEachCase(Session& session, int num_rounds, const Use& use) {
  for (Oracle (*get)() : kOracles) {
    const Oracle oracle = get();
    if (oracle.type == LayerType::kCopy) continue;
    for (const DataType type : kDataTypes) {
      for (const Scales scales : kAllScales) {
        Random random(session.GetSeed() * 10007 + static_cast<std::uint32_t>(oracle.type) * 100 +
                      static_cast<std::uint32_t>(type));
        for (int round = 0; round < num_rounds; ++round) {
          for (const LayerCase& layer : oracle.make_cases(random)) {
            const LayerTraits traits = oracle.get_traits(layer);
            const ValueTypes types = {type, scales};
            if (!HasMeaning(traits, types) || !IsSupported(traits, types)) continue;
            TestLayer made = MakeTypedLayer(layer, traits, types, random);
            std::vector<StoredTensor> inputs = MakeInputs(layer, made, random);
            use(Sample{oracle, layer, types, std::move(made), std::move(inputs)});
          }
        }
      }
    }
  }
}

std::string WriteRunCode(Session& session, const Sample& sample) {
  return WriteProgram(session.GetPath(), sample.made, sample.inputs, R"(  ExecuteArgs args;
  args.inputs = input_handles.data();
  args.num_inputs = static_cast<std::uint32_t>(input_handles.size());
  args.outputs = output_handles.data();
  args.num_outputs = static_cast<std::uint32_t>(output_handles.size());
  args.state = state.get();
  const Status status = workload->Execute(args);
  std::printf("status: %s\n", GetStatusText(status));
  for (const auto& result : results) {
    for (const unsigned char byte : result) std::printf("%02x ", byte);
    std::printf("\n");
  }
)");
}

}  // namespace

void CheckResultsAreRight(Session& session) {
  if (!TakesHostMemory(session)) return;
  const auto support = session.GetPlugin().GetSupport();
  ForEachCase(session, session.IsQuick() ? 1 : 3, [&](const Sample& sample) {
    if (!AskWhetherSupported(*support, sample.made).is_supported) return;
    if (!session.Begin("runs " + DescribeLayer(sample.made))) return;
    if (session.WantsCode()) session.SetCode(WriteRunCode(session, sample));
    const Running running = MakeRunning(session.GetPlugin(), sample.made);
    const auto outputs = RunGuarded(session, running, sample, GuardedSide::kBehind);
    const std::string wrong = FindWrongResult(sample, outputs);
    session.Expect(wrong.empty(), wrong, kExpectedResult);
  });
}

}  // namespace backplane::check_backend
