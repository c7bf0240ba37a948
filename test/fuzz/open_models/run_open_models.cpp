/// Runs the models of open_models.py on some backends of this build.
///   run_open_models NAME BACKEND[,BACKEND...] [apart]
/// Reads the path of a case's folder from each line of its input, and answers with a line when the
/// case has run. A crash therefore belongs to the last folder. With "apart", each run has a network
/// that is loaded for it, and memory of its own for each output. Exit status 1: there is no such
/// backend. In a folder:
///   model.onnx         the model
///   case.txt           "runs N"; "close INPUT EXTENTxEXTENT", which gives the shape at import;
///                      "room RUN OUTPUT INPUT BYTES": the output lies in the memory of that input,
///                      from so many bytes behind its beginning (or before it) on
///   run_0/x.pb         input x of the first run
///   run_0/NAME/y.pb    output y, which is written
/// What is refused has its reason in NAME.txt, in the folder of the run or of the case.

#include <backplane/onnx/import_model.hpp>
#include <backplane/runtime/i_runtime.hpp>

#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace backplane::fuzz {
namespace {

namespace fs = std::filesystem;

/// Memory of the application that an input lies in, with room before and behind it.
constexpr std::size_t kBytesBefore = 4096;
struct Block {
  alignas(kBytesBefore) unsigned char bytes[std::size_t{1} << 18] = {};
  unsigned char* GetInput() { return bytes + kBytesBefore; }
};

struct Room {
  std::string input;
  std::int64_t offset_bytes = 0;
};

struct Case {
  fs::path folder;
  int num_runs = 0;
  onnx::ImportOptions import_options;
  std::map<int, std::map<std::string, Room>> rooms;  // by run and output
};

TensorShape ParseShape(const std::string& text) {
  TensorShape shape;
  std::istringstream words(text);
  for (std::string extent; std::getline(words, extent, 'x');) shape.Append(std::stoll(extent));
  return shape;
}

Case ReadCase(const fs::path& folder) {
  Case result;
  result.folder = folder;
  std::ifstream file(folder / "case.txt");
  for (std::string word; file >> word;) {
    std::string name, text;
    if (word == "runs") {
      file >> result.num_runs;
    } else if (word == "close") {
      file >> name >> text;
      result.import_options.input_shapes[name] = ParseShape(text);
    } else if (word == "room") {
      int run = 0;
      Room room;
      file >> run >> name >> room.input >> room.offset_bytes;
      result.rooms[run][name] = room;
    } else {
      throw std::runtime_error(folder.string() + "/case.txt: unknown word " + word);
    }
  }
  return result;
}

onnx::ValueForm GetForm(const NetworkBinding& binding) {
  return {binding.is_sequence, binding.is_optional};
}

void WriteText(const fs::path& path, const std::string& text) {
  std::ofstream(path) << text << "\n";
}

/// One loaded case. Its memory stays where it is from run to run.
class LoadedCase {
 public:
  LoadedCase(IRuntime& runtime, const Case& what, onnx::ImportedModel model,
             const std::vector<std::string>& backends)
      : runtime_(runtime),
        case_(what),
        is_open_(model.is_open),
        network_(Optimize(std::move(model.network), backends, runtime.GetDeviceSpec())) {
    id_ = runtime_.LoadNetwork(network_);
    for (const NetworkBinding& input : network_->GetInputs()) {
      blocks_[input.name] = std::make_unique<Block>();
    }
  }
  ~LoadedCase() { runtime_.UnloadNetwork(id_); }
  LoadedCase(const LoadedCase&) = delete;
  LoadedCase& operator=(const LoadedCase&) = delete;

  void Run(int run, const std::string& name) {
    const fs::path folder = case_.folder / ("run_" + std::to_string(run));
    const InputTensors inputs = Give(folder);
    results_.assign(network_->GetOutputs().size(), {});
    const OutputTensors outputs = Want(run);
    std::optional<Diagnostic> failure;
    if (runtime_.EnqueueWorkload(id_, inputs, outputs, &failure) != Status::kSuccess) {
      WriteText(folder / (name + ".txt"), failure ? ToText(*failure) : "no reason was told");
      return;
    }
    fs::create_directories(folder / name);
    for (const NetworkBinding& output : network_->GetOutputs()) {
      Write(output, outputs[output.id], folder / name / (output.name + ".pb"));
    }
    CheckInputs(run);
  }

 private:
  InputTensors Give(const fs::path& folder) {
    InputTensors inputs;
    for (const NetworkBinding& input : network_->GetInputs()) {
      StageValue& value = values_[input.name];
      value = onnx::ReadValueFile((folder / (input.name + ".pb")).string(), GetForm(input));
      InputTensor given;
      given.id = input.id;
      if (input.IsTensor()) {
        given.tensor = {value.info, blocks_[input.name]->GetInput()};
        if (value.info.GetSizeBytes() > sizeof(Block) - 2 * kBytesBefore) {
          throw std::runtime_error("input " + input.name + " is too large");
        }
        if (value.data != nullptr) {
          std::memcpy(blocks_[input.name]->GetInput(), value.data.get(), value.info.GetSizeBytes());
        }
      } else {
        given.value = &value;
      }
      inputs.push_back(given);
    }
    return inputs;
  }

