/// Outputs of a run that are written where its inputs lie, on the backends that compute for real.

#include "application_tensor.hpp"
#include "support/build_tree.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>

namespace backplane::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr char kOverlapping[] = "overlaps that of another input or output";

class OverlappingMemory : public ::testing::TestWithParam<const char*> {
 protected:
  OverlappingMemory() {
    CreationOptions options;
    options.dynamic_backends_path = InBuildTree(BACKPLANE_BACKENDS_FOLDER);
    runtime_ = IRuntime::Create(options);
  }

  void Load() {
    id_ = runtime_->LoadNetwork(
        Optimize(network_.Get(), {GetParam()}, runtime_->GetDeviceSpec(), {}));
  }
  void Run(const InputTensors& inputs, const OutputTensors& outputs) {
    ExpectRun(*runtime_, id_, inputs, outputs);
  }
  /// That what is given for `subject` overlaps `other`, and may not be copied.
  void ExpectRefused(const InputTensors& inputs, const OutputTensors& outputs,
                     const std::string& subject, const std::string& other) {
    const Diagnostic refused =
        ExpectFailure(*runtime_, id_, inputs, outputs, Status::kInvalidArgument);
    EXPECT_EQ(refused.code, DiagnosticCode::kImportRefused);
    EXPECT_THAT(refused.what, HasSubstr(subject));
    EXPECT_THAT(refused.why, AllOf(HasSubstr(kOverlapping), HasSubstr(other)));
  }
  ImportedTensorId Import(BindingKind kind, LayerBindingId id, Buffer& buffer) {
    MemoryView memory;
    memory.source = MemorySource::kMalloc;
    memory.data = buffer.GetData();
    memory.size_bytes = buffer.GetSizeBytes();
    return runtime_->ImportTensor(id_, kind, id, memory);
  }

  OutputSlot Input() { return network_.Input({4}); }
  OutputSlot Double(OutputSlot x) { return network_.Add(x, x, GetParam()); }
  OutputSlot Relu(OutputSlot x) { return network_.Relu(x, GetParam()); }

  std::unique_ptr<IRuntime> runtime_;
  MemoryNetwork network_;
  NetworkId id_ = 0;
  Buffer x_{Floats{-1, 2, -3, 4}};
  Buffer y_{4};
};

TEST_P(OverlappingMemory, KeepsAnInputThatIsAnOutputToo) {
  const OutputSlot x = Input();
  network_.Output(Double(x));
  network_.Output(x);
  Load();
  Run({AsInput(0, x_)}, {AsOutput(0, x_), AsOutput(1, y_)});
  EXPECT_EQ(x_.Read(), (Floats{-2, 4, -6, 8}));
  EXPECT_EQ(y_.Read(), (Floats{-1, 2, -3, 4}));
  ExpectTransfers(runtime_->GetTransferReport(id_).inputs[0], 0, 1, 16, kOverlapping);
}

TEST_P(OverlappingMemory, KeepsAnInputOfWhichAViewIsAnOutput) {
  const OutputSlot x = Input();
  network_.Output(Double(x));
  network_.Output(network_.View(x, {2, 2}, GetParam()));
  Load();
  Run({AsInput(0, x_)}, {AsOutput(0, x_), AsOutput(1, y_)});
  EXPECT_EQ(x_.Read(), (Floats{-2, 4, -6, 8}));
  EXPECT_EQ(y_.Read(), (Floats{-1, 2, -3, 4}));
}

TEST_P(OverlappingMemory, SwapsInputs) {
  const OutputSlot a = Input();
  const OutputSlot b = Input();
  network_.Output(b);
  network_.Output(a);
  Load();
  y_.Write({5, 6, 7, 8});
  Run({AsInput(0, x_), AsInput(1, y_)}, {AsOutput(0, x_), AsOutput(1, y_)});
  EXPECT_EQ(x_.Read(), (Floats{5, 6, 7, 8}));
  EXPECT_EQ(y_.Read(), (Floats{-1, 2, -3, 4}));
}

TEST_P(OverlappingMemory, ShiftsAnInput) {
  network_.Output(Input());
  Load();
  Buffer all(Floats{1, 2, 3, 4, 5, 6});
  auto* const floats = static_cast<float*>(all.GetData());
  Run({{0, {Float({4}), floats}}}, {{0, floats + 1, 16}});
  EXPECT_EQ(all.Read(), (Floats{1, 1, 2, 3, 4, 6}));
}

