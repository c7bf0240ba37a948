#include "execution/network_checks.hpp"

#include "execution/expected_non_finite.hpp"
#include "execution/run_text.hpp"
#include "placement/placed_subgraphs.hpp"
#include "placement/runtime_contexts.hpp"
#include "tensors/dense_layout.hpp"
#include "tensors/tensor_text.hpp"

#include <backplane/host/logging.hpp>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace backplane::execution {
namespace {

std::string FormatNumber(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.6g", value);
  return text;
}

std::string DescribeRange(const ValueRange& range) {
  if (!range.has_values) return "without elements";
  return "from " + FormatNumber(range.least) + " to " + FormatNumber(range.greatest);
}

std::map<std::uint32_t, ValueRange> ReadConstants(const ExecutionPlan& plan) {
  std::map<std::uint32_t, ValueRange> constants;
  for (std::uint32_t tensor = 0; tensor < plan.tensors.size(); ++tensor) {
    const PlannedTensor& planned = plan.tensors[tensor];
    if (planned.place != TensorPlace::kConstant) continue;
    MemoryView view = MakeDenseView(*planned.info);
    view.data = const_cast<void*>(planned.constant_data);  // only read
    constants.emplace(tensor, view.data != nullptr ? FindRange(view) : ValueRange());
  }
  return constants;
}

constexpr char kCheckingChannel[] = "checking";

void LogFound(const Diagnostic& diagnostic) {
  const LogLevel level =
      diagnostic.severity == Severity::kNote ? LogLevel::kInfo : LogLevel::kWarning;
  if (IsLogEnabled(kCheckingChannel, level)) Log(kCheckingChannel, level, ToText(diagnostic));
}

}  // namespace

NetworkChecks::NetworkChecks(CheckFlags checks, const OptimizedNetwork& network,
                             const ExecutionPlan& plan, CheckLedger& ledger,
                             TensorObserver observer)
    : checks_(checks),
      network_(network),
      parts_(network.GetParts()),
      plan_(plan),
      observer_(std::move(observer)),
      may_look_(parts_.device.ShareContexts()->GetProtection() == MemoryProtection::kNone),
      ledger_(ledger) {
  if (IsOn(RunCheck::kNumbers)) constants_ = ReadConstants(plan);
}

const Layer& NetworkChecks::GetLayer(std::size_t step) const {
  return parts_.network.graph.layers[plan_.steps[step].layer];
}

std::string NetworkChecks::GetBackendId(const PlannedStep& step) const {
  return step.backend == kCoreBackend ? "" : parts_.backends[step.backend]->id;
}

// Plans of one network number their layers alike; layers may have no name, or one in common.
FindingKey NetworkChecks::MakeKey(RunCheck check, std::size_t step, std::uint32_t part) const {
  const Layer& layer = GetLayer(step);
  return {check, layer.name + '#' + std::to_string(layer.id), part};
}

CheckFinding NetworkChecks::MakeFinding(RunCheck check, const PlannedStep& step) const {
  const Layer& layer = parts_.network.graph.layers[step.layer];
  CheckFinding finding{
      check, GetDisplayName(layer.name, layer.id), layer.type, GetBackendId(step), {}, 0};
  finding.diagnostic.severity = Severity::kWarning;
  finding.diagnostic.subject = {SubjectKind::kLayer, finding.layer};
  return finding;
}

void NetworkChecks::AddNonFinite(const NonFiniteOutput& found) {
  const PlannedStep& step = plan_.steps[found.step];
  const Layer& layer = GetLayer(found.step);
  CheckFinding finding = MakeFinding(RunCheck::kNumbers, step);
  Diagnostic& diagnostic = finding.diagnostic;
  const std::string runner = DescribeRunner(finding.backend_id);
  diagnostic.code = DiagnosticCode::kNonFiniteOutput;
  diagnostic.what = DescribeLayer(layer) + NameCompiled(layer, finding.backend_id) + " on " +
                    runner + " made numbers that are not finite from finite inputs, in network \"" +
                    parts_.network.graph.name + '"';
  diagnostic.why = "found " + DescribeNonFinite(found.scan) + " in output " +
                   std::to_string(found.output) + " (" +
                   DescribeTensor(layer.outputs[found.output]) + "); " + ExplainInputs(found);
  const std::string reason = Explain(found);
  if (!reason.empty()) {
    diagnostic.severity = Severity::kNote;
    diagnostic.why += "; for such inputs this may be right: " + reason;
    diagnostic.fix =
        "look at what the layer reads, which the layers before it or the inputs of "
        "the network determine; run it on another backend to compare";
  } else {
    diagnostic.why += "; expected finite numbers";
    diagnostic.fix =
        "run this layer on another backend; when that gives finite numbers, report "
        "it to the vendor of " +
        runner;
  }
  ledger_.Add(MakeKey(RunCheck::kNumbers, found.step, found.output), std::move(finding));
}

std::string NetworkChecks::Explain(const NonFiniteOutput& found) const {
  std::vector<DataType> types;
  const PlannedStep& step = plan_.steps[found.step];
  for (std::uint32_t i = 0; i < step.num_inputs; ++i) {
    types.push_back(plan_.GetTensor(step.first_operand + i).info->data_type);
  }
  return ExplainNonFinite(GetLayer(found.step), found.inputs, types);
}

