#pragma once

/// What a run is given: memory of the application, and how it was used.

#include <backplane/api/tensor_info.hpp>
#include <backplane/runtime/i_network.hpp>
#include <backplane/runtime/stage_value.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace backplane {

/// Whether memory of the application is used as it is, or copied.
enum class MemoryUse {
  kImportElseCopy,  // as it is when it fits, else copied; the TransferReport says how often and why
  kImport,          // as it is, or the run fails and says why
  kCopy,            // copied
};

/// Memory of the application, prepared by IRuntime::ImportTensor.
using ImportedTensorId = std::uint64_t;

/// Stands for "no imported tensor".
constexpr ImportedTensorId kNotImported = 0;

/// Data for one input: either `tensor`, whose info must equal that of the network, or `imported`,
/// or `value` where the network takes a sequence or an optional (NetworkBinding::is_sequence,
/// is_optional). An optional with a tensor may be given as `tensor` too.
/// Ownership: the data stays the caller's, and must not change until the call returns; that of
/// `value`, not while anybody else has it, as results may share it.
struct InputTensor {
  LayerBindingId id = 0;
  ConstTensor tensor;
  MemoryUse use = MemoryUse::kImportElseCopy;
  ImportedTensorId imported = kNotImported;
  const StageValue* value = nullptr;  // null: a tensor is given. Since: 0.1
  /// The shape of the memory in which `tensor` lies, at its beginning, where that is larger: no
  /// extent is less than the tensor's. Rank 0: the tensor is dense. Since: 0.1
  TensorShape memory_shape = {};
};

/// What a run says of an output.
struct ResultTensor {
  TensorInfo info;
  std::shared_ptr<void> data;  // memory of the runtime, where no room was given
  /// What the output is, where the network gives a sequence or an optional; it may be given to
  /// another run as it is. Of an optional that is a tensor, `info` and `data` tell it too; where
  /// room was given, the data are there. Since: 0.1
  StageValue value;
};

/// Room for one output: either `data`, where size_bytes must be the output's size exactly, or
/// `imported`.
/// Ownership: the memory stays the caller's, and nobody else may use it until the call returns. It
/// may overlap that of inputs or of other outputs: the results are those of separate memory, and
/// where outputs overlap, those given later are written later. One of the two is then copied, or
/// with MemoryUse::kImport and for imported tensors refused (kImportRefused). That an address lies
/// in a file that is imported beside it is not seen.
///
/// With `result`, which the run writes to when it succeeds, `data` may be null: the runtime
/// allocates memory, which goes with its last pointer. Room that is given may then be larger than
/// the output, which lies at its beginning. Shapes that are known only when the run ends are told
/// so. Sequences need a `result` and no room; optionals need a `result`, and their room stays as it
/// is when they are nothing.
///
/// A cache grows without being copied where its input and its output are given one memory, with one
/// `memory_shape`: where the network appends to it, as by Concat(past, new), and the backend that
/// computes the whole network writes in place, only the new part is written. An output whose shape
/// is that of its input may be given the memory of the input too, and is then computed there, where
/// that backend says that it can. TransferReport tells what was copied.
struct OutputTensor {
  LayerBindingId id = 0;
  void* data = nullptr;
  std::uint64_t size_bytes = 0;
  MemoryUse use = MemoryUse::kImportElseCopy;
  ImportedTensorId imported = kNotImported;
  ResultTensor* result = nullptr;  // Since: 0.1
  /// The shape of the memory at `data`, of `size_bytes`, at whose beginning the output is put: no
  /// extent is less than the output's. What lies around it there stays as it was. Rank 0: the
  /// output is dense. Needs `data` and a `result`, which has no data then. Since: 0.1
  TensorShape memory_shape = {};
};

enum class BindingKind { kInput, kOutput };

/// How the runs of a network until now have got one input or output.
struct BindingTransfers {
  LayerBindingId id = 0;
  std::string name;
  std::uint64_t imported_runs = 0;  // that used the application's memory
  std::uint64_t copied_runs = 0;
  std::uint64_t copied_bytes = 0;
  std::string reason;  // why the last copy was made; "" when there was none
};

/// How memory of the application was used by the runs until now.
struct TransferReport {
  std::vector<BindingTransfers> inputs;
  std::vector<BindingTransfers> outputs;
};

using InputTensors = std::vector<InputTensor>;
using OutputTensors = std::vector<OutputTensor>;

}  // namespace backplane