TEST_P(OverlappingMemory, LeavesAnInputThatIsTheOutputThere) {
  const OutputSlot x = Input();
  network_.Output(x);
  network_.Output(Double(x));
  Load();
  Run({AsInput(0, x_)}, {AsOutput(0, x_), AsOutput(1, y_)});
  EXPECT_EQ(x_.Read(), (Floats{-1, 2, -3, 4}));
  EXPECT_EQ(y_.Read(), (Floats{-2, 4, -6, 8}));
}

TEST_P(OverlappingMemory, IsWrittenOver) {
  network_.Output(Relu(Input()));
  Load();
  for (int run = 0; run < 2; ++run) {
    x_.Write({-1, 2, -3, 4});
    Run({AsInput(0, x_)}, {AsOutput(0, x_)});
    EXPECT_EQ(x_.Read(), (Floats{0, 2, 0, 4}));
  }
}

TEST_P(OverlappingMemory, MayBeWrittenOverInPart) {
  network_.Output(Relu(Input()));
  Load();
  Buffer all(Floats(32, -1));
  auto* const floats = static_cast<float*>(all.GetData());
  std::fill_n(floats, 4, 5.0F);
  Run({{0, {Float({4}), floats}}}, {{0, floats + 2, 16}});
  const Floats found = all.Read();
  EXPECT_EQ(Floats(found.begin(), found.begin() + 7), (Floats{5, 5, 5, 5, 5, 5, -1}));
}

TEST_P(OverlappingMemory, IsLookedAtAgainWhenItIsOther) {
  const OutputSlot x = Input();
  network_.Output(Double(x));
  network_.Output(x);
  Load();
  for (const bool is_in_place : {false, true, true, false, true}) {
    x_.Write({-1, 2, -3, 4});
    Buffer other(4);
    Run({AsInput(0, x_)}, {AsOutput(0, is_in_place ? x_ : other), AsOutput(1, y_)});
    EXPECT_EQ((is_in_place ? x_ : other).Read(), (Floats{-2, 4, -6, 8}));
    EXPECT_EQ(y_.Read(), (Floats{-1, 2, -3, 4}));
  }
}

TEST_P(OverlappingMemory, IsRefusedWhenItMayNotBeCopied) {
  const OutputSlot x = Input();
  network_.Output(x);
  network_.Output(Double(x));
  Load();
  ExpectRefused({AsInput(0, x_, MemoryUse::kImport)}, {AsOutput(0, y_), AsOutput(1, x_)}, "input 0",
                "output 1");
  Buffer z(4);
  ExpectRefused({AsInput(0, x_)}, {AsOutput(0, y_), AsOutput(1, y_, MemoryUse::kImport)},
                "output 1", "output 0");
  EXPECT_EQ(x_.Read(), (Floats{-1, 2, -3, 4})) << "it did not run";
  Run({AsInput(0, x_, MemoryUse::kImport)}, {AsOutput(0, y_), AsOutput(1, z, MemoryUse::kImport)});
}

TEST_P(OverlappingMemory, OfImportedTensorsIsRefusedWhenItWouldBeCopied) {
  const OutputSlot x = Input();
  const OutputSlot y = Double(x);
  network_.Output(y);
  network_.Output(x);
  network_.Output(y);
  Load();
  Buffer z(4);
  const ImportedTensorId in = Import(BindingKind::kInput, 0, x_);
  const ImportedTensorId out = Import(BindingKind::kOutput, 0, y_);
  ExpectRefused({AsImportedInput(0, in)}, {AsOutput(0, x_), AsOutput(1, y_), AsOutput(2, z)},
                "input 0", "output 0");
  ExpectRefused({AsInput(0, x_)}, {AsImportedOutput(0, out), AsOutput(1, y_), AsOutput(2, z)},
                "output 0", "output 1");
  Buffer w(4);
  Run({AsImportedInput(0, in)}, {AsImportedOutput(0, out), AsOutput(1, z), AsOutput(2, w)});
  EXPECT_EQ(y_.Read(), (Floats{-2, 4, -6, 8}));
  EXPECT_EQ(z.Read(), (Floats{-1, 2, -3, 4}));
  EXPECT_EQ(w.Read(), (Floats{-2, 4, -6, 8}));
}

/// A network without cycles, of layers drawn at random.
class RandomNetwork {
 public:
  RandomNetwork(MemoryNetwork& network, const char* backend, std::mt19937& random)
      : network_(network), backend_(backend), random_(random) {
    const std::size_t num_inputs = 1 + Draw(4);
    for (std::size_t i = 0; i < num_inputs; ++i) {
      inputs.push_back(TensorShape{Draw(2) == 0 ? 8 : 16});
      tensors_.push_back({network.Input(inputs.back()), inputs.back()});
    }
    const std::size_t num_layers = Draw(7);
    for (std::size_t i = 0; i < num_layers; ++i) AddAny();
    const std::size_t num_outputs = 1 + Draw(4);
    for (std::size_t i = 0; i < num_outputs; ++i) {
      const Tensor& tensor = tensors_[Draw(tensors_.size())];
      network.Output(tensor.slot);
      outputs.push_back(tensor.shape);
    }
  }

