#include "use_as_host.hpp"

#include "honest_backend.hpp"
#include "host_objects.hpp"
#include "isolation/make_isolated.hpp"
#include "lying_worker.hpp"
#include "use_memory.hpp"

#include <backplane/api/run_arguments.hpp>
#include <backplane/host/factory_collector.hpp>
#include <backplane/host/shared_memory.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace backplane::fuzz {
namespace {

constexpr std::size_t kNumElements = 6;

/// Bounds runs of processes that may never be done.
class Patience final : public WorkLimit {
 public:
  std::chrono::nanoseconds GetWait() noexcept override {
    return std::max(end_ - Clock::now(), Clock::duration::zero());
  }
  bool IsReached() noexcept override { return Clock::now() >= end_; }
  const char* GetReason() const noexcept override { return "it is late"; }

 private:
  using Clock = std::chrono::steady_clock;

  const Clock::time_point end_ = Clock::now() + std::chrono::milliseconds(kPatienceMs);
};

class Host {
 public:
  Host(std::shared_ptr<isolation::WorkerLife> life, std::uint32_t left_out)
      : life_(std::move(life)),
        left_out_(left_out),
        backend_(isolation::MakeIsolatedBackend(life_)),
        collector_(MakeOrigin()) {
    options_.backend_id = kBackendId;
    options_.options = {{"threads", 2}};
    for (std::size_t i = 0; i < kNumElements; ++i) content_[i] = static_cast<float>(i);
  }

  HostResult Run() {
    if (Has(HostPart::kContexts)) MakeContexts();
    if (Has(HostPart::kQuestions)) Ask();
    if (Has(HostPart::kOptimisation)) Optimise();
    if (Has(HostPart::kMemory)) MakeHandles();
    for (const auto& handle : handles_) UseHandle(*handle);
    if (Has(HostPart::kProfiling)) Profile();
    RunWorkloads();
    Unload();
    return std::move(result_);
  }

 private:
  bool Has(HostPart part) const {
    return (left_out_ & (1U << static_cast<std::uint32_t>(part))) == 0;
  }

  void Fault(const std::string& fault) {
    if (result_.fault.empty()) result_.fault = fault;
  }

  /// What goes wrong must say so as a failure of a backend does.
  template <typename Function>
  void Try(const char* what, const Function& function) {
    try {
      if (function() != Status::kSuccess) ++result_.num_failures;
      return;
    } catch (const DiagnosticException& exception) {
      const Diagnostic& diagnostic = exception.GetDiagnostic();
      const bool is_told = !diagnostic.what.empty() && !diagnostic.why.empty() &&
                           !diagnostic.fix.empty() && diagnostic.subject.name == kBackendId;
      if (!is_told) Fault(std::string(what) + ": " + ToText(diagnostic));
    } catch (const std::logic_error& error) {
      Fault(std::string(what) + " fails within the host: " + error.what());
    } catch (...) {
      // What the backend threw, by its own word.
    }
    ++result_.num_failures;
  }

  std::shared_ptr<const PluginOrigin> MakeOrigin() const {
    auto origin = std::make_shared<PluginOrigin>();
    origin->backend_id = kBackendId;
    origin->declared_version = kBackendApiVersion;
    return origin;
  }

  BackendCallArgs MakeCallArgs() const {
    BackendCallArgs args;
    args.context = context_.get();
    args.options = &options_;
    return args;
  }

  void MakeContexts() {
    Try("CreateBackendContext", [&] {
      BackendContextArgs args;
      args.options = &options_;
      context_ = backend_->CreateBackendContext(args);
      return Status::kSuccess;
    });
    Try("CreateBackendSpecificModelContext", [&] {
      ModelContextArgs args;
      args.options = &options_;
      args.context = context_.get();
      model_context_ = backend_->CreateBackendSpecificModelContext(args);
      return Status::kSuccess;
    });
    if (!context_) return;
    Tell(NetworkEventKind::kBeforeLoad);
    Tell(NetworkEventKind::kAfterLoad);
  }

  void Unload() {
    if (!context_) return;
    Tell(NetworkEventKind::kBeforeUnload);
    Tell(NetworkEventKind::kAfterUnload);
  }

