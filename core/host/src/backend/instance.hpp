// One start of a backend, and for what its functions are called.
#pragma once

#include "backend/failure.hpp"

#include <backplane/c/backend.h>
#include <backplane/api/backend_options.hpp>
#include <backplane/api/c_values.hpp>
#include <backplane/api/i_backend_context.hpp>
#include <backplane/api/i_logger.hpp>

#include <memory>
#include <string>

namespace backplane::backend {

/// A table and what its `start` gave. What is made from it shares it: it stops when the last of
/// them is gone, before its library is closed.
class Instance {
 public:
  /// Starts it.
  /// Errors: DiagnosticException with kBackendThrew, kBackendUnavailable or the like.
  Instance(const bp_backend& table, std::string id, std::shared_ptr<ILogger> logger,
           std::shared_ptr<const void> library);
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  const bp_backend* operator->() const { return &table_; }
  bp_instance* Get() const { return instance_; }
  const std::string& GetId() const { return id_; }
  ILogger* GetLogger() const { return logger_.get(); }

  void Require(const char* function, bp_status status, const bp_error& error) const {
    backend::Require(id_, function, status, error);
  }
  Status Answer(const char* function, bp_status status, const bp_error& error) const {
    return backend::Answer(id_, function, status, error);
  }

 private:
  std::shared_ptr<const void> library_;  // declared first: released last
  std::shared_ptr<ILogger> logger_;
  std::string id_;
  bp_backend table_;
  bp_instance* instance_ = nullptr;
};

using InstanceShare = std::shared_ptr<const Instance>;

class TableContext final : public IBackendContext {
 public:
  TableContext(InstanceShare instance, std::shared_ptr<bp_allocator> allocator)
      : instance_(std::move(instance)), allocator_(std::move(allocator)) {}
  ~TableContext() override;
  Status OnNetworkEvent(const NetworkEvent& event) override;
  void Set(bp_context* context) { context_ = context; }
  bp_context* Get() const { return context_; }

 private:
  InstanceShare instance_;
  std::shared_ptr<bp_allocator> allocator_;
  bp_context* context_ = nullptr;
};

class TableModel final : public IBackendModelContext {
 public:
  TableModel(InstanceShare instance, bp_model* model)
      : instance_(std::move(instance)), model_(model) {}
  ~TableModel() override;
  bp_model* Get() const { return model_; }

 private:
  InstanceShare instance_;
  bp_model* model_;
};

/// For what a call is made: a bp_scope with what it points to.
class Scope {
 public:
  /// `context` and `model` stay as long as this. Null: `logger`, for that of the instance; all
  /// else, for none.
  Scope(const Instance& instance, ILogger* logger, IBackendContext* context,
        std::shared_ptr<const IBackendModelContext> model, const BackendOptions* options);
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  const bp_scope* Get() const { return &scope_; }
  bp_scope_args MakeArgs() const;

 private:
  bp_scope scope_;
  std::shared_ptr<const IBackendModelContext> model_;
  BackendOptions options_;
  c_form::CValues values_;
};

}  // namespace backplane::backend
