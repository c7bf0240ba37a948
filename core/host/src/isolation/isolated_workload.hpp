// Workloads of a backend in another process, what makes them, and constants that they are made of.
#pragma once

#include "isolation/remote_object.hpp"

#include <backplane/api/i_workload_factory.hpp>

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace backplane::isolation {

/// Constants, where a backend in another process can read them, as they were asked for.
struct SharedConstants {
  Worker::Areas areas;  // in which they lie; null: no constant, or one without content
  std::vector<std::optional<serving::ConstantPlace>> places;
};

/// Has constants lie where others can read them: those that do not lie in an area are copied into
/// new ones that others can only read. Null stands for no constant.
/// Errors: as SharedArea::Make.
SharedConstants ShareConstants(const std::vector<const ConstTensor*>& constants);

/// A workload of the other process, as far as this side knows it.
struct RemoteWorkload {
  const IWorkload* self = nullptr;  // the object that stands for it
  std::uint64_t id = 0;
  std::uint32_t number = 0;  // among those of its factory
  std::uint32_t num_inputs = 0;
  std::uint32_t num_outputs = 0;
  std::vector<std::uint8_t> is_own;  // for inputs and outputs: 1 for handles of the same backend
  SharedConstants constants;         // for inputs
  std::string name;                  // of its layer, as words
};

class IsolatedPreCompiledObject final : public IPreCompiledObject {
 public:
  /// `constants` stay as long: it may have been made of them.
  IsolatedPreCompiledObject(std::shared_ptr<Worker> worker, std::uint64_t id,
                            std::shared_ptr<const void> constants)
      : constants_(std::move(constants)), object_(std::move(worker), id) {}
  const RemoteObject& GetObject() const { return object_; }
  std::shared_ptr<const IPreCompiledObject> Resize(const ResizeArgs& args) const override;

 private:
  std::shared_ptr<const void> constants_;
  RemoteObject object_;
};

class IsolatedWorkloadFactory final : public IWorkloadFactory {
 public:
  /// `model_context` stays as long.
  IsolatedWorkloadFactory(std::shared_ptr<Worker> worker, std::uint64_t id,
                          std::shared_ptr<const IBackendModelContext> model_context)
      : model_context_(std::move(model_context)), object_(std::move(worker), id) {}

  std::unique_ptr<IWorkload> CreateWorkload(const WorkloadArgs& args) override;
  std::unique_ptr<IExecutionState> CreateExecutionState() override;
  std::uint64_t GetConstantBytes() const override {
    return object_.Ask<std::uint64_t>(wire::Function::kGetConstantBytes);
  }

 private:
  std::shared_ptr<const IBackendModelContext> model_context_;
  RemoteObject object_;
  std::mutex mutex_;
  std::vector<std::weak_ptr<const RemoteWorkload>> workloads_;
};

}  // namespace backplane::isolation