  void Tell(NetworkEventKind kind) {
    Try("OnNetworkEvent", [&] {
      NetworkEvent event;
      event.kind = kind;
      return context_->OnNetworkEvent(event);
    });
  }

  void Ask() {
    Try("GetCapabilities", [&] {
      backend_->GetCapabilities();
      backend_->GetOptionSchemas();
      backend_->GetHandleFactoryPreferences(MakeCallArgs());
      return Status::kSuccess;
    });
    Try("IsLayerSupported", [&] {
      LayerSupportArgs args;
      args.model_context = model_context_;
      args.context = context_.get();
      const auto support = backend_->GetLayerSupport(args);
      if (!support) return Status::kFailure;
      const TensorInfo info = MakeInfo();
      const TensorInfo* const infos[] = {&info};
      LayerSupportQuery query;
      query.layer_name = "one";
      query.inputs = infos;
      query.num_inputs = 1;
      query.outputs = infos;
      query.num_outputs = 1;
      std::string reason;
      return support->IsLayerSupported(query, reason) ? Status::kSuccess : Status::kUnsupported;
    });
  }

  void Optimise() {
    Try("OptimizeSubgraphView", [&] {
      const OneLayer layer;
      OptimizeSubgraphArgs args;
      args.subgraph = &layer.view;
      args.reader = &layer;
      args.builder = &builder_;
      args.model_context = model_context_;
      args.options = &options_;
      args.context = context_.get();
      args.cache = &cache_;
      const OptimizationViews views = backend_->OptimizeSubgraphView(args);
      return views.substitutions.size() == 1 ? Status::kSuccess : Status::kFailure;
    });
  }

  void MakeHandles() {
    Try("RegisterTensorHandleFactories", [&] {
      backend_->RegisterTensorHandleFactories(collector_, MakeCallArgs());
      return Status::kSuccess;
    });
    for (const RegisteredFactory& registered : collector_.Get().factories) {
      ITensorHandleFactory& factory = *registered.factory.Share();
      Try("CreateTensorHandle", [&] {
        TensorRequirementsArgs requirements;
        requirements.info = &info_;
        factory.GetRequirements(requirements);
        TensorHandleArgs args;
        args.info = &info_;
        if (auto handle = factory.CreateTensorHandle(args)) {
          factory_ids_.push_back(registered.id);
          handles_.push_back(std::move(handle));
        }
        return Status::kSuccess;
      });
      if (handles_.empty()) continue;
      Try("CreateSubTensorHandle", [&] {
        const std::int64_t origin[kMaxRank] = {};
        const TensorInfo part({1, 3}, DataType::kFloat32);
        SubTensorHandleArgs args;
        args.parent = handles_.back().get();
        args.info = &part;
        args.origin = origin;
        const auto handle = factory.CreateSubTensorHandle(args);
        if (handle) UseView(handle->GetMemoryView(), part);
        return Status::kSuccess;
      });
    }
  }

  void UseView(const MemoryView* view, const TensorInfo& info) {
    if (view == nullptr) return;
    const bool is_writable = (static_cast<std::uint32_t>(view->access) &
                              static_cast<std::uint32_t>(MemoryAccess::kWrite)) != 0;
    const std::string fault = UseMemory(*view, info, is_writable ? Use::kReadAndWrite : Use::kRead);
    if (!fault.empty()) Fault("a view has " + fault);
  }

  void UseHandle(ITensorHandle& handle) {
    if (Has(HostPart::kBlocks)) UseBlocks(handle);
    MemoryBlock block;
    block.data = shared_.get();
    block.source = MemorySource::kMalloc;
    block.size_bytes = 4096;
    Try("Bind", [&] { return handle.Bind(block, 64); });
    UseView(handle.GetMemoryView(), info_);
    if (Has(HostPart::kMaps)) MapHandle(handle);
    if (Has(HostPart::kExports)) Export(handle);
    if (Has(HostPart::kImports)) Import(handle);
  }