std::string NetworkChecks::ExplainInputs(const NonFiniteOutput& found) const {
  const PlannedStep& step = plan_.steps[found.step];
  std::string text;
  for (std::uint32_t i = 0; i < found.inputs.size(); ++i) {
    const PlannedTensor& tensor = plan_.GetTensor(step.first_operand + i);
    if (!CanBeNonFinite(tensor.info->data_type)) continue;
    text += (text.empty() ? "" : ", ") + std::string("input ") + std::to_string(i) +
            (tensor.place == TensorPlace::kConstant ? " (constant) " : " ") +
            DescribeRange(found.inputs[i]);
  }
  if (text.empty()) return "it has no inputs that could be NaN or infinity";
  return "its inputs are finite: " + text;
}

// Constants that were compiled in are not seen.
std::string NetworkChecks::NameCompiled(const Layer& layer, const std::string& backend_id) const {
  if (layer.type != LayerType::kPreCompiled) return "";
  const Placement& placement = network_.GetPlacement();
  for (const PlacedSubgraph& subgraph : placement.subgraphs) {
    const auto& names = subgraph.replacements;
    if (subgraph.backend_id != backend_id ||
        std::find(names.begin(), names.end(), layer.name) == names.end()) {
      continue;
    }
    std::string text;
    for (const std::string& name : GetLayerNames(placement, subgraph)) {
      text += (text.empty() ? "" : ", ") + name;
    }
    return ", compiled of " + text + ',';
  }
  return "";
}

void NetworkChecks::AddChange(const PlannedStep* step, const ThreadStateChange& change) {
  const std::string backend = step != nullptr ? GetBackendId(*step) : "";
  const FindingKey key(RunCheck::kState, backend, static_cast<std::uint32_t>(change.part));
  if (ledger_.Count(key)) return;
  CheckFinding finding;
  if (step != nullptr) finding = MakeFinding(RunCheck::kState, *step);
  finding.check = RunCheck::kState;
  Diagnostic& diagnostic = finding.diagnostic;
  const std::string name = '"' + parts_.network.graph.name + '"';
  const std::string runner =
      finding.backend_id.empty() ? "a backend" : DescribeRunner(finding.backend_id);
  diagnostic.code = DiagnosticCode::kThreadStateChanged;
  diagnostic.severity = Severity::kWarning;
  if (step == nullptr) diagnostic.subject = {SubjectKind::kNetwork, parts_.network.graph.name};
  diagnostic.what =
      runner + " left " + GetThreadStateText(change.part) + " changed, " +
      (step != nullptr
           ? "in " + DescribeLayer(parts_.network.graph.layers[step->layer]) + " of network " + name
           : "where tensors of network " + name + " are imported, copied or looked at");
  diagnostic.why = "found \"" + change.after + "\"; expected \"" + change.before +
                   "\", as before the run: " + GetThreadStateConsequence(change.part);
  diagnostic.fix =
      "report this to the vendor of the backend; it was put back, as it is in every "
      "run with this check, and a backend in a process of its own cannot do it";
  ledger_.Add(key, std::move(finding));
}

void NetworkChecks::AddUnchecked(std::size_t step, std::uint32_t tensor, const std::string& why) {
  const Layer& layer = GetLayer(step);
  const std::string name = layer.name + '#' + std::to_string(tensor);
  if (ledger_.IsUnchecked(name)) return;
  const PlannedTensor& planned = plan_.tensors[tensor];
  Diagnostic diagnostic{DiagnosticCode::kTensorUnchecked};
  diagnostic.severity = Severity::kNote;
  diagnostic.subject = {SubjectKind::kLayer, GetDisplayName(layer.name, layer.id)};
  diagnostic.what = "a tensor of " + DescribeLayer(layer) + " in network \"" +
                    parts_.network.graph.name + "\" cannot be looked at for NaN and infinity";
  diagnostic.why = "found " + DescribeTensor(*planned.info) + " whose memory " + why +
                   "; expected memory that the CPU can read";
  diagnostic.fix = "prefer a backend whose tensors can be mapped to find out what this layer makes";
  ledger_.AddUnchecked(name, std::move(diagnostic));
}

void CheckLedger::CountRun() {
  const std::lock_guard<std::mutex> lock(mutex_);
  ++report_.num_runs;
}

bool CheckLedger::Count(const FindingKey& key) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = findings_.find(key);
  if (found == findings_.end()) return false;
  ++report_.findings[found->second].num_runs;
  return true;
}

void CheckLedger::Add(const FindingKey& key, CheckFinding finding) {
  const Diagnostic diagnostic = finding.diagnostic;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto [at, is_new] = findings_.emplace(key, report_.findings.size());
    if (!is_new) {
      ++report_.findings[at->second].num_runs;
      return;
    }
    finding.num_runs = 1;
    report_.findings.push_back(std::move(finding));
  }
  LogFound(diagnostic);
}

bool CheckLedger::IsUnchecked(const std::string& tensor) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return unchecked_.count(tensor) != 0;
}

void CheckLedger::AddUnchecked(const std::string& tensor, Diagnostic diagnostic) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!unchecked_.insert(tensor).second) return;
    report_.unchecked.push_back(diagnostic);
  }
  LogFound(diagnostic);
}

CheckReport CheckLedger::GetReport() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return report_;
}

}  // namespace backplane::execution