  std::vector<TensorShape> inputs;
  std::vector<TensorShape> outputs;

 private:
  struct Tensor {
    OutputSlot slot;
    TensorShape shape;
  };

  std::size_t Draw(std::size_t count) { return random_() % count; }

  void AddAny() {
    const Tensor a = tensors_[Draw(tensors_.size())];
    const Tensor b = tensors_[Draw(tensors_.size())];
    const std::size_t kind = Draw(5);
    if (kind == 0) {
      tensors_.push_back({network_.Relu(a.slot, backend_), a.shape});
    } else if (kind == 1 && a.shape == b.shape) {
      tensors_.push_back({network_.Add(a.slot, b.slot, backend_), a.shape});
    } else if (kind == 2 && a.shape == b.shape && a.shape == TensorShape{8}) {
      tensors_.push_back({network_.Concat({a.slot, b.slot}, backend_), TensorShape{16}});
    } else if (kind == 3 && a.shape == TensorShape{16}) {
      const std::vector<OutputSlot> halves = network_.Halve(a.slot, backend_);
      for (const OutputSlot half : halves) tensors_.push_back({half, TensorShape{8}});
    } else if (kind == 4) {
      const TensorShape shape{2, a.shape.GetNumElements() / 2};
      tensors_.push_back({network_.View(a.slot, shape, backend_), shape});
    } else {
      tensors_.push_back({network_.Add(a.slot, a.slot, backend_), a.shape});
    }
  }

  MemoryNetwork& network_;
  const char* const backend_;
  std::mt19937& random_;
  std::vector<Tensor> tensors_;
};

/// One run of a network whose inputs and outputs lie in one block, wherever.
class RandomBinding {
 public:
  static constexpr std::size_t kBlock = 96;

  RandomBinding(const RandomNetwork& network, std::mt19937& random)
      : network_(network), random_(random) {
    for (const TensorShape& shape : network.inputs) inputs_.push_back(Place(shape));
    for (const TensorShape& shape : network.outputs) outputs_.push_back(Place(shape));
  }

  /// Runs it with memory for each tensor, and gives what the block must hold afterwards.
  Floats FindExpected(IRuntime& runtime, NetworkId id, const Floats& block) const {
    std::vector<Buffer> buffers;
    InputTensors inputs;
    OutputTensors outputs;
    for (const Placed& input : inputs_) {
      buffers.emplace_back(Floats(block.begin() + input.begin, block.begin() + input.GetEnd()));
      inputs.push_back(
          AsInput(static_cast<LayerBindingId>(inputs.size()), buffers.back(), input.shape));
    }
    for (const Placed& output : outputs_) {
      buffers.emplace_back(static_cast<std::size_t>(output.shape.GetNumElements()));
      outputs.push_back(AsOutput(static_cast<LayerBindingId>(outputs.size()), buffers.back()));
    }
    ExpectRun(runtime, id, inputs, outputs);
    Floats expected = block;
    // Given outputs are written when the run ends where others lie.
    for (const bool is_imported : {true, false}) {
      for (std::size_t i = 0; i < outputs_.size(); ++i) {
        if (outputs_[i].is_imported != is_imported) continue;
        const Floats result = buffers[inputs_.size() + i].Read();
        std::copy(result.begin(), result.end(), expected.begin() + outputs_[i].begin);
      }
    }
    return expected;
  }

