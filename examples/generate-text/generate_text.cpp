// generate_text DECODER.onnx PROMPT COUNT: goes on with a text, a letter at a time. The decoder has
// open dimensions: it takes the prompt at once and then single letters, and a cache that grows with
// each of them. What a step gives as the cache is handed to the next one as it is.

#include <backplane/onnx/import_model.hpp>
#include <backplane/runtime/find_binding.hpp>
#include <backplane/runtime/i_runtime.hpp>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

using namespace backplane;

namespace {

/// A decoder that is loaded, and what it has seen.
class Decoder {
 public:
  Decoder(const std::string& path, std::int64_t period) : period_(period) {
    onnx::ImportedModel model = onnx::ImportModel(path);
    const auto network = Optimize(std::move(model.network), {}, runtime_->GetDeviceSpec());
    inputs_ = network->GetInputs();
    outputs_ = network->GetOutputs();
    id_ = runtime_->LoadNetwork(network);
    for (ResultTensor* const part : {&keys_, &values_}) {  // a cache without a letter
      const char* const name = part == &keys_ ? "past_keys" : "past_values";
      part->info = inputs_[FindBinding(inputs_, name)].info;
      part->info.shape[1] = 0;
    }
  }

  /// The letter that is likeliest to come behind these.
  char Next(const std::string& letters) {
    const std::vector<std::int64_t> tokens(letters.begin(), letters.end());
    const auto length = static_cast<std::int64_t>(tokens.size());
    const auto input = [&](const char* name, const TensorInfo& info, const void* data) {
      return InputTensor{FindBinding(inputs_, name), {info, data}};
    };
    const InputTensors inputs = {
        input("tokens", {{1, length}, DataType::kInt64}, tokens.data()),
        input("period", {{}, DataType::kInt64}, &period_),
        input("past_keys", keys_.info, keys_.data.get()),
        input("past_values", values_.info, values_.data.get()),
    };
    ResultTensor scores;
    ResultTensor keys;
    ResultTensor values;
    const auto output = [&](const char* name, ResultTensor& result) {
      OutputTensor tensor;
      tensor.id = FindBinding(outputs_, name);
      tensor.result = &result;
      return tensor;
    };
    std::optional<Diagnostic> failure;
    const Status status = runtime_->EnqueueWorkload(
        id_, inputs, {output("scores", scores), output("keys", keys), output("values", values)},
        &failure);
    if (status != Status::kSuccess) throw DiagnosticException(*failure);
    keys_ = keys;
    values_ = values;
    const std::int64_t num_letters = scores.info.shape[2];
    const float* const last =
        static_cast<const float*>(scores.data.get()) + (length - 1) * num_letters;
    return static_cast<char>(std::max_element(last, last + num_letters) - last);
  }

  /// How the cache was handed over until now.
  void PrintTransfers() const {
    const TransferReport report = runtime_->GetTransferReport(id_);
    for (const char* const name : {"past_keys", "past_values"}) {
      const BindingTransfers& one = report.inputs[FindBinding(inputs_, name)];
      std::cout << name << ": used as it is in " << one.imported_runs << " runs, "
                << one.copied_bytes << " bytes copied\n";
    }
    std::cout << "the cache has " << keys_.info.shape[1] << " letters\n";
  }

 private:
  std::unique_ptr<IRuntime> runtime_ = IRuntime::Create({});
  std::vector<NetworkBinding> inputs_;
  std::vector<NetworkBinding> outputs_;
  NetworkId id_ = 0;
  std::int64_t period_;
  ResultTensor keys_;
  ResultTensor values_;
};

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 4) throw std::invalid_argument("usage: generate_text DECODER.onnx PROMPT COUNT");
  const std::string prompt = argv[2];
  if (prompt.empty() || prompt.size() > 64)
    throw std::invalid_argument("a prompt has 1 to 64 letters");
  Decoder decoder(argv[1], static_cast<std::int64_t>(prompt.size()));
  std::string text = prompt;
  std::string letters = prompt;
  for (int count = std::stoi(argv[3]); count > 0; --count) {
    letters = decoder.Next(letters);
    text += letters;
  }
  std::cout << text << '\n';
  decoder.PrintTransfers();
} catch (const std::exception& exception) {
  std::cerr << exception.what() << '\n';
  return 1;
}
