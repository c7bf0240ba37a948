// One layer at a time: what the backend says of it, and what it computes.

#include "comma_list.hpp"
#include "harness/descriptor_text.hpp"
#include "harness/layer_runner.hpp"
#include "harness/run_code.hpp"
#include "harness/samples.hpp"
#include "harness/session.hpp"

#include <backplane/api/layer_type.hpp>
#include <backplane/host/diagnostic.hpp>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace backplane::check_backend {
namespace {

using namespace conformance;

constexpr Scales kAllScales[] = {Scales::kNone, Scales::kPerTensor, Scales::kPerAxis};

/// Calls `use(sample)` for each case of each operator that CpuRef must take, in every type.
template <typename Use>
void ForEachCase(Session& session, int num_rounds, const Use& use) {
  for (const Oracle& oracle : ListOperatorOracles()) {
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

constexpr char kRunCode[] = "  run();\n  show();\n";

/// What the backend said yes to, for the report.
class SupportList {
 public:
  explicit SupportList(Session& session) : session_(session) {}
  ~SupportList() { Tell(); }
  SupportList(const SupportList&) = delete;
  SupportList& operator=(const SupportList&) = delete;

  void Add(const Sample& sample) {
    if (sample.layer.type != type_) Tell();
    type_ = sample.layer.type;
    const std::string scales = sample.types.scales == Scales::kNone ? "" : "quantised ";
    const std::string name = scales + GetDataTypeName(sample.types.data_type);
    if (std::find(names_.begin(), names_.end(), name) == names_.end()) names_.push_back(name);
  }

 private:
  void Tell() {
    if (names_.empty()) return;
    session_.Note("supported", std::string(GetLayerTypeName(type_)) + ": " + WriteList(names_));
    names_.clear();
  }

  Session& session_;
  LayerType type_ = LayerType::kUndefined;
  std::vector<std::string> names_;
};

/// The layer of an edge with its elements.
Sample MakeEdgeSample(const Oracle& oracle, const EdgeCase& edge, Random& random) {
  const ValueTypes types = {edge.layer.values, Scales::kNone};
  TestLayer made = MakeTypedLayer(edge.layer, LayerTraits(), types, random);
  std::vector<StoredTensor> inputs = MakeInputs(edge.layer, made, random);
  Sample sample{oracle, edge.layer, types, std::move(made), std::move(inputs)};
  for (std::size_t i = 0; i < edge.inputs.size(); ++i) {
    sample.inputs[i] = MakeElements(sample.made.inputs[i], edge.inputs[i]);
  }
  for (const TensorInfo& info : sample.made.inputs) {
    if (info.quantization.IsQuantized()) sample.types.scales = Scales::kPerTensor;
  }
  return sample;
}

/// Calls `use(sample, edge)` for each layer that random numbers do not find.
template <typename Use>
void ForEachEdge(Session& session, const Use& use) {
  for (const Oracle& oracle : ListOperatorOracles()) {
    Random random(session.GetSeed());
    for (const EdgeCase& edge : oracle.make_edges()) {
      use(MakeEdgeSample(oracle, edge, random), edge);
    }
  }
}

std::string FindWrongEdge(const Sample& sample, const EdgeCase& edge,
                          const std::vector<StoredTensor>& outputs) {
  if (edge.outputs.empty()) return FindWrongResult(sample, outputs);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const DataType type = outputs[i].info.data_type;
    Tolerance tolerance = GetFastTolerance(type);
    tolerance.relative = std::max(tolerance.relative, edge.tolerance);
    const auto difference =
        FindDifferentElement(outputs[i], MakeElements(outputs[i].info, edge.outputs[i]), tolerance);
    if (difference) return "output " + std::to_string(i) + ", " + ToText(*difference);
  }
  return "";
}

/// As it stands in the file, for people: inputs that matter are few.
std::string DescribeElements(const StoredTensor& tensor) {
  constexpr std::int64_t kMostShown = 8;
  const std::int64_t count = tensor.info.shape.GetNumElements();
  std::string text;
  for (std::int64_t i = 0; i < std::min(count, kMostShown); ++i) {
    char number[40];
    std::snprintf(number, sizeof(number), "%s%.9Lg", i == 0 ? "" : ", ",
                  DecodeElement<long double>(tensor, static_cast<std::size_t>(i)));
    text += number;
  }
  return "{" + text + (count > kMostShown ? ", ...}" : "}");
}

std::string DescribeInputs(const std::vector<StoredTensor>& inputs) {
  std::string text;
  for (const StoredTensor& input : inputs)
    text += (text.empty() ? "" : "; ") + DescribeElements(input);
  return text;
}

/// Whether a reason can be read: not blank, and text.
bool CanBeRead(const std::string& reason) {
  const bool has_letters = std::any_of(reason.begin(), reason.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80) != 0;
  });
  return has_letters && EscapeForDisplay(reason) == reason;
}

