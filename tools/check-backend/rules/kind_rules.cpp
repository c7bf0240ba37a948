// The kinds of tensor memory that a backend registers: what it says of them.

#include "comma_list.hpp"
#include "harness/descriptor_text.hpp"
#include "harness/expectations.hpp"
#include "harness/kind_tensor.hpp"
#include "harness/session.hpp"

#include <backplane/api/layer_type.hpp>

#include <algorithm>
#include <cstring>

namespace backplane::check_backend {
namespace {

bool IsPowerOfTwo(std::uint64_t value) {
  return value != 0 && (value & (value - 1)) == 0;
}

/// "Vendor/Backend/Factory".
bool IsWellFormed(const std::string& id) {
  const bool is_printable =
      std::all_of(id.begin(), id.end(), [](char c) { return c > ' ' && c <= '~'; });
  const bool has_empty_part =
      id.empty() || id.front() == '/' || id.back() == '/' || id.find("//") != std::string::npos;
  return is_printable && !has_empty_part && std::count(id.begin(), id.end(), '/') == 2;
}

std::string DescribeIds(const std::vector<std::string>& ids) {
  return ids.empty() ? "none" : WriteList(ids);
}

std::vector<std::string> GetIds(const RegisteredMemory& memory) {
  std::vector<std::string> ids;
  for (const RegisteredFactory& factory : memory.factories) ids.push_back(factory.id);
  return ids;
}

/// The fields by which two answers of GetProperties differ; "" when they do not.
std::string FindChangedFields(const TensorHandleFactoryProperties& a,
                              const TensorHandleFactoryProperties& b) {
  std::string text;
  const auto compare = [&](const char* field, std::uint32_t first, std::uint32_t second) {
    if (first == second) return;
    AddToList(text, std::string(field) + " " + std::to_string(first) + " and then " +
                        std::to_string(second));
  };
  compare("layout", static_cast<std::uint32_t>(a.layout), static_cast<std::uint32_t>(b.layout));
  compare("supports_sub_tensors", a.supports_sub_tensors, b.supports_sub_tensors);
  compare("supports_map_unmap", a.supports_map_unmap, b.supports_map_unmap);
  compare("supports_in_place", a.supports_in_place, b.supports_in_place);
  compare("import_sources", a.import_sources, b.import_sources);
  compare("export_sources", a.export_sources, b.export_sources);
  compare("owns_memory", a.owns_memory, b.owns_memory);
  compare("copy_to_sources", a.copy_to_sources, b.copy_to_sources);
  compare("copy_from_sources", a.copy_from_sources, b.copy_from_sources);
  compare("copies_within_backend", a.copies_within_backend, b.copies_within_backend);
  return text;
}

/// `again` has as many kinds.
void ExpectSameProperties(Session& session, const RegisteredMemory& memory,
                          const RegisteredMemory& again) {
  for (std::size_t i = 0; i < memory.factories.size(); ++i) {
    const RegisteredFactory& kind = memory.factories[i];
    const std::string difference =
        FindChangedFields(kind.properties, again.factories[i].properties);
    session.Expect(difference.empty(), "GetProperties of " + kind.id + " answered " + difference,
                   "the same at every call");
  }
}

}  // namespace

void CheckKindsAreTheSameAtEveryCall(Session& session) {
  const RegisteredMemory memory = session.GetPlugin().RegisterMemory();
  if (memory.factories.empty() && memory.refusals.empty()) return session.Skip(kNoKinds);
  if (session.Begin("has it register its kinds of tensor memory twice")) {
    for (const Diagnostic& refusal : memory.refusals) {
      session.Report(refusal.what + ": " + refusal.why, "factories that a host can use");
    }
    const RegisteredMemory again = session.GetPlugin().RegisterMemory();
    const bool has_same_ids = session.Expect(
        GetIds(memory) == GetIds(again),
        "it registered " + DescribeIds(GetIds(memory)) + ", and then " + DescribeIds(GetIds(again)),
        "the same kinds in the same order at every call");
    if (has_same_ids) ExpectSameProperties(session, memory, again);
    const bool is_same = memory.memory_managers.size() == again.memory_managers.size();
    session.Expect(is_same,
                   "it registered " + std::to_string(memory.memory_managers.size()) +
                       " memory managers, and then " + std::to_string(again.memory_managers.size()),
                   "as many at every call");
  }
}

void CheckPreferencesNameKinds(Session& session) {
  const std::vector<std::string> preferences = session.GetPlugin().GetPreferences();
  const std::vector<std::string> own = GetIds(session.GetPlugin().RegisterMemory());
  if (preferences.empty() && own.empty()) return session.Skip(kNoKinds);
  if (!session.Begin("asks for its preferences among kinds of tensor memory twice")) return;
  const std::vector<std::string> again = session.GetPlugin().GetPreferences();
  session.Expect(preferences == again,
                 "it answered " + DescribeIds(preferences) + ", and then " + DescribeIds(again),
                 "the same at every call");
  for (const std::string& id : preferences) {
    session.Expect(IsWellFormed(id), "the preference \"" + id + "\"",
                   "an id \"Vendor/Backend/Factory\"");
    const auto prefix = [](const std::string& text) { return text.substr(0, text.rfind('/') + 1); };
    const bool is_of_its_own = std::any_of(own.begin(), own.end(), [&](const std::string& other) {
      return prefix(other) == prefix(id);
    });
    const bool is_registered = std::find(own.begin(), own.end(), id) != own.end();
    session.Expect(
        !is_of_its_own || is_registered,
        "the preference " + id + ", which it does not register; it registers " + DescribeIds(own),
        "kinds that it registers, those of other backends, or " +
            std::string(kHostTensorHandleFactoryId));
  }
}

// ---- requirements

namespace {

std::vector<TensorInfo> ListAskedInfos(bool is_quick) {
  std::vector<TensorInfo> infos;
  for (const DataType type : conformance::kDataTypes) {
    infos.push_back({{2, 3}, type});
    if (is_quick) continue;
    infos.push_back({{}, type});
    infos.push_back({{1, 17, 5, 3}, type});
    infos.push_back({{0, 4}, type});
    infos.push_back({{2, 1, 3, 1, 2, 1, 2, 2}, type});
    infos.push_back({{1, 64, 56, 57}, type});
  }
  return infos;
}

std::string DescribeRequirements(const MemoryRequirements& requirements) {
  return std::to_string(requirements.size_bytes) + " bytes aligned to " +
         std::to_string(requirements.alignment_bytes);
}

void CheckRequirementsOf(Session& session, const Kind& kind, const TensorInfo& info,
                         LayerType beside) {
  TensorRequirementsArgs args;
  args.info = &info;
  args.layer_type = beside;
  const MemoryRequirements needed = kind.Get().GetRequirements(args);
  const MemoryRequirements again = kind.Get().GetRequirements(args);
  const std::string where = beside == LayerType::kUndefined
                                ? "for no layer"
                                : std::string("beside ") + GetLayerTypeName(beside);
  const std::string seen = DescribeRequirements(needed) + " " + where;
  session.Expect(
      needed.size_bytes == again.size_bytes && needed.alignment_bytes == again.alignment_bytes,
      seen + ", and then " + DescribeRequirements(again), "the same at every call");
  session.Expect(IsPowerOfTwo(needed.alignment_bytes), seen, "an alignment that is a power of two");
  if (!kind.IsKnown()) return;
  session.Expect(needed.size_bytes >= info.GetSizeBytes(), seen,
                 "at least the " + std::to_string(info.GetSizeBytes()) +
                     " bytes of the elements, as the layout is known");
}

}  // namespace

void CheckRequirementsHoldTheTensor(Session& session) {
  const RegisteredMemory memory = session.GetPlugin().RegisterMemory();
  if (memory.factories.empty()) return session.Skip(kNoKinds);
  std::vector<LayerType> layers = ListSupportedTypes(session);
  layers.push_back(LayerType::kUndefined);
  for (const Kind& kind : ListKinds(memory)) {
    for (const TensorInfo& info : ListAskedInfos(session.IsQuick())) {
      if (!session.Begin("asks what " + DescribeTensor(info) + " requires as " + kind.GetId())) {
        continue;
      }
      for (const LayerType beside : layers) CheckRequirementsOf(session, kind, info, beside);
    }
  }
}

// ---- memory managers

namespace {

struct NamedManager {
  std::string name;
  IMemoryManager* manager;
};

std::string DescribeBlock(const MemoryBlock& block) {
  char address[40];
  std::snprintf(address, sizeof(address), "%p", block.data);
  return std::to_string(block.size_bytes) + " bytes at " +
         (block.data != nullptr ? std::string(address) : "no address");
}

bool Overlap(const MemoryBlock& a, const MemoryBlock& b) {
  const auto begin = [](const MemoryBlock& block) {
    return reinterpret_cast<std::uintptr_t>(block.data);
  };
  return begin(a) < begin(b) + b.size_bytes && begin(b) < begin(a) + a.size_bytes;
}

bool IsOfCpu(const MemoryBlock& block) {
  return block.data != nullptr && block.source == MemorySource::kMalloc;
}

void ExpectBlock(Session& session, const MemoryBlock& block, const MemoryRequirements& wanted) {
  const std::string asked = DescribeRequirements(wanted);
  session.Expect(block.size_bytes >= wanted.size_bytes,
                 "Acquire gave " + DescribeBlock(block) + " for " + asked, "at least that size");
  const auto address = reinterpret_cast<std::uintptr_t>(block.data);
  session.Expect(address % wanted.alignment_bytes == 0,
                 "Acquire gave " + DescribeBlock(block) + " for " + asked, "that alignment");
  session.Expect(block.data != nullptr || block.file_descriptor >= 0 || block.token != 0,
                 "Acquire gave a block without an address, a file descriptor and a token",
                 "something by which the block is known");
}

void CheckBlocks(Session& session, IMemoryManager& manager) {
  const MemoryRequirements wanted[] = {
      {1, 64, {}}, {64, 64, {}}, {4097, 64, {}}, {1 << 20, 4096, {}}, {3, 64, {}}};
  std::vector<MemoryBlock> blocks;
  for (const MemoryRequirements& requirements : wanted) {
    MemoryBlock block;
    if (!ExpectStatus(session, "Acquire of " + DescribeRequirements(requirements),
                      manager.Acquire(requirements, &block), Status::kSuccess, "a block")) {
      continue;
    }
    ExpectBlock(session, block, requirements);
    for (const MemoryBlock& other : blocks) {
      if (!IsOfCpu(block) || !IsOfCpu(other)) continue;
      session.Expect(!Overlap(block, other),
                     "Acquire gave " + DescribeBlock(block) + " while " + DescribeBlock(other) +
                         " had not been released",
                     "blocks that do not overlap");
    }
    if (IsOfCpu(block))
      std::memset(block.data, static_cast<int>(blocks.size()) + 1, requirements.size_bytes);
    blocks.push_back(block);
  }
  // In another order than they came.
  for (std::size_t i = 0; i < blocks.size(); i += 2) manager.Release(blocks[i]);
  for (std::size_t i = 1; i < blocks.size(); i += 2) manager.Release(blocks[i]);
}

/// A refusal with a text of the backend's reaches the caller as an exception.
Status Acquire(IMemoryManager& manager, const MemoryRequirements& wanted, MemoryBlock& block) {
  try {
    return manager.Acquire(wanted, &block);
  } catch (const DiagnosticException& exception) {
    if (exception.GetDiagnostic().code != DiagnosticCode::kOutOfMemory) throw;
    return Status::kOutOfMemory;
  }
}

void CheckAbsurdSize(Session& session, IMemoryManager& manager) {
  MemoryRequirements absurd;
  absurd.size_bytes = std::uint64_t{1} << 62U;
  absurd.alignment_bytes = 64;
  MemoryBlock block;
  block.token = 77;
  const Status status = Acquire(manager, absurd, block);
  if (!session.Expect(status != Status::kSuccess,
                      "Acquire of 2^62 bytes returned kSuccess and " + DescribeBlock(block),
                      "kOutOfMemory, as no machine has that much")) {
    return;
  }
  ExpectStatus(session, "Acquire of 2^62 bytes", status, Status::kOutOfMemory, "kOutOfMemory");
  session.Expect(block.token == 77 && block.data == nullptr && block.size_bytes == 0,
                 "Acquire failed, and changed the block", "a block that is untouched");
}

}  // namespace

void CheckMemoryManagersGiveBlocks(Session& session) {
  const RegisteredMemory memory = session.GetPlugin().RegisterMemory();
  std::vector<NamedManager> managers;
  for (std::size_t i = 0; i < memory.memory_managers.size(); ++i) {
    managers.push_back({"registered memory manager " + std::to_string(i),
                        memory.memory_managers[i].Share().get()});
  }
  if (managers.empty()) return session.Skip("it has no memory managers");
  for (const NamedManager& one : managers) {
    if (session.Begin("acquires five blocks from " + one.name + " and releases them")) {
      CheckBlocks(session, *one.manager);
    }
    if (session.Begin("asks " + one.name + " for 2^62 bytes")) {
      CheckAbsurdSize(session, *one.manager);
    }
  }
}

}  // namespace backplane::check_backend
