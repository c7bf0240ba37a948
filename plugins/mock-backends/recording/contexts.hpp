#pragma once

/// What the recording mock keeps for a runtime and for a network.

#include "recorder.hpp"

namespace recording_mock {

class Context final : public backplane::IBackendContext {
 public:
  explicit Context(const Failure& failure) : failure_(failure) {}
  ~Context() override { Record("~Context"); }

  backplane::Status OnNetworkEvent(const backplane::NetworkEvent& event) override {
    const std::string call = GetName(event.kind);
    const bool is_good = event.outcome == backplane::Status::kSuccess;
    Record(call + " " + std::to_string(event.network_id) + (is_good ? "" : " failed"));
    return failure_.IsAt(call) ? backplane::Status::kBusy : backplane::Status::kSuccess;
  }

 private:
  static const char* GetName(backplane::NetworkEventKind kind) {
    switch (kind) {
      case backplane::NetworkEventKind::kBeforeLoad:
        return "BeforeLoad";
      case backplane::NetworkEventKind::kAfterLoad:
        return "AfterLoad";
      case backplane::NetworkEventKind::kBeforeUnload:
        return "BeforeUnload";
      case backplane::NetworkEventKind::kAfterUnload:
        return "AfterUnload";
    }
    return "OnNetworkEvent";
  }

  Failure failure_;
};

class ModelContext final : public backplane::IBackendModelContext {
 public:
  ModelContext() { Record("ModelContext"); }
  ~ModelContext() override { Record("~ModelContext"); }
};

}  // namespace recording_mock
