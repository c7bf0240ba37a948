#include "execution/imported_tensors.hpp"

#include "execution/binding_failures.hpp"
#include "execution/handle_set.hpp"
#include "tensors/dense_layout.hpp"
#include "tensors/memory_check.hpp"
#include "tensors/status_text.hpp"

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

bool Takes(const PlannedBinding& binding, MemorySource source) {
  return (binding.import_sources & ToFlags(source)) != 0;
}

void UseAddress(void* data, MemoryView& memory) {
  memory.data = data;
  memory.source = MemorySource::kMalloc;
  memory.file_descriptor = -1;
  memory.offset_bytes = 0;
}

}  // namespace

ImportedTensorId ImportedTensors::Import(BindingKind kind, LayerBindingId binding,
                                         const MemoryView& memory) {
  const std::string name = NameBinding(kind, binding);
  const auto& bindings = kind == BindingKind::kInput ? plan_.inputs : plan_.outputs;
  if (binding >= bindings.size()) ThrowNoBinding(name, bindings.size());
  const MemoryView checked =
      Check(bindings[binding], memory, bindings[binding].import_sources, name);
  const bool is_file = checked.source != MemorySource::kMalloc;
  auto given = std::make_unique<GivenTensor>(
      is_file ? fcntl(checked.file_descriptor, F_DUPFD_CLOEXEC, 0) : -1);
  if (is_file && given->file.Get() < 0) ThrowNoDescriptor(name, checked.file_descriptor, errno);
  given->kind = kind;
  given->binding = binding;
  given->memory = checked;
  given->memory.file_descriptor = given->file.Get();
  given->made.emplace(this, Make(bindings[binding], given->memory, name));
  return given_->Add(std::move(given));
}

const ImportedTensor* ImportedTensors::Take(ImportedTensorId id, BindingKind kind,
                                            LayerBindingId binding) {
  return given_->Take(id, kind, binding, this,
                      [this](const GivenTensor& given) { return MakeAgain(given); });
}

// The application could not know where its network would be placed: a file is mapped for a backend
// that takes addresses only.
std::unique_ptr<ImportedTensor> ImportedTensors::MakeAgain(const GivenTensor& given) const {
  const std::string name = NameBinding(given.kind, given.binding) +
                           ", which was imported before the network was placed elsewhere,";
  const PlannedBinding& binding = GetBinding(given.kind, given.binding);
  MemorySourceFlags sources = binding.import_sources;
  if (Takes(binding, MemorySource::kMalloc)) sources |= ToFlags(MemorySource::kFileDescriptor);
  return Make(binding, Check(binding, given.memory, sources, name), name);
}

MemoryView ImportedTensors::Check(const PlannedBinding& binding, const MemoryView& given,
                                  MemorySourceFlags sources, const std::string& name) const {
  if (binding.reason != CopyReason::kNone) {
    ThrowRefused(name, std::string("it is always copied: ") + GetReasonText(binding.reason));
  }
  ImportRules rules;
  rules.info = plan_.tensors[binding.tensor].info;
  rules.requirements = binding.requirements;
  rules.sources = sources;
  rules.access = binding.access;
  const MemoryView memory = CompleteView(given, *rules.info);
  const std::string fault = FindImportFault(memory, rules);
  if (!fault.empty()) ThrowRefused(name, fault);
  return memory;
}

std::unique_ptr<ImportedTensor> ImportedTensors::Make(const PlannedBinding& binding,
                                                      MemoryView memory,
                                                      const std::string& name) const {
  auto made = std::make_unique<ImportedTensor>();
  made->range = MakeRange(memory);
  if (binding.must_be_shared) Share(binding, name, memory, *made);
  const bool is_file = memory.source == MemorySource::kFileDescriptor;
  if (is_file && !Takes(binding, MemorySource::kFileDescriptor)) Map(binding, name, memory, *made);
  const auto* factory = objects_.factories[binding.kind];
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
                           DescribeStatus(status) + "\"; expected \"" +
                           GetStatusText(Status::kSuccess) + "\"");
  }
  return made;
}

// An isolated backend sees descriptors, and areas; nothing else of this process.
void ImportedTensors::Share(const PlannedBinding& binding, const std::string& name,
                            MemoryView& memory, ImportedTensor& made) const {
  const bool needs_address =
      objects_.factories[binding.kind] == nullptr || !Takes(binding, MemorySource::kFileDescriptor);
  if (memory.source == MemorySource::kFileDescriptor && !CanBeGiven(memory.file_descriptor)) {
    ThrowRefused(name,
                 "found a file that an isolated backend could make shorter; expected a memfd that "
                 "was made with MFD_ALLOW_SEALING");
  }
  if (memory.source == MemorySource::kFileDescriptor && needs_address) {
    made.area = SharedArea::Open(memory.file_descriptor);
    if (!made.area) ThrowRefused(name, "the file cannot be mapped by an isolated backend");
    UseAddress(made.area->GetData() + memory.offset_bytes, memory);
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

void ImportedTensors::Map(const PlannedBinding& binding, const std::string& name,
                          MemoryView& memory, ImportedTensor& made) const {
  if (memory.size_bytes != 0) {
    const Status status = made.file.Map(memory.file_descriptor, memory.offset_bytes,
                                        memory.size_bytes, binding.access);
    if (status != Status::kSuccess) {
      ThrowRefused(name, std::string("mapping the file gave \"") + DescribeStatus(status) +
                             "\"; expected one that this process can map");
    }
  }
  UseAddress(made.file.GetData(), memory);
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

OwnDescriptor::~OwnDescriptor() {
  if (descriptor_ >= 0) close(descriptor_);
}

ImportedTensorId GivenTensors::Add(std::unique_ptr<GivenTensor> given) {
  const std::lock_guard<std::mutex> lock(mutex_);
  tensors_.emplace(++last_id_, std::move(given));
  return last_id_;
}

bool GivenTensors::Release(ImportedTensorId id) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = tensors_.find(id);
  if (found == tensors_.end() || found->second->is_in_use) return false;
  for (const auto& made : found->second->made) {
    for (TensorHandle& handle : made.second->handles) {
      static_cast<void>(handle.ForOthers()->Unimport());
    }
  }
  tensors_.erase(found);
  return true;
}

const ImportedTensor* GivenTensors::Take(ImportedTensorId id, BindingKind kind,
                                         LayerBindingId binding, const void* placement,
                                         const Make& make) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = tensors_.find(id);
  if (found == tensors_.end()) return nullptr;
  GivenTensor& given = *found->second;
  if (given.is_in_use || given.kind != kind || given.binding != binding) return nullptr;
  auto made = given.made.find(placement);
  if (made == given.made.end()) made = given.made.emplace(placement, make(given)).first;
  given.is_in_use = true;
  return made->second.get();
}

void GivenTensors::GiveBack(ImportedTensorId id) {
  const std::lock_guard<std::mutex> lock(mutex_);
  tensors_.at(id)->is_in_use = false;
}

void GivenTensors::Forget(const void* placement) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& tensor : tensors_) tensor.second->made.erase(placement);
}

}  // namespace backplane