  void UseBlocks(ITensorHandle& handle) {
    for (const auto& manager : collector_.Get().memory_managers) {
      MemoryBlock block;
      Try("Acquire", [&] {
        const Status status = manager.Share()->Acquire({4096, 64, {}}, &block);
        if (status != Status::kSuccess) return status;
        const Status bound = handle.Bind(block, 64);
        UseView(handle.GetMemoryView(), info_);
        manager.Share()->Release(block);
        return bound;
      });
    }
  }

  void MapHandle(ITensorHandle& handle) {
    Try("Map", [&] {
      MemoryView view;
      const Status status = handle.Map(MemoryAccess::kReadWrite, &view);
      if (status != Status::kSuccess) return status;
      const std::string fault = UseMemory(view, info_, Use::kReadAndWrite);
      if (!fault.empty()) Fault("mapped memory has " + fault);
      return handle.Unmap();
    });
  }

  void Export(ITensorHandle& handle) {
    for (const MemorySource source : {MemorySource::kMalloc, MemorySource::kFileDescriptor}) {
      Try("Export", [&] {
        MemoryView view;
        const Status status = handle.Export(source, &view);
        if (status == Status::kSuccess) UseView(&view, info_);
        return status;
      });
    }
  }

  void Import(ITensorHandle& handle) {
    MemoryView memory = *LentTensor(info_, shared_.get()).GetMemoryView();
    memory.alignment_bytes = 64;
    ImportOne(handle, memory);
    // What was taken before is not asked about again.
    memory.data = static_cast<std::byte*>(shared_.get()) + 1024;
    ImportOne(handle, memory);
    memory.data = read_only_->GetData();
    memory.access = MemoryAccess::kRead;
    ImportOne(handle, memory);
    memory.data = nullptr;
    memory.access = MemoryAccess::kReadWrite;
    memory.source = MemorySource::kFileDescriptor;
    memory.file_descriptor = file_->GetDescriptor();
    ImportOne(handle, memory);
  }

  void ImportOne(ITensorHandle& handle, const MemoryView& memory) {
    Try("Import", [&] {
      const Status status = handle.Import(memory);
      if (status != Status::kSuccess) return status;
      UseView(handle.GetMemoryView(), info_);
      if (Has(HostPart::kMaps) && memory.access == MemoryAccess::kRead) MapHandle(handle);
      return handle.Unimport();
    });
    UseView(handle.GetMemoryView(), info_);
  }

  void Profile() {
    Try("CreateBackendProfilingContext", [&] {
      ProfilingContextArgs args;
      args.profiling = &profiling_;
      args.context = context_.get();
      profiling_context_ = backend_->CreateBackendProfilingContext(args);
      if (!profiling_context_) return Status::kFailure;
      profiling_context_->GetCounters();
      const std::uint32_t ids[] = {3};
      const Status status = profiling_context_->ActivateCounters(1000, ids, 1);
      return status == Status::kSuccess ? profiling_context_->SetTimeline(ProfilingState::kOn)
                                        : status;
    });
  }

  void RunWorkloads() {
    const EndsInTime ends_in_time(*life_);
    const std::string own = factory_ids_.empty() ? "" : factory_ids_.front();
    std::vector<float> private_output(kNumElements);
    LentTensor private_input(info_, content_);
    LentTensor private_result(info_, private_output.data());
    float* const shared_input = static_cast<float*>(shared_.get()) + 512;
    std::memcpy(shared_input, content_, sizeof(content_));
    LentTensor in_shared(info_, shared_input);
    LentTensor shared_result(info_, shared_input + 64);
    if (Has(HostPart::kRunsWithPrivateMemory)) {
      RunOn("", private_input, private_result, private_output.data());
    }
    if (Has(HostPart::kRunsWithSharedMemory)) {
      RunOn("", in_shared, shared_result, shared_input + 64);
    }
    if (Has(HostPart::kRunsWithHandles) && !handles_.empty()) {
      RunOn(own, *handles_.front(), shared_result, nullptr);
    }
  }