void CheckAnswer(Session& session, const ILayerSupport& support, const TestLayer& layer) {
  const std::string untouched = "untouched";
  const LayerQuestion question(layer);
  std::string reason = untouched;
  const bool is_supported = support.IsLayerSupported(question.Get(), reason);
  if (is_supported) return;
  session.Expect(reason != untouched && CanBeRead(reason),
                 reason == untouched ? "no, without a reason"
                                     : "no, with the reason \"" + EscapeForDisplay(reason) + "\"",
                 "what was found and what is supported, in words");
}

/// Reports what is wrong, if anything is, and if it is certain.
void ReportIfCertain(Session& session, const Sample& sample, const std::string& wrong) {
  if (!wrong.empty() && IsAgreedOn(sample)) session.Report(wrong, kExpectedResult);
}

bool IsSupportedWith(const ILayerSupport& support, const TestLayer& layer, Constants which) {
  std::vector<std::uint8_t> is_constant(layer.inputs.size(), 1);
  if (which == Constants::kAllButFirst) is_constant[0] = 0;
  return AskWhetherSupported(support, layer, is_constant).is_supported;
}

/// Of a type of layer, or with a value of an enumeration, that nobody knows yet.
void ExpectUnknownRefused(Session& session, const ILayerSupport& support, const TestLayer& layer) {
  session.Expect(
      !AskWhetherSupported(support, layer).is_supported, "yes",
      "no, with a reason: a later version of the Backend API may have given it a meaning "
      "that this backend cannot know");
}

}  // namespace

void CheckResultsAreRight(Session& session) {
  LayerRunner runner(session);
  const auto support = session.GetPlugin().GetSupport();
  SupportList supported(session);
  ForEachCase(session, session.IsQuick() ? 1 : 3, [&](const Sample& sample) {
    if (!AskWhetherSupported(*support, sample.made).is_supported) return;
    supported.Add(sample);
    if (!session.Begin("runs " + DescribeLayer(sample.made))) return;
    SetRunCode(session, sample, kRunCode);
    const auto outputs = runner.Run(sample, Constants::kNone);
    if (!outputs) return;
    ReportIfCertain(session, sample, FindWrongResult(sample, *outputs));
  });
}

void CheckEdgesAreRight(Session& session) {
  LayerRunner runner(session);
  const auto support = session.GetPlugin().GetSupport();
  ForEachEdge(session, [&](const Sample& sample, const EdgeCase& edge) {
    if (edge.fails_run || !AskWhetherSupported(*support, sample.made).is_supported) return;
    if (!session.Begin("runs " + DescribeLayer(sample.made) + ", on " +
                       DescribeInputs(sample.inputs))) {
      return;
    }
    SetRunCode(session, sample, kRunCode);
    const auto outputs = runner.Run(sample, Constants::kNone);
    if (!outputs) return;
    const std::string wrong = FindWrongEdge(sample, edge, *outputs);
    if (edge.outputs.empty()) {
      ReportIfCertain(session, sample, wrong);
    } else {
      session.Expect(wrong.empty(), wrong, kExpectedResult);
    }
  });
  if (!session.HasCases()) session.Skip("the backend supports none of these layers");
}

void CheckConstantsAreRight(Session& session) {
  LayerRunner runner(session);
  const auto support = session.GetPlugin().GetSupport();
  ForEachCase(session, 1, [&](const Sample& sample) {
    if (sample.inputs.empty()) return;
    for (const Constants which : {Constants::kAllButFirst, Constants::kAll}) {
      if (which == Constants::kAllButFirst && sample.inputs.size() < 2) continue;
      if (!IsSupportedWith(*support, sample.made, which)) continue;
      const char* const inputs =
          which == Constants::kAll ? "all inputs" : "all inputs but the first";
      if (!session.Begin("runs " + DescribeLayer(sample.made) + " with " + inputs +
                         " as constants")) {
        continue;
      }
      const auto outputs = runner.Run(sample, which);
      if (!outputs) continue;
      ReportIfCertain(session, sample, FindWrongResult(sample, *outputs));
    }
  });
  if (!session.HasCases()) session.Skip("the backend supports no layer with constants");
}

