// Tensor handles of a backend's own kinds: memory that they import and export.

#include "harness/round_up.hpp"
#include "harness/session.hpp"
#include "rules/handle_expectations.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace backplane::check_backend {
namespace {

using conformance::StoredTensor;

/// Memory of the application, or a memfd, that has what a tensor requires.
class Foreign {
 public:
  Foreign(const TensorInfo& info, const MemoryRequirements& needed, MemorySource source)
      : size_bytes_(RoundUp(std::max<std::uint64_t>(needed.size_bytes, 1), kPageBytes)) {
    descriptor_ = memfd_create("check-backend", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor_ < 0 || ftruncate(descriptor_, static_cast<off_t>(size_bytes_)) != 0) {
      throw std::system_error(errno, std::generic_category(), "memfd_create");
    }
    memory_ = mmap(nullptr, size_bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
    if (memory_ == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
    view_ = conformance::MemoryHandle(info, memory_).view;
    dense_ = view_;
    view_.source = source;
    view_.size_bytes = needed.size_bytes;
    view_.alignment_bytes = std::max<std::uint64_t>(needed.alignment_bytes, 1);
    if (source == MemorySource::kFileDescriptor) {
      view_.data = nullptr;
      view_.file_descriptor = descriptor_;
    }
  }
  ~Foreign() {
    munmap(memory_, size_bytes_);
    close(descriptor_);
  }
  Foreign(const Foreign&) = delete;
  Foreign& operator=(const Foreign&) = delete;

  const MemoryView& GetView() const { return view_; }
  void Write(const StoredTensor& content) { CopyToView(content, dense_); }
  void* GetMemory() const { return memory_; }

 private:
  static constexpr std::uint64_t kPageBytes = 4096;
  std::uint64_t size_bytes_;
  int descriptor_ = -1;
  void* memory_ = nullptr;
  MemoryView view_;
  MemoryView dense_;
};

constexpr MemorySource kSources[] = {MemorySource::kMalloc, MemorySource::kFileDescriptor};

const char* GetSourceName(MemorySource source) {
  return source == MemorySource::kMalloc ? "kMalloc" : "kFileDescriptor";
}

/// Only tensors that need just their own bytes are imported.
bool IsDense(const Kind& kind, const TensorInfo& info, const MemoryRequirements& needed) {
  return kind.IsKnown() && needed.size_bytes == info.GetSizeBytes();
}

bool ImportsAny(const Kind& kind) {
  return kind.Imports(kSources[0]) || kind.Imports(kSources[1]);
}

void ExpectImported(Session& session, const Kind& kind, ITensorHandle& handle, Foreign& foreign,
                    const TensorInfo& info) {
  const MemoryView* const view = handle.GetMemoryView();
  if (!session.Expect(view != nullptr, "GetMemoryView gave null after Import",
                      "a view of the imported memory, as the layout is known")) {
    return;
  }
  ExpectTensor(session, info, *view, "after Import, GetMemoryView");
  const bool is_malloc = foreign.GetView().source == MemorySource::kMalloc;
  if (is_malloc && view->data != nullptr && info.GetSizeBytes() > 0) {
    session.Expect(view->data == foreign.GetMemory(),
                   "after Import, " + DescribePlace(view) + ", not at the address imported",
                   "the imported memory");
  }
  if (kind.GetProperties().supports_map_unmap == 0) return;
  const StoredTensor content = MakeContent(info, session.GetSeed() * 31 + 7);
  foreign.Write(content);
  ExpectMapped(session, handle, content,
               "mapped after Import, the tensor does not hold what the imported memory holds");
}

void CheckImport(Session& session, const Kind& kind, const TensorInfo& info) {
  const BoundHandle bound(kind, info);
  ITensorHandle& handle = *bound.handle;
  if (!IsDense(kind, info, bound.needed)) return;
  const std::optional<MemoryView> before = KeepView(handle);
  ExpectAnswer(session, "Unimport before Import", handle.Unimport(), Status::kInvalidArgument,
               "as nothing is imported");
  for (const MemorySource source : kSources) {
    const bool is_file = source == MemorySource::kFileDescriptor;
    if (!kind.Imports(source) || (is_file && info.GetSizeBytes() == 0)) continue;
    Foreign foreign(info, bound.needed, source);
    const std::string what = std::string("Import of memory of ") + GetSourceName(source);
    for (int round = 0; round < 2; ++round) {
      if (!ExpectStatus(session, what, handle.Import(foreign.GetView()), Status::kSuccess,
                        "kSuccess, as the kind imports this source, and the memory has the size "
                        "and the alignment that it requires")) {
        break;
      }
      ExpectImported(session, kind, handle, foreign, info);
      ExpectAnswer(session, "Unimport after Import", handle.Unimport(), Status::kSuccess,
                   "as memory is imported");
      ExpectAsBefore(session, handle, before, "after Unimport");
    }
  }
  ExpectAnswer(session, "Unimport after Unimport", handle.Unimport(), Status::kInvalidArgument,
               "as nothing is imported");
}

void ExpectImportRefused(Session& session, ITensorHandle& handle, const MemoryView& memory,
                         Status expected, const std::string& what, const std::string& why) {
  const std::optional<MemoryView> before = KeepView(handle);
  const Status status = handle.Import(memory);
  ExpectAnswer(session, "Import of " + what, status, expected, why);
  if (status == Status::kSuccess) {
    static_cast<void>(handle.Unimport());
    return;
  }
  ExpectAsBefore(session, handle, before, "after Import of " + what + " was refused");
}

void CheckImportRefuses(Session& session, const Kind& kind, const TensorInfo& info) {
  const BoundHandle bound(kind, info);
  if (!IsDense(kind, info, bound.needed) || info.GetSizeBytes() == 0) return;
  for (const MemorySource source : kSources) {
    const Foreign foreign(info, bound.needed, source);
    const std::string name = std::string("memory of ") + GetSourceName(source);
    if (!kind.Imports(source)) {
      ExpectImportRefused(session, *bound.handle, foreign.GetView(), Status::kUnsupported, name,
                          "as the kind does not import this source");
      continue;
    }
    MemoryView small = foreign.GetView();
    small.size_bytes = info.GetSizeBytes() - 1;
    ExpectImportRefused(session, *bound.handle, small, Status::kInvalidArgument,
                        name + " that is one byte too small", "as the size does not fit");
  }
}

}  // namespace

void CheckImportsAsDeclared(Session& session) {
  ForEachTensor(
      session, "imports memory for",
      "none of its kinds of tensor memory imports kMalloc or kFileDescriptor", &ImportsAny,
      [&](const Kind& kind, const TensorInfo& info) { CheckImport(session, kind, info); });
}

void CheckImportRefusesWhatDoesNotFit(Session& session) {
  ForEachTensor(
      session, "imports what does not fit for", kNoneKnown,
      [](const Kind& kind) { return kind.IsKnown(); },
      [&](const Kind& kind, const TensorInfo& info) { CheckImportRefuses(session, kind, info); });
}

// ---- export

namespace {

void CheckExport(Session& session, const Kind& kind, const TensorInfo& info) {
  const BoundHandle bound(kind, info);
  if (!IsDense(kind, info, bound.needed) || info.GetSizeBytes() == 0) return;
  for (const MemorySource source : kSources) {
    MemoryView view;
    const Status status = bound.handle->Export(source, &view);
    const std::string what = std::string("Export as ") + GetSourceName(source);
    if (!kind.Exports(source)) {
      ExpectAnswer(session, what, status, Status::kUnsupported,
                   "as the kind does not export this source");
      continue;
    }
    if (!ExpectStatus(session, what, status, Status::kSuccess,
                      "kSuccess, as the kind exports this source")) {
      continue;
    }
    session.Expect(view.source == source, what + " gave memory of another source",
                   GetSourceName(source));
    ExpectTensor(session, info, view, what);
    const bool is_known =
        source == MemorySource::kMalloc ? view.data != nullptr : view.file_descriptor >= 0;
    session.Expect(is_known, what + " gave " + DescribePlace(&view),
                   "an address of kMalloc, a descriptor of kFileDescriptor");
    if (!is_known || source != MemorySource::kMalloc ||
        kind.GetProperties().supports_map_unmap == 0) {
      continue;
    }
    const StoredTensor content = MakeContent(info, session.GetSeed() * 31 + 11);
    MemoryView mapped;
    if (!MapFor(session, *bound.handle, MemoryAccess::kWrite, info, &mapped)) continue;
    CopyToView(content, mapped);
    ExpectAnswer(session, "Unmap after Map", bound.handle->Unmap(), Status::kSuccess,
                 "as it is mapped");
    if (bound.handle->Export(source, &view) != Status::kSuccess) continue;
    StoredTensor found(info);
    CopyFromView(view, found);
    session.Expect(found.bytes == content.bytes,
                   "the exported memory does not hold what was written when the tensor was mapped",
                   "the same bytes");
  }
}

}  // namespace

void CheckExportsAsDeclared(Session& session) {
  ForEachTensor(
      session, "exports", kNoneKnown, [](const Kind& kind) { return kind.IsKnown(); },
      [&](const Kind& kind, const TensorInfo& info) { CheckExport(session, kind, info); });
}

}  // namespace backplane::check_backend
