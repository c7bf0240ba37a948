#include "execution/imported_tensors.hpp"

#include "execution/binding_failures.hpp"
#include "execution/handle_set.hpp"
#include "tensors/dense_layout.hpp"
#include "tensors/memory_check.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <unordered_map>
#include <utility>

namespace backplane {

namespace {

// The part of the memory in which one member lies. Inputs are only read, whatever is allowed.
MemoryView MakeMemberView(const MemoryView& memory, MemoryAccess access, const BoundMember& member,
                          const TensorInfo& info) {
  MemoryView view = MakeDenseView(info);
  view.source = memory.source;
  view.access = access;
  view.file_descriptor = memory.file_descriptor;
  view.offset_bytes = memory.offset_bytes + member.offset_bytes;
  view.alignment_bytes = memory.alignment_bytes;
  if (memory.data != nullptr) {
    view.data = static_cast<unsigned char*>(memory.data) + member.offset_bytes;
  }
  return view;
}

}  // namespace

OwnDescriptor::~OwnDescriptor() {
  if (descriptor_ >= 0) close(descriptor_);
}

ImportedTensorId ImportedTensors::Import(BindingKind kind, LayerBindingId binding,
                                         const MemoryView& memory) {
  const std::string name = NameBinding(kind, binding);
  const auto& bindings = kind == BindingKind::kInput ? plan_.inputs : plan_.outputs;
  if (binding >= bindings.size()) ThrowNoBinding(name, bindings.size());
  std::unique_ptr<ImportedTensor> made = Make(bindings[binding], memory, name);
  made->kind = kind;
  made->binding = binding;
  const std::lock_guard<std::mutex> lock(mutex_);
  tensors_.emplace(++last_id_, std::move(made));
  return last_id_;
}

std::unique_ptr<ImportedTensor> ImportedTensors::Make(const PlannedBinding& binding,
                                                      const MemoryView& given,
                                                      const std::string& name) const {
  if (binding.reason != CopyReason::kNone) {
    ThrowRefused(name, std::string("it is always copied: ") + GetReasonText(binding.reason));
  }
  ImportRules rules;
  rules.info = plan_.tensors[binding.tensor].info;
  rules.requirements = binding.requirements;
  rules.sources = binding.prepared_sources;
  rules.access = binding.access;
  MemoryView memory = CompleteView(given, *rules.info);
  const std::string fault = FindImportFault(memory, rules);
  if (!fault.empty()) ThrowRefused(name, fault);

  const bool is_file = memory.source != MemorySource::kMalloc;
  auto made = std::make_unique<ImportedTensor>(
      is_file ? fcntl(memory.file_descriptor, F_DUPFD_CLOEXEC, 0) : -1);
  if (is_file && made->file.Get() < 0) ThrowNoDescriptor(name, memory.file_descriptor, errno);
  memory.file_descriptor = made->file.Get();
  made->range = MakeRange(memory);
  if (binding.must_be_shared) Share(binding, name, memory, *made);
  // Its own handles import what they can; the others are there for the rest.
  const bool is_own = objects_.import_factories[binding.kind] == nullptr ||
                      (binding.run_sources & ToFlags(memory.source)) != 0;
  const auto* factory = (is_own ? objects_.factories : objects_.import_factories)[binding.kind];
  made->handles.reserve(binding.members.size());             // sub-tensors refer to their parents
  std::unordered_map<std::uint32_t, std::size_t> positions;  // of the handles, by tensor
  for (const BoundMember& member : binding.members) {
    const PlannedTensor& tensor = plan_.tensors[member.tensor];
    positions.emplace(member.tensor, made->handles.size());
    if (member.sub_tensor != nullptr) {
      const TensorHandle& whole = made->handles[positions.at(member.sub_tensor->parent)];
      made->handles.push_back(MakeHandle(tensor, factory, &whole));
      continue;
    }
    made->handles.push_back(MakeHandle(tensor, factory, nullptr));
    const Status status = made->handles.back().ForOthers()->Import(
        MakeMemberView(memory, binding.access, member, *tensor.info));
    if (status == Status::kSuccess) continue;
    ThrowRefused(name, "a tensor handle of " + table_.kinds[binding.kind].id + " answered \"" +
                           GetStatusText(status) + "\"; expected \"" +
                           GetStatusText(Status::kSuccess) + "\"");
  }
  return made;
}

// An isolated backend sees descriptors, and areas; nothing else of this process.
void ImportedTensors::Share(const PlannedBinding& binding, const std::string& name,
                            MemoryView& memory, ImportedTensor& made) const {
  const bool is_file_of_host =
      memory.source == MemorySource::kFileDescriptor && objects_.factories[binding.kind] == nullptr;
  if (memory.source == MemorySource::kFileDescriptor && !CanBeGiven(memory.file_descriptor)) {
    ThrowRefused(name,
                 "found a file that an isolated backend could make shorter; expected a memfd that "
                 "was made with MFD_ALLOW_SEALING");
  }
  if (is_file_of_host) {
    made.area = SharedArea::Open(memory.file_descriptor);
    if (!made.area) ThrowRefused(name, "the file cannot be mapped by an isolated backend");
    memory.data = made.area->GetData() + memory.offset_bytes;
    memory.source = MemorySource::kMalloc;
    memory.file_descriptor = -1;
    memory.offset_bytes = 0;
  }
  if (memory.source != MemorySource::kMalloc || FindSharedPlace(memory.data, memory.size_bytes)) {
    return;
  }
  Diagnostic diagnostic{DiagnosticCode::kMemoryCannotCross};
  diagnostic.subject = {SubjectKind::kNetwork, network_};
  diagnostic.what = "the memory given for " + name + " cannot be shared with an isolated backend";
  diagnostic.why =
      "found memory of this process alone; expected memory of "
      "IRuntime::AllocateTensorMemory, or a file descriptor";
  diagnostic.fix = "take the memory from the runtime, or give the tensor at each run, to be copied";
  throw DiagnosticException(std::move(diagnostic));
}

bool ImportedTensors::Release(ImportedTensorId id) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = tensors_.find(id);
  if (found == tensors_.end() || found->second->is_in_use) return false;
  for (TensorHandle& handle : found->second->handles) {
    static_cast<void>(handle.ForOthers()->Unimport());
  }
  tensors_.erase(found);
  return true;
}