void CheckRefusalsHaveReasons(Session& session) {
  const auto support = session.GetPlugin().GetSupport();
  Random random(session.GetSeed());
  for (const Oracle& oracle : ListOperatorOracles()) {
    for (const LayerCase& layer : oracle.make_cases(random)) {
      for (const DataType type : kDataTypes) {
        for (const Scales scales : kAllScales) {
          const LayerTraits traits = oracle.get_traits(layer);
          if (!HasMeaning(traits, {type, scales})) continue;
          const TestLayer made = MakeTypedLayer(layer, traits, {type, scales}, random);
          if (session.Begin("asks for " + DescribeLayer(made)))
            CheckAnswer(session, *support, made);
        }
      }
    }
  }
}

void CheckUnknownIsRefused(Session& session) {
  const auto support = session.GetPlugin().GetSupport();
  for (Sample& sample : MakeSamplesAnywhere(session, 1)) {
    TestLayer later = sample.made;
    later.type = LayerType{4711};
    if (session.Begin("asks for layer type 4711, which no version has, with what " +
                      std::string(GetLayerTypeName(sample.made.type)) + " has")) {
      ExpectUnknownRefused(session, *support, later);
    }
    for (const TestLayer& unknown : ListUnknownValues(sample.made)) {
      if (session.Begin("asks for " + DescribeLayer(unknown))) {
        ExpectUnknownRefused(session, *support, unknown);
      }
    }
  }
}

void CheckAnswersStay(Session& session) {
  Plugin& plugin = session.GetPlugin();
  const auto support = plugin.GetSupport();
  const Plugin other_plugin(session.GetPath());
  const auto other_support = other_plugin.GetSupport();
  ForEachCase(session, 1, [&](const Sample& sample) {
    if (!session.Begin("asks three times for " + DescribeLayer(sample.made))) return;
    const Answer first = AskWhetherSupported(*support, sample.made);
    const Answer again = AskWhetherSupported(*support, sample.made);
    const Answer other = AskWhetherSupported(*other_support, sample.made);
    const auto tell = [](const Answer& answer) {
      return answer.is_supported ? std::string("yes") : "no: " + EscapeForDisplay(answer.reason);
    };
    for (const Answer& answer : {again, other}) {
      const bool is_same =
          answer.is_supported == first.is_supported && answer.reason == first.reason;
      session.Expect(is_same, tell(first) + ", then " + tell(answer),
                     "the same answer to the same question");
    }
  });
}

void CheckWrongValuesFailTheRun(Session& session) {
  LayerRunner runner(session);
  const auto support = session.GetPlugin().GetSupport();
  ForEachEdge(session, [&](const Sample& sample, const EdgeCase& edge) {
    if (!edge.fails_run || !AskWhetherSupported(*support, sample.made).is_supported) return;
    if (!session.Begin("runs " + DescribeLayer(sample.made) + ", on " +
                       DescribeInputs(sample.inputs))) {
      return;
    }
    const std::optional<Status> status = runner.Try(sample);
    if (!status) return;
    session.Expect(*status == Status::kInvalidArgument, DescribeStatus(*status),
                   "kInvalidArgument: one of the indices lies outside of its axis");
  });
  if (!session.HasCases()) session.Skip("the backend supports no layer that can get such values");
}

void CheckHugeTensorsAreAnswered(Session& session) {
  const auto support = session.GetPlugin().GetSupport();
  for (const LayerTypeInfo& row : kLayerTypes) {
    if (!row.is_operator || row.aliasing != LayerAliasing::kInPlace) continue;
    for (const TensorShape& shape :
         {TensorShape{std::int64_t{1} << 40, 1 << 10}, TensorShape{1 << 20, 1 << 20, 0},
          TensorShape{1, 1, 1, 1, 1, 1, 1, std::int64_t{1} << 33}}) {
      const std::vector<TensorInfo> inputs(row.min_inputs, TensorInfo(shape, DataType::kFloat32));
      TestLayer layer(row.type, NoDescriptor(), inputs, TensorInfo(shape, DataType::kFloat32));
      layer.descriptor_bytes = MakeDefaultDescriptor(row.type);
      if (session.Begin("asks for " + DescribeLayer(layer))) CheckAnswer(session, *support, layer);
    }
  }
}

}  // namespace backplane::check_backend
