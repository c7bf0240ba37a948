#include "placement/views_check.hpp"

#include "placement/answers.hpp"
#include "runtime/runtime_fixture.hpp"

#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace backplane {
namespace {

using Answer = std::function<OptimizationViews(const std::shared_ptr<TestBackend>& test,
                                               const OptimizeSubgraphArgs& args)>;

// The network: one, two and three in a row, and a sum of one and three. The ids are 1, 2, 3 and 4.
constexpr LayerId kOne = 1;
constexpr LayerId kTwo = 2;
constexpr LayerId kThree = 3;
constexpr LayerId kSum = 4;

struct WrongAnswer {
  const char* name;
  Answer answer;
  const char* problem;
};

// GoogleTest prints parameters.
void PrintTo(const WrongAnswer& row, std::ostream* stream) {
  *stream << row.name;
}

OptimizationViews Leave(const OptimizeSubgraphArgs& args, const std::vector<LayerId>& layers) {
  OptimizationViews views;
  if (!layers.empty()) views.untouched.push_back(MakeSubgraphPart(args, layers));
  return views;
}

// Compiles `layers`, leaves the others as they are, and then spoils the substitution.
Answer Spoil(const std::vector<LayerId>& layers,
             const std::function<void(SubgraphSubstitution&)>& spoil) {
  return [=](const std::shared_ptr<TestBackend>& test, const OptimizeSubgraphArgs& args) {
    std::vector<LayerId> others;
    for (const LayerId id : args.subgraph->layers) {
      if (std::find(layers.begin(), layers.end(), id) == layers.end()) others.push_back(id);
    }
    OptimizationViews views = Leave(args, others);
    const SubgraphView part = MakeSubgraphPart(args, layers);
    EXPECT_EQ(ReplaceByPreCompiled(args, part, std::make_shared<TestCompiled>(test, 1.0F),
                                   "compiled", &views),
              Status::kSuccess);
    spoil(views.substitutions[0]);
    return views;
  };
}

Answer Delete(const std::vector<LayerId>& layers, const std::vector<LayerId>& others) {
  return [=](const std::shared_ptr<TestBackend>& /*test*/, const OptimizeSubgraphArgs& args) {
    OptimizationViews views = Leave(args, others);
    views.deleted.push_back(MakeSubgraphPart(args, layers));
    return views;
  };
}

const WrongAnswer kWrongAnswers[] = {
    {"LayerMissing",
     [](const auto&, const auto& args) {
       return Leave(args, {kOne, kTwo, kThree});
     },
     "found layer \"sum\" (ElementwiseBinary) covered 0 times, expected once"},
    {"LayerTwice",
     [](const auto&, const auto& args) {
       OptimizationViews views = Leave(args, {kOne, kTwo, kThree, kSum});
       views.failed.push_back(MakeSubgraphPart(args, {kTwo}));
       return views;
     },
     "found layer \"two\" (Activation) covered 2 times, expected once"},
    {"ForeignLayer",
     [](const auto&, const auto& args) {
       OptimizationViews views = Leave(args, {kOne, kTwo, kThree, kSum});
       views.untouched[0].layers.push_back(77);
       return views;
     },
     "found layer id 77, which is not of the sub-graph"},
    {"Nothing", [](const auto&, const auto&) { return OptimizationViews(); }, "covered 0 times"},
    {"SubstitutionOfNothing",
     [](const auto&, const auto& args) {
       OptimizationViews views = Leave(args, {kOne, kTwo, kThree, kSum});
       views.substitutions.emplace_back();
       return views;
     },
     "found a substitution of no layers"},
    {"InputMissing", Spoil({kTwo}, [](auto& s) { s.original.inputs.clear(); }),
     "the substitution of layer \"two\" (Activation): found the inputs none; expected each of "
     "one:0"},
    {"OutputTwice",
     Spoil({kTwo}, [](auto& s) { s.original.outputs.push_back(s.original.outputs[0]); }),
     "found the outputs two:0, two:0; expected each of two:0 once"},
    {"OtherInputsOfTheReplacement",
     Spoil({kTwo},
           [](auto& s) {
             s.replacement.inputs = {{0, 0}};
           }),
     "found the replacement's inputs x:0; expected those of the original in the same order, one:0"},
    {"UnknownReplacementLayer", Spoil({kTwo}, [](auto& s) { s.replacement.layers = {99}; }),
     "found the replacement layer id 99; expected one that the builder gave"},
    {"ReplacementLayerOfTheNetwork",
     Spoil({kTwo}, [](auto& s) { s.replacement.layers = {kThree}; }),
     "found the replacement layer id 3; expected one that the builder gave"},
    {"ReplacementLayerTwice",
     Spoil({kTwo}, [](auto& s) { s.replacement.layers.push_back(s.replacement.layers[0]); }),
     "twice among the replacements"},
    {"NoOutputOfTheReplacement", Spoil({kTwo}, [](auto& s) { s.replacement.outputs.clear(); }),
     "found 0 outputs of the replacement; expected 1"},
    {"ForeignOutputOfTheReplacement",
     Spoil({kTwo},
           [](auto& s) {
             s.replacement.outputs = {{kThree, 0}};
           }),
     "slot three:0, which is not of the replacement"},
    {"OutputThatDoesNotExist", Spoil({kTwo}, [](auto& s) { s.replacement.outputs[0].index = 5; }),
     ":5, which is not of the replacement"},
    {"OwnResult", Spoil({kOne, kThree}, [](auto&) {}), "would need their own results"},
    {"DeletionWithoutInputs",
     [](const auto& test, const auto& args) {
       OptimizationViews views = Delete({kTwo}, {kOne, kThree, kSum})(test, args);
       views.deleted[0].inputs.clear();
       return views;
     },
     "the deletion of layer \"two\" (Activation): found the inputs none"},
    {"DeletionOfMoreOutputsThanInputs", Delete({kOne, kTwo, kThree}, {kSum}),
     "found 1 inputs and 2 outputs; expected an input for each output"},
};

class WrongAnswerTest : public RuntimeFixture, public testing::WithParamInterface<WrongAnswer> {
 protected:
  static std::unique_ptr<INetwork> MakeNetwork() {
    auto network = INetwork::Create("answers");
    const OutputSlot x = network->AddInputLayer(Float({4}), "x");
    const OutputSlot one{AddRelu(*network, x, "one"), 0};
    const OutputSlot two{AddRelu(*network, one, "two"), 0};
    const OutputSlot three{AddRelu(*network, two, "three"), 0};
    network->AddOutputLayer({AddSum(*network, one, three, "sum"), 0}, "y");
    return network;
  }
};

TEST_P(WrongAnswerTest, IsReportedAndTheSubgraphStaysAsItWas) {
  a_->optimize = [this](const OptimizeSubgraphArgs& args) { return GetParam().answer(a_, args); };
  const auto network = OptimizeFor(*MakeNetwork(), {"A"});
  ASSERT_EQ(network->GetPlacement().warnings.size(), 1U);
  const Diagnostic& warning = network->GetPlacement().warnings[0];
  ExpectDiagnostic(warning, DiagnosticCode::kInvalidOptimization, "A", "found", GetParam().problem);
  EXPECT_EQ(warning.severity, Severity::kWarning);
  ASSERT_EQ(network->GetPlacement().subgraphs.size(), 1U);
  EXPECT_EQ(network->GetPlacement().subgraphs[0].outcome, SubgraphOutcome::kUntouched);
  EXPECT_EQ(RunChain(runtime_->LoadNetwork(network)), (std::vector<float>{4, 6, 8, 10}));
}

INSTANTIATE_TEST_SUITE_P(Rows, WrongAnswerTest, testing::ValuesIn(kWrongAnswers),
                         [](const auto& row) { return std::string(row.param.name); });

TEST_F(WrongAnswerTest, ADeletionThatLeadsBackToItselfIsReported) {
  // one and three are deleted together, with their inputs the other way round: what three gives
  // would be what one reads, and the other way round.
  a_->optimize = [](const OptimizeSubgraphArgs& args) {
    OptimizationViews views = Leave(args, {kTwo, kSum});
    SubgraphView part = MakeSubgraphPart(args, {kOne, kThree});
    part.inputs = {{kTwo, 0}, {0, 0}};
    part.outputs = {{kOne, 0}, {kThree, 0}};
    views.deleted.push_back(part);
    return views;
  };
  const auto network = OptimizeFor(*MakeNetwork(), {"A"});
  ASSERT_EQ(network->GetPlacement().warnings.size(), 1U);
  ExpectContains(network->GetPlacement().warnings[0].why, "would need their own results");
}

TEST_F(WrongAnswerTest, AnExactCoverIsNotReported) {
  a_->optimize = [this](const OptimizeSubgraphArgs& args) {
    return AnswerByLayer(a_, args, [](const LayerView& layer) {
      return layer.id == kTwo ? Deed::kLeave : Deed::kCompile;
    });
  };
  const auto network = OptimizeFor(*MakeNetwork(), {"A"});
  EXPECT_TRUE(network->GetPlacement().warnings.empty());
  EXPECT_EQ(network->GetPlacement().subgraphs.size(), 3U);
}

}  // namespace
}  // namespace backplane
