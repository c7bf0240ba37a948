/// Imported tensors while a run uses them.

#include "runtime/runtime_fixture.hpp"

#include <future>
#include <thread>

namespace backplane {
namespace {

using Floats = std::vector<float>;

class ImportedTensorsInUse : public RuntimeFixture {
 protected:
  ImportedTensorsInUse() {
    id_ = Load(*MakeChain({"one"}), {"A"});
    in_ = Import(BindingKind::kInput, x_);
    out_ = Import(BindingKind::kOutput, y_);
  }

  struct alignas(64) Tensor {
    float values[4];
  };

  ImportedTensorId Import(BindingKind kind, Tensor& tensor) {
    MemoryView memory;
    memory.source = MemorySource::kMalloc;
    memory.data = tensor.values;
    memory.size_bytes = sizeof(tensor.values);
    return runtime_->ImportTensor(id_, kind, 0, memory);
  }

  static InputTensor AsInput(ImportedTensorId imported) {
    InputTensor input;
    input.imported = imported;
    return input;
  }
  static OutputTensor AsOutput(ImportedTensorId imported) {
    OutputTensor output;
    output.imported = imported;
    return output;
  }

  DiagnosticCode FailToRun(const InputTensor& input, const OutputTensor& output) {
    std::optional<Diagnostic> failure;
    EXPECT_EQ(runtime_->EnqueueWorkload(id_, {input}, {output}, &failure), Status::kNotFound);
    return failure ? failure->code : DiagnosticCode{};
  }

  /// Does `action` while another run uses both imported tensors.
  template <typename Action>
  void DoDuringARun(const Action& action) {
    std::promise<void> has_begun;
    std::promise<void> may_end;
    a_->on_execute = [&, is_first = true](const ExecuteArgs& /*args*/) mutable {
      if (!std::exchange(is_first, false)) return;
      has_begun.set_value();
      may_end.get_future().wait();
    };
    Status status = Status::kFailure;
    std::thread other(
        [&] { status = runtime_->EnqueueWorkload(id_, {AsInput(in_)}, {AsOutput(out_)}); });
    has_begun.get_future().wait();
    action();
    may_end.set_value();
    other.join();
    EXPECT_EQ(status, Status::kSuccess);
    EXPECT_EQ(Floats(y_.values, y_.values + 4), (Floats{2, 3, 4, 5}));
    a_->on_execute = nullptr;
  }

  NetworkId id_ = 0;
  Tensor x_{{1, 2, 3, 4}};
  Tensor y_{{0, 0, 0, 0}};
  ImportedTensorId in_ = kNotImported;
  ImportedTensorId out_ = kNotImported;
};

TEST_F(ImportedTensorsInUse, AreRefusedToOtherRuns) {
  Floats output(4);
  DoDuringARun([&] {
    EXPECT_EQ(FailToRun(AsInput(in_), MakeOutput(0, output)),
              DiagnosticCode::kUnknownImportedTensor);
    EXPECT_EQ(FailToRun(MakeInput(0, input_), AsOutput(out_)),
              DiagnosticCode::kUnknownImportedTensor);
    EXPECT_EQ(RunChain(id_), (Floats{1, 2, 3, 4})) << "a run with other memory goes on";
  });
  EXPECT_EQ(runtime_->EnqueueWorkload(id_, {AsInput(in_)}, {AsOutput(out_)}), Status::kSuccess);
}

TEST_F(ImportedTensorsInUse, AreNotReleased) {
  DoDuringARun([&] {
    EXPECT_EQ(CatchDiagnostic([&] { runtime_->ReleaseImportedTensor(id_, in_); }).code,
              DiagnosticCode::kUnknownImportedTensor);
  });
  EXPECT_EQ(runtime_->EnqueueWorkload(id_, {AsInput(in_)}, {AsOutput(out_)}), Status::kSuccess);
  EXPECT_NO_THROW(runtime_->ReleaseImportedTensor(id_, in_));
}

// A workload that fails or throws, and a run that is refused half-way, give them back.
TEST_F(ImportedTensorsInUse, AreFreeAgainHoweverTheRunEnds) {
  for (const FailureKind kind : {FailureKind::kRefuse, FailureKind::kThrow}) {
    a_->failures[CallPoint::kExecute] = kind;
    EXPECT_NE(runtime_->EnqueueWorkload(id_, {AsInput(in_)}, {AsOutput(out_)}), Status::kSuccess);
    a_->failures.clear();
    EXPECT_EQ(runtime_->EnqueueWorkload(id_, {AsInput(in_)}, {AsOutput(out_)}), Status::kSuccess);
  }
  EXPECT_EQ(FailToRun(AsInput(in_), AsOutput(out_ + 1)), DiagnosticCode::kUnknownImportedTensor);
  EXPECT_EQ(runtime_->EnqueueWorkload(id_, {AsInput(in_)}, {AsOutput(out_)}), Status::kSuccess);
  EXPECT_EQ(RunChain(id_), (Floats{1, 2, 3, 4}));
}

}  // namespace
}  // namespace backplane