  /// `result` is where the output lies; null: what comes is not known.
  void RunOn(const std::string& factory, ITensorHandle& input, ITensorHandle& output,
             const float* result) {
    std::unique_ptr<IWorkloadFactory> workloads;
    std::unique_ptr<IWorkload> workload;
    std::unique_ptr<IExecutionState> state;
    Try("CreateWorkload", [&] {
      WorkloadFactoryArgs args;
      args.model_context = model_context_;
      args.options = &options_;
      args.context = context_.get();
      workloads = backend_->CreateWorkloadFactory(args);
      if (!workloads) return Status::kFailure;
      workload = MakeWorkload(*workloads, factory);
      if (!workload) return Status::kFailure;
      state = workloads->CreateExecutionState();
      return Status::kSuccess;
    });
    if (!state) {
      result_.is_right = false;
      return;
    }
    RunInTurn(*workload, *state, input, output);
    bool is_right = true;
    for (std::size_t i = 0; result != nullptr && i < kNumElements; ++i) {
      is_right = is_right && result[i] == 2 * content_[i];
    }
    result_.is_right = result_.is_right && is_right;
  }

  std::unique_ptr<IWorkload> MakeWorkload(IWorkloadFactory& workloads, const std::string& factory) {
    const TensorInfo* const infos[] = {&info_, &info_};
    const ConstTensor constant{info_, content_};
    const ConstTensor* const constants[] = {nullptr, &constant};
    const char* const input_factories[] = {factory.c_str(), ""};
    const char* const output_factories[] = {""};
    WorkloadArgs args;
    args.layer_type = LayerType::kPreCompiled;
    args.layer_name = "one";
    args.inputs = infos;
    args.num_inputs = 2;
    args.outputs = infos;
    args.num_outputs = 1;
    args.constants = constants;
    args.pre_compiled = builder_.GetCompiled();
    args.input_factories = input_factories;
    args.output_factories = output_factories;
    return workloads.CreateWorkload(args);
  }

  /// Waits for a run, hands several over at once, and cancels what does not come back.
  void RunInTurn(IWorkload& workload, IExecutionState& state, ITensorHandle& input,
                 ITensorHandle& output) {
    LentTensor constant(info_, content_);
    RunArguments args({&input, &constant}, {&output}, &state, RunArguments::Handles::kAll);
    Try("Execute", [&] { return workload.Execute(args.Show()); });
    FenceView completion;
    args.SetCompletion(&completion);
    for (int i = 0; i < 3; ++i) Try("Execute", [&] { return workload.Execute(args.Show()); });
    Patience patience;
    life_->SetLimit(state, &patience);
    const FinishedWork finished = life_->Finish(state);
    life_->SetLimit(state, nullptr);
    if (finished.status != Status::kSuccess) ++result_.num_failures;
    if (finished.failure && finished.failure->what.empty()) Fault("a run fails without words");
    args.SetCompletion(nullptr);
    Try("Execute", [&] { return workload.Execute(args.Show()); });
  }

  static std::shared_ptr<SharedArea> OpenReadOnly(const SharedArea& area) {
    const std::string path = "/proc/self/fd/" + std::to_string(area.GetDescriptor());
    const wire::FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    return SharedArea::Open(file.Get());
  }

  const std::shared_ptr<isolation::WorkerLife> life_;
  const std::uint32_t left_out_;
  HostResult result_;
  const TensorInfo info_ = MakeInfo();
  float content_[kNumElements] = {};
  BackendOptions options_;
  const std::shared_ptr<void> shared_ = AllocateSharedMemory(4096);
  const std::shared_ptr<SharedArea> file_ = SharedArea::Make(4096);
  const std::shared_ptr<SharedArea> read_only_ = OpenReadOnly(*file_);
  const std::unique_ptr<IBackendInternal> backend_;
  std::unique_ptr<IBackendContext> context_;
  std::shared_ptr<const IBackendModelContext> model_context_;
  ReadingProfiling profiling_;
  std::unique_ptr<IBackendProfilingContext> profiling_context_;
  ReadingBuilder builder_;
  KeepingCache cache_;
  FactoryCollector collector_;
  std::vector<std::string> factory_ids_;
  std::vector<std::unique_ptr<ITensorHandle>> handles_;
};

}  // namespace

HostResult UseAsHost(const std::shared_ptr<isolation::WorkerLife>& life, std::uint32_t left_out) {
  return Host(life, left_out).Run();
}

}  // namespace backplane::fuzz