const ImportedTensor* ImportedTensors::Take(ImportedTensorId id, BindingKind kind,
                                            LayerBindingId binding) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = tensors_.find(id);
  if (found == tensors_.end()) return nullptr;
  ImportedTensor& tensor = *found->second;
  if (tensor.is_in_use || tensor.kind != kind || tensor.binding != binding) return nullptr;
  tensor.is_in_use = true;
  return &tensor;
}

void ImportedTensors::GiveBack(ImportedTensorId id) {
  const std::lock_guard<std::mutex> lock(mutex_);
  tensors_.at(id)->is_in_use = false;
}

void ImportedTensors::ThrowRefused(const std::string& binding, const std::string& why) const {
  Diagnostic diagnostic{DiagnosticCode::kImportRefused};
  diagnostic.subject = {SubjectKind::kNetwork, network_};
  diagnostic.what = "the memory given for " + binding + " cannot be used as it is";
  diagnostic.why = why;
  diagnostic.fix = "give memory that fits, or the tensor at each run, to be copied when it must";
  throw DiagnosticException(std::move(diagnostic));
}

void ImportedTensors::ThrowNoDescriptor(const std::string& binding, int descriptor,
                                        int error) const {
  Diagnostic diagnostic{DiagnosticCode::kImportRefused};
  diagnostic.subject = {SubjectKind::kNetwork, network_};
  diagnostic.what = "the memory given for " + binding + " cannot be kept";
  diagnostic.why = "making a second descriptor of its file, descriptor " +
                   std::to_string(descriptor) +
                   ", gave: " + std::generic_category().message(error) +
                   "; expected one that stays when the application closes its own";
  diagnostic.fix = error == EMFILE ? "close files, or allow more of them (ulimit -n)"
                                   : "give a descriptor that is open";
  throw DiagnosticException(std::move(diagnostic));
}

void ImportedTensors::ThrowNoBinding(const std::string& binding, std::size_t count) const {
  Diagnostic diagnostic{DiagnosticCode::kWrongTensorBinding};
  diagnostic.subject = {SubjectKind::kNetwork, network_};
  diagnostic.what = "there is no " + binding + " of network \"" + network_ + "\"";
  diagnostic.why =
      "found a network with " + std::to_string(count) + " of them; expected an id less than that";
  diagnostic.fix = "use the ids of IOptimizedNetwork::GetInputs and GetOutputs";
  throw DiagnosticException(std::move(diagnostic));
}

}  // namespace backplane