  /// Where all is known before, each output has room and no result.
  OutputTensors Want(int run) {
    OutputTensors outputs;
    for (const NetworkBinding& binding : network_->GetOutputs()) {
      OutputTensor output;
      output.id = binding.id;
      output.result = &results_[binding.id];
      const auto room = case_.rooms[run].find(binding.name);
      if (room != case_.rooms[run].end()) {
        Block& block = *blocks_.at(room->second.input);
        const std::size_t begin = kBytesBefore + room->second.offset_bytes;
        output.data = block.bytes + begin;
        output.size_bytes = sizeof(block.bytes) - begin;
      }
      if (!is_open_) {
        output.size_bytes = binding.info.GetSizeBytes();
        output.result = nullptr;
        results_[binding.id].info = binding.info;
        std::vector<unsigned char>& own = own_[binding.name];
        own.resize(output.size_bytes + 1);
        if (output.data == nullptr) output.data = own.data();
      }
      outputs.push_back(output);
    }
    return outputs;
  }

  void Write(const NetworkBinding& binding, const OutputTensor& output, const fs::path& path) {
    const ResultTensor& result = results_[binding.id];
    StageValue value = result.value;
    if (binding.IsTensor()) {
      std::shared_ptr<const void> data = result.data;
      if (output.data != nullptr) data = {data, output.data};
      value = MakeStageTensor(result.info, std::move(data));
    }
    onnx::WriteValueFile(path.string(), binding.name, value, GetForm(binding));
  }

  /// Inputs that no output lies upon are as they were.
  void CheckInputs(int run) {
    for (const NetworkBinding& input : network_->GetInputs()) {
      bool is_written = !input.IsTensor();
      for (const auto& [output, room] : case_.rooms[run]) is_written |= room.input == input.name;
      const StageValue& value = values_[input.name];
      if (is_written || value.data == nullptr) continue;
      if (std::memcmp(blocks_[input.name]->GetInput(), value.data.get(),
                      value.info.GetSizeBytes()) != 0) {
        throw std::runtime_error("the run changed input " + input.name);
      }
    }
  }

  IRuntime& runtime_;
  Case case_;
  bool is_open_;
  std::shared_ptr<const IOptimizedNetwork> network_;
  NetworkId id_ = 0;
  std::map<std::string, std::unique_ptr<Block>> blocks_;
  std::map<std::string, StageValue> values_;
  std::vector<ResultTensor> results_;
  std::map<std::string, std::vector<unsigned char>> own_;  // of outputs that lie in no input
};

struct Options {
  std::string name;
  std::vector<std::string> backends;
  bool is_apart = false;
};

void RunCase(IRuntime& runtime, const std::string& folder, const Options& options) {
  Case what = ReadCase(folder);
  if (options.is_apart) what.rooms.clear();
  try {
    const std::string model = (what.folder / "model.onnx").string();
    for (int run = 0; run < what.num_runs;) {
      LoadedCase loaded(runtime, what, onnx::ImportModel(model, what.import_options),
                        options.backends);
      do {
        loaded.Run(run, options.name);
      } while (++run < what.num_runs && !options.is_apart);
    }
  } catch (const DiagnosticException& refused) {
    WriteText(what.folder / (options.name + ".txt"), ToText(refused.GetDiagnostic()));
  } catch (const std::exception& exception) {
    WriteText(what.folder / (options.name + ".txt"), std::string("FAULT: ") + exception.what());
  }
}

int RunAll(const Options& options) {
  const std::unique_ptr<IRuntime> runtime = IRuntime::Create({});
  for (const std::string& id : options.backends) {
    if (runtime->GetDeviceSpec().GetRegistry().IsBackendRegistered(id)) continue;
    std::cerr << "this build has no backend " << id << "\n";
    return 1;
  }
  for (std::string folder; std::getline(std::cin, folder);) {
    RunCase(*runtime, folder, options);
    std::cout << "done" << std::endl;
  }
  return 0;
}

}  // namespace
}  // namespace backplane::fuzz

int main(int argc, char** argv) {
  const bool is_apart = argc == 4 && std::string(argv[3]) == "apart";
  if (argc != 3 && !is_apart) {
    std::cerr << "usage: run_open_models NAME BACKEND[,BACKEND...] [apart]\n";
    return 64;
  }
  backplane::fuzz::Options options{argv[1], {}, is_apart};
  std::istringstream words(argv[2]);
  for (std::string id; std::getline(words, id, ',');) options.backends.push_back(id);
  try {
    return backplane::fuzz::RunAll(options);
  } catch (const std::exception& exception) {
    std::cerr << exception.what() << "\n";
    return 2;
  }
}
