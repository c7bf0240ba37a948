#pragma once

/// What the recording mock keeps for a runtime and for a network.

#include "recorder.hpp"

namespace recording_mock {

class Context final : public backplane::IBackendContext {
 public:
  explicit Context(const Failure& failure) : failure_(failure) {}
  ~Context() override { Record("~Context"); }

  backplane::Status BeforeLoadNetwork(const backplane::NetworkEvent& event) override {
    return Tell("BeforeLoadNetwork", event);
  }
  backplane::Status AfterLoadNetwork(const backplane::NetworkEvent& event) override {
    return Tell("AfterLoadNetwork", event);
  }
  backplane::Status BeforeUnloadNetwork(const backplane::NetworkEvent& event) override {
    return Tell("BeforeUnloadNetwork", event);
  }
  backplane::Status AfterUnloadNetwork(const backplane::NetworkEvent& event) override {
    return Tell("AfterUnloadNetwork", event);
  }

 private:
  backplane::Status Tell(const std::string& call, const backplane::NetworkEvent& event) {
    const bool is_good = event.outcome == backplane::Status::kSuccess;
    Record(call + " " + std::to_string(event.network_id) + (is_good ? "" : " failed"));
    return failure_.IsAt(call) ? backplane::Status::kBusy : backplane::Status::kSuccess;
  }

  Failure failure_;
};

class ModelContext final : public backplane::IBackendModelContext {
 public:
  ModelContext() { Record("ModelContext"); }
  ~ModelContext() override { Record("~ModelContext"); }
};

}  // namespace recording_mock
