#pragma once

/// ONNX Runtime's C library, opened when the program runs: npm's onnxruntime-node has it, without
/// headers. Its functions stand in a table whose order never changes.

#include "raw_tensor.hpp"

#include <cstddef>
#include <deque>
#include <string>
#include <vector>

namespace backplane::bench {

/// A session with the data of its inputs.
///
/// Threads: Run by any, several at once.
class OnnxRuntimeSession {
 public:
  /// Errors: std::runtime_error with the words of the library or of the loader.
  OnnxRuntimeSession(const std::string& library, const std::string& model, int num_threads,
                     std::vector<RawTensor> inputs);

  /// Other data, as in the constructor. No thread may be in a run.
  void SetInputs(std::vector<RawTensor> inputs);
  /// One more, which an output of an earlier run is. The session takes it, and lets go of it with
  /// the other inputs.
  void AddInput(const std::string& name, void* output);

  /// The outputs of one thread, which are made in its first run and overwritten in those after.
  using Outputs = std::vector<void*>;
  Outputs MakeOutputs() const { return Outputs(output_names_.size(), nullptr); }
  void Run(Outputs& outputs) const;
  void Release(Outputs& outputs) const;

  const char* GetOutputName(std::size_t index) const { return output_names_[index]; }
  /// The elements of an output.
  const void* GetData(void* output) const;

  /// Those of one run.
  std::vector<RawTensor> GetOutputs() const;

 private:
  template <typename... Parameters, typename... Arguments>
  void Call(int function, void* (*)(Parameters...), Arguments... arguments) const;
  RawTensor ReadTensor(void* tensor, const char* name) const;

  const void* const* functions_ = nullptr;
  void* session_ = nullptr;
  void* memory_ = nullptr;
  std::vector<RawTensor> given_;
  std::deque<std::string> added_names_;
  std::vector<void*> inputs_;
  std::vector<const char*> input_names_;
  std::vector<const char*> output_names_;
};

}  // namespace backplane::bench
