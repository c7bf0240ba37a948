// Kinds of tensor memory of a backend in another process: factories and memory managers.
#include "isolation/answering.hpp"
#include "isolation/isolated_handle.hpp"

#include <backplane/host/logging.hpp>

#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

namespace backplane::isolation {
namespace {

using wire::Function;
using wire::Reader;
using wire::WriteFields;
using wire::Writer;

class IsolatedHandleFactory final : public ITensorHandleFactory, public RemoteObject {
 public:
  /// `status`: of asking for its properties.
  IsolatedHandleFactory(std::shared_ptr<Worker> worker, std::uint64_t number, std::string id,
                        Status status, const TensorHandleFactoryProperties& properties)
      : RemoteObject(std::move(worker), number),
        id_(std::move(id)),
        status_(status),
        properties_(properties) {}

  const char* GetId() const override { return id_.c_str(); }
  Status GetProperties(TensorHandleFactoryProperties* properties) const override {
    *properties = properties_;
    return status_;
  }

  MemoryRequirements GetRequirements(const TensorRequirementsArgs& args) const override {
    const auto requirements =
        Ask<MemoryRequirements>(Function::kGetRequirements, args.layer_type, *args.info);
    // No machine has so much, and sums of it would overflow.
    constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 46U;
    if (requirements.size_bytes > kMostBytes || requirements.alignment_bytes > kMostBytes) {
      throw std::runtime_error("GetRequirements answered " +
                               std::to_string(requirements.size_bytes) + " bytes at multiples of " +
                               std::to_string(requirements.alignment_bytes) +
                               "; expected what a machine can have");
    }
    return requirements;
  }

  std::unique_ptr<ITensorHandle> CreateTensorHandle(const TensorHandleArgs& args) const override {
    return MakeHandle(Function::kCreateTensorHandle, *args.info, *args.info);
  }

  std::unique_ptr<ITensorHandle> CreateSubTensorHandle(
      const SubTensorHandleArgs& args) const override {
    const std::uint64_t parent = static_cast<IsolatedHandle*>(args.parent)->GetNumber();
    return MakeHandle(Function::kCreateSubTensorHandle, *args.info, parent, *args.info,
                      std::vector<std::int64_t>(args.origin, args.origin + args.info->shape.rank));
  }

 private:
  template <typename... Values>
  std::unique_ptr<ITensorHandle> MakeHandle(Function function, const TensorInfo& info,
                                            const Values&... values) const {
    const std::uint64_t number = GetWorker().GetObjects().MakeIds();
    const auto made = GetWorker().Call(function, Writer().Put(number, GetNumber(), values...));
    if (!GetWorker().Take<bool>(*made)) return nullptr;
    return std::make_unique<IsolatedHandle>(ShareWorker(), number, info, *made);
  }

  const std::string id_;
  const Status status_;
  const TensorHandleFactoryProperties properties_;
};

/// A memory manager that a backend registered for its factories: blocks stay in its process.
class IsolatedBlockManager final : public IMemoryManager, public RemoteObject {
 public:
  using RemoteObject::RemoteObject;

  Status Acquire(const MemoryRequirements& requirements, MemoryBlock* block) override {
    Worker& worker = GetWorker();
    MemoryBlock made;
    made.token = worker.GetObjects().MakeIds();
    const auto reply =
        worker.Call(Function::kAcquireBlock, Writer().Put(made.token, GetNumber(), requirements));
    const auto status = reply->reader.Take<Status>();
    reply->reader(made.source, made.size_bytes);
    worker.CheckWhole(*reply);
    if (status != Status::kSuccess) return status;
    wire::FileDescriptor file;
    if (!reply->message.descriptors.empty()) {
      if (!TakesFile(worker, reply->message.descriptors.front().Get())) return Status::kUnsupported;
      file = std::move(reply->message.descriptors.front());
      made.file_descriptor = file.Get();
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    blocks_[made.token] = std::move(file);
    *block = made;
    return Status::kSuccess;
  }

  void Release(const MemoryBlock& block) override {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (blocks_.erase(block.token) == 0) return;
    }
    if (GetWorker().IsForked() || GetWorker().HasEnded()) return;
    GetWorker().Call(Function::kReleaseBlock, Writer().Put(block.token));
  }

 private:
  std::mutex mutex_;
  std::map<std::uint64_t, wire::FileDescriptor> blocks_;  // their files, if they have any
};

struct RegistryAnswers {
  std::string operator()(const wire::Message& question) {
    Reader reader(question.body);
    if (question.function == Function::kRegisterFactory) return WriteFields(AddFactory(reader));
    if (question.function == Function::kRegisterMemoryManager) {
      return WriteFields(AddManager(reader));
    }
    return WriteFields(Status::kUnsupported);
  }

  Status AddManager(Reader& reader) {
    const auto number = reader.Take<std::uint64_t>();
    if (!reader.IsAtEnd() || !numbers.Take(number)) return Status::kInvalidArgument;
    has_manager = true;
    return registry.RegisterMemoryManager(std::make_shared<IsolatedBlockManager>(worker, number));
  }

  Status AddFactory(Reader& reader) {
    const auto id = reader.Take<std::string>();
    const auto status = reader.Take<Status>();
    auto properties = reader.Take<TensorHandleFactoryProperties>();
    const auto number = reader.Take<std::uint64_t>();
    if (!reader.IsAtEnd() || !numbers.Take(number)) return Status::kInvalidArgument;
    properties.size_bytes = sizeof(properties);
    // An address there is none here. What lies in memory of both can be read all the same.
    const bool is_away = has_manager || properties.owns_memory != 0;
    if (is_away && (properties.export_sources & ToFlags(MemorySource::kMalloc)) != 0) {
      Log(kIsolationChannel, LogLevel::kInfo,
          "tensors of \"" + id +
              "\" lie in the process of their backend: they are not exported by address");
      properties.export_sources &= ~ToFlags(MemorySource::kMalloc);
    }
    const Status registered = registry.RegisterFactory(
        std::make_unique<IsolatedHandleFactory>(worker, number, id, status, properties));
    if (registered == Status::kSuccess) worker->GetObjects().factory_ids.Add(id);
    return registered;
  }

  std::shared_ptr<Worker> worker;
  GivenNumbers numbers;
  TensorHandleFactoryRegistry& registry;
  bool has_manager = false;
};

}  // namespace

Answerer AnswerForRegistry(std::shared_ptr<Worker> worker, std::uint64_t first_number,
                           TensorHandleFactoryRegistry& registry) {
  return RegistryAnswers{std::move(worker), GivenNumbers(first_number), registry};
}

}  // namespace backplane::isolation
