#pragma once

/// Whole networks on the backend, through a runtime as an application has it.

#include "conformance/difference.hpp"
#include "conformance/typed_tensor.hpp"

#include <backplane/runtime/i_runtime.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace backplane::check_backend {

class Session;

/// A runtime whose backends are the file under test, and CpuRef unless the file gives that.
class TestRuntime {
 public:
  /// Errors: DiagnosticException; CannotCheck.
  TestRuntime(const Session& session, const std::string& backend_id);
  ~TestRuntime();
  TestRuntime(const TestRuntime&) = delete;
  TestRuntime& operator=(const TestRuntime&) = delete;

  IRuntime& Get() const { return *runtime_; }
  /// Whether networks can be mixed with CpuRef.
  bool HasReference() const { return has_reference_; }

 private:
  bool has_reference_;
  std::unique_ptr<IRuntime> runtime_;
};

/// The result of one run.
struct NetworkRun {
  Status status = Status::kSuccess;
  std::optional<Diagnostic> failure;
  std::vector<conformance::StoredTensor> outputs;
};

/// Runs a loaded network once. Outputs, which are like `outputs`, are filled with what no layer
/// gives before.
NetworkRun RunLoaded(IRuntime& runtime, NetworkId network, const std::vector<TensorInfo>& outputs,
                     const std::vector<conformance::StoredTensor>& inputs);

/// Loads a network, runs it as RunLoaded does, and unloads it.
/// Errors: DiagnosticException when it cannot be loaded.
NetworkRun RunOnce(IRuntime& runtime, const std::shared_ptr<const IOptimizedNetwork>& network,
                   const std::vector<conformance::StoredTensor>& inputs);

/// Compares the outputs of a run with these numbers: "output 1, element 2: ..."; "" when all is
/// right.
std::string FindWrongRun(const NetworkRun& found,
                         const std::vector<std::vector<long double>>& expected,
                         const conformance::Tolerance& tolerance);

/// The same with those of another run.
std::string FindWrongRun(const NetworkRun& found, const NetworkRun& expected,
                         const conformance::Tolerance& tolerance);

}  // namespace backplane::check_backend
