#include "staging/staged_network.hpp"

#include "staging/open_bindings.hpp"

#include <backplane/host/system_refusal.hpp>

#include <exception>
#include <new>
#include <string>
#include <utility>

namespace backplane {

namespace {

Diagnostic DescribeEnd(const std::string& name, Status status) {
  const bool is_late = status == Status::kTimeout;
  Diagnostic diagnostic{is_late ? DiagnosticCode::kRunTimedOut : DiagnosticCode::kRunCancelled};
  diagnostic.subject = {SubjectKind::kNetwork, name};
  diagnostic.what = "a run of network \"" + name + "\" was ended between two of its stages";
  diagnostic.why = is_late ? "found its deadline passed" : "found it cancelled";
  diagnostic.fix = is_late ? "allow more time" : "nothing: the application cancelled it";
  return diagnostic;
}

Diagnostic DescribeSourceThrew(const std::string& name, const char* what) {
  Diagnostic diagnostic{DiagnosticCode::kStageFailed};
  diagnostic.subject = {SubjectKind::kNetwork, name};
  diagnostic.what = "the source of network \"" + name + "\" made no stage";
  diagnostic.why = std::string("found the exception \"") + what + "\"; expected a stage";
  diagnostic.fix = "tell whoever made the source of the network";
  return diagnostic;
}

Status GetStatus(const Diagnostic& diagnostic) {
  switch (diagnostic.code) {
    case DiagnosticCode::kWrongTensorBinding:
      return Status::kInvalidArgument;
    case DiagnosticCode::kUnknownNetwork:
      return Status::kNotFound;
    case DiagnosticCode::kOutOfMemory:
      return Status::kOutOfMemory;
    default:
      return Status::kFailure;
  }
}

Diagnostic DescribeClosed(NetworkId id) {
  Diagnostic diagnostic{DiagnosticCode::kUnknownNetwork};
  diagnostic.subject = {SubjectKind::kNetwork, std::to_string(id)};
  diagnostic.what = "no network with the id " + std::to_string(id) + " is loaded";
  diagnostic.why = "found that it is being unloaded; expected one that is loaded";
  diagnostic.fix = "load the network first";
  return diagnostic;
}

}  // namespace

StagedNetwork::StagedNetwork(std::shared_ptr<const OpenNetwork> network, NetworkId id,
                             staging::StageLoader loader)
    : network_(std::move(network)),
      id_(id),
      inputs_(network_->GetSource()->GetInputs()),
      outputs_(network_->GetSource()->GetOutputs()),
      trees_(std::move(loader), network_->GetOptions().max_plans),
      tree_(trees_.Find(network_->GetSource())) {
  for (const std::vector<TensorShape>& shapes : network_->GetOptions().announced_shapes) {
    std::vector<StageValue> values;
    for (std::size_t i = 0; i < inputs_.size() && i < shapes.size(); ++i) {
      TensorInfo info = inputs_[i].info;
      info.shape = shapes[i];
      values.push_back(MakeStageTensor(info, nullptr));
    }
    staging::RequireAnnounced(GetName(), inputs_, values);
    static_cast<void>(tree_->FindFirst(values));
  }
}

Status StagedNetwork::Run(const InputTensors& inputs, const OutputTensors& outputs,
                          const staging::StageExecutor& execute, const RunLimit* limit,
                          std::optional<Diagnostic>* failure) noexcept {
  if (!Begin()) {
    if (failure != nullptr) *failure = DescribeClosed(id_);
    return Status::kNotFound;
  }
  const Status status = RunBegun(inputs, outputs, {trees_, memory_, execute, limit}, failure);
  End();
  return status;
}

Status StagedNetwork::RunBegun(const InputTensors& inputs, const OutputTensors& outputs,
                               const staging::StagedRunParts& parts,
                               std::optional<Diagnostic>* failure) {
  try {
    const staging::OpenBindings bindings =
        staging::TakeBindings(GetName(), inputs_, outputs_, inputs, outputs);
    // The run, which shares what it made, ends with its results.
    std::vector<StageValue> results =
        staging::StagedRun(parts).Run(*tree_, bindings.inputs, bindings.outputs);
    for (const OutputTensor& output : outputs) {
      StageValue& result = results[output.id];
      if (output.data == nullptr) result = staging::CopyShared(result, *memory_);
    }
    staging::Deliver(GetName(), outputs_, std::move(results), outputs);
    return Status::kSuccess;
  } catch (staging::RunFailure& end) {
    if (failure != nullptr) {
      *failure = end.diagnostic ? std::move(end.diagnostic) : DescribeEnd(GetName(), end.status);
    }
    return end.status;
  } catch (const DiagnosticException& exception) {
    if (failure != nullptr) *failure = exception.GetDiagnostic();
    return GetStatus(exception.GetDiagnostic());
  } catch (const std::bad_alloc&) {
    if (failure != nullptr) *failure = DescribeOutOfMemory("the network could not be run");
    return Status::kOutOfMemory;
  } catch (const std::exception& exception) {
    if (failure != nullptr) *failure = DescribeSourceThrew(GetName(), exception.what());
    return Status::kFailure;
  }
}

bool StagedNetwork::Begin() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (is_closed_) return false;
  ++num_runs_;
  return true;
}

void StagedNetwork::End() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (--num_runs_ == 0) became_idle_.notify_all();
}

bool StagedNetwork::Close(RunLimit::Time deadline) {
  {
    std::unique_lock<std::mutex> lock(mutex_);
    is_closed_ = true;
    const auto is_idle = [this] { return num_runs_ == 0; };
    if (deadline == RunLimit::Time::max()) {
      became_idle_.wait(lock, is_idle);
    } else if (!became_idle_.wait_until(lock, deadline, is_idle)) {
      is_closed_ = false;
      return false;
    }
  }
  tree_->Clear();
  trees_.Clear();
  return true;
}

}  // namespace backplane