  /// Whether it ran: what may not be copied can be refused.
  bool Run(IRuntime& runtime, NetworkId id, Buffer& block) {
    InputTensors inputs;
    OutputTensors outputs;
    std::vector<ImportedTensorId> imported;
    const auto import = [&](BindingKind kind, std::size_t number, const Placed& placed) {
      MemoryView memory;
      memory.source = MemorySource::kMalloc;
      memory.data = static_cast<float*>(block.GetData()) + placed.begin;
      memory.size_bytes = static_cast<std::uint64_t>(placed.shape.GetNumElements()) * sizeof(float);
      imported.push_back(
          runtime.ImportTensor(id, kind, static_cast<LayerBindingId>(number), memory));
      return imported.back();
    };
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const Placed& placed = inputs_[i];
      InputTensor input{static_cast<LayerBindingId>(i),
                        {Float(placed.shape), static_cast<float*>(block.GetData()) + placed.begin},
                        placed.use};
      if (placed.is_imported) input.imported = import(BindingKind::kInput, i, placed);
      inputs.push_back(input);
    }
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      const Placed& placed = outputs_[i];
      OutputTensor output{
          static_cast<LayerBindingId>(i), static_cast<float*>(block.GetData()) + placed.begin,
          static_cast<std::uint64_t>(placed.shape.GetNumElements()) * sizeof(float), placed.use};
      if (placed.is_imported) output.imported = import(BindingKind::kOutput, i, placed);
      outputs.push_back(output);
    }
    std::optional<Diagnostic> failure;
    const Status status = runtime.EnqueueWorkload(id, inputs, outputs, &failure);
    for (const ImportedTensorId one : imported) runtime.ReleaseImportedTensor(id, one);
    if (status == Status::kSuccess) return true;
    EXPECT_EQ(failure->code, DiagnosticCode::kImportRefused) << ToText(*failure);
    return false;
  }

  /// Gives some tensors as imported ones, where the network has that.
  void ImportSome(IRuntime& runtime, NetworkId id) {
    Buffer room(kBlock);
    for (std::vector<Placed>* const placed : {&inputs_, &outputs_}) {
      const BindingKind kind = placed == &inputs_ ? BindingKind::kInput : BindingKind::kOutput;
      for (std::size_t i = 0; i < placed->size(); ++i) {
        Placed& one = (*placed)[i];
        if (random_() % 4 != 0 || one.begin % 16 != 0) continue;
        MemoryView memory;
        memory.source = MemorySource::kMalloc;
        memory.data = room.GetData();
        memory.size_bytes = static_cast<std::uint64_t>(one.shape.GetNumElements()) * sizeof(float);
        try {
          runtime.ReleaseImportedTensor(
              id, runtime.ImportTensor(id, kind, static_cast<LayerBindingId>(i), memory));
          one.is_imported = true;
        } catch (const DiagnosticException&) {
          // It is always copied.
        }
      }
    }
  }

 private:
  struct Placed {
    TensorShape shape;
    std::ptrdiff_t begin = 0;  // floats
    MemoryUse use = MemoryUse::kImportElseCopy;
    bool is_imported = false;
    std::ptrdiff_t GetEnd() const { return begin + shape.GetNumElements(); }
  };

  Placed Place(const TensorShape& shape) {
    Placed placed{shape};
    placed.begin = random_() % 4 != 0 ? 16 * static_cast<std::ptrdiff_t>(random_() % 4)
                                      : static_cast<std::ptrdiff_t>(random_() % 80);
    const auto use = random_() % 8;
    if (use == 0) placed.use = MemoryUse::kCopy;
    if (use == 1) placed.use = MemoryUse::kImport;
    return placed;
  }

  const RandomNetwork& network_;
  std::mt19937& random_;
  std::vector<Placed> inputs_;
  std::vector<Placed> outputs_;
};

TEST_P(OverlappingMemory, GivesWhatSeparateMemoryGives) {
  std::mt19937 random(7);
  int num_runs = 0;
  for (int round = 0; round < 150; ++round) {
    MemoryNetwork network("round " + std::to_string(round));
    const RandomNetwork drawn(network, GetParam(), random);
    const NetworkId id =
        runtime_->LoadNetwork(Optimize(network.Get(), {GetParam()}, runtime_->GetDeviceSpec(), {}));
    for (int binding = 0; binding < 12; ++binding) {
      RandomBinding bound(drawn, random);
      if (binding % 3 == 0) bound.ImportSome(*runtime_, id);
      for (int run = 0; run < 2; ++run) {
        Floats values(RandomBinding::kBlock);
        for (float& value : values) value = static_cast<float>(random() % 100) - 50;
        Buffer block(values);
        const Floats expected = bound.FindExpected(*runtime_, id, values);
        if (!bound.Run(*runtime_, id, block)) continue;
        ++num_runs;
        ASSERT_EQ(block.Read(), expected) << "round " << round << ", binding " << binding;
      }
    }
    runtime_->UnloadNetwork(id);
  }
  EXPECT_GT(num_runs, 1500);
}

#ifdef BACKPLANE_HAS_CPUACC
INSTANTIATE_TEST_SUITE_P(Backends, OverlappingMemory, ::testing::Values("CpuRef", "CpuAcc"),
                         [](const auto& test) { return std::string(test.param); });
#else
INSTANTIATE_TEST_SUITE_P(Backends, OverlappingMemory, ::testing::Values("CpuRef"),
                         [](const auto& test) { return std::string(test.param); });
#endif

}  // namespace
}  // namespace backplane::test
