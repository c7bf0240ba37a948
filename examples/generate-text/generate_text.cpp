// generate_text DECODER.onnx PROMPT COUNT: goes on with a text, a token at a time. A decoder as
// exporters write it takes input_ids, attention_mask and position_ids, as far as it wants them, and
// past_key_values.*, and gives logits and present.*. Its dimensions are open: it takes the prompt
// at once and then single tokens, and a cache that grows with each of them. The cache lies in
// memory with room for all tokens, where each step writes its new rows. The decoder of this folder
// has a token for each letter; for others the prompt is the numbers of its tokens, such as "1 306
// 4966".

#include <backplane/onnx/import_model.hpp>
#include <backplane/runtime/find_binding.hpp>
#include <backplane/runtime/i_runtime.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

using namespace backplane;

namespace {

using Tokens = std::vector<std::int64_t>;

constexpr char kPast[] = "past_key_values";
constexpr char kPresent[] = "present";

/// One tensor of the cache, at the beginning of memory with room for more.
struct CachePart {
  TensorInfo info;
  TensorShape memory_shape;
  std::vector<std::byte> memory;
};

/// A decoder that is loaded, and what it has seen.
class Decoder {
 public:
  /// It sees at most `most_tokens`.
  Decoder(const std::string& path, std::int64_t period, std::int64_t most_tokens)
      : period_(period) {
    onnx::ImportedModel model = onnx::ImportModel(path);
    const auto network = Optimize(std::move(model.network), {}, runtime_->GetDeviceSpec());
    inputs_ = network->GetInputs();
    outputs_ = network->GetOutputs();
    id_ = runtime_->LoadNetwork(network);
    for (const NetworkBinding& input : inputs_) {
      if (input.name.rfind(kPast, 0) != 0) continue;
      CachePart& part = cache_[input.name];
      part.info = input.info;
      TensorShape& empty = part.info.shape;  // a cache without a token
      if (empty[0] == kOpenExtent) empty[0] = 1;
      part.memory_shape = empty;
      std::replace(empty.dims, empty.dims + empty.rank, kOpenExtent, std::int64_t{0});
      TensorShape& full = part.memory_shape;
      std::replace(full.dims, full.dims + full.rank, kOpenExtent, most_tokens);
      part.memory.resize(TensorInfo(full, part.info.data_type).GetSizeBytes());
    }
  }

  /// The token that is likeliest to come behind these.
  std::int64_t Next(const Tokens& tokens) {
    const auto count = static_cast<std::int64_t>(tokens.size());
    Tokens positions(tokens.size());
    std::iota(positions.begin(), positions.end(), num_seen_);
    const Tokens mask(static_cast<std::size_t>(num_seen_ + count), 1);
    std::map<std::string, ConstTensor> given = {
        {"input_ids", {{{1, count}, DataType::kInt64}, tokens.data()}},
        {"position_ids", {{{1, count}, DataType::kInt64}, positions.data()}},
        {"attention_mask", {{{1, num_seen_ + count}, DataType::kInt64}, mask.data()}},
        {"period", {{{}, DataType::kInt64}, &period_}},
    };
    std::map<std::string, ResultTensor> results = Run(given);
    for (auto& [name, result] : results) {
      if (CachePart* const part = FindPart(name)) part->info = result.info;
    }
    num_seen_ += count;
    return FindLikeliest(results.at("logits"));
  }

  /// How many tokens there are.
  std::int64_t GetVocabulary() const {
    const TensorShape& logits = outputs_[FindBinding(outputs_, "logits")].info.shape;
    return logits[logits.rank - 1];
  }

  /// How the cache was handed over until now.
  void PrintTransfers() const {
    const TransferReport report = runtime_->GetTransferReport(id_);
    std::uint64_t num_imported = 0;
    std::uint64_t copied_bytes = 0;
    for (const auto& [name, part] : cache_) {
      const BindingTransfers& one = report.inputs[FindBinding(inputs_, name)];
      num_imported += one.imported_runs;
      copied_bytes += one.copied_bytes;
    }
    std::cout << "the cache has " << num_seen_ << " tokens; its " << cache_.size()
              << " tensors were used as they are " << num_imported << " times, " << copied_bytes
              << " bytes copied\n";
  }

 private:
  /// The part of the cache that an output is. Null: it is another one.
  CachePart* FindPart(const std::string& output) {
    if (output.rfind(kPresent, 0) != 0) return nullptr;
    const auto part = cache_.find(kPast + output.substr(std::strlen(kPresent)));
    return part != cache_.end() ? &part->second : nullptr;
  }

  std::map<std::string, ResultTensor> Run(const std::map<std::string, ConstTensor>& given) {
    InputTensors inputs(inputs_.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      inputs[i].id = inputs_[i].id;
      const auto part = cache_.find(inputs_[i].name);
      if (part == cache_.end()) {
        inputs[i].tensor = given.at(inputs_[i].name);
      } else {
        inputs[i].tensor = {part->second.info, part->second.memory.data()};
        inputs[i].memory_shape = part->second.memory_shape;
      }
    }
    std::map<std::string, ResultTensor> results;
    OutputTensors outputs(outputs_.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      outputs[i].id = outputs_[i].id;
      outputs[i].result = &results[outputs_[i].name];
      CachePart* const part = FindPart(outputs_[i].name);
      if (part == nullptr) continue;
      outputs[i].data = part->memory.data();
      outputs[i].size_bytes = part->memory.size();
      outputs[i].memory_shape = part->memory_shape;
    }
    std::optional<Diagnostic> failure;
    const Status status = runtime_->EnqueueWorkload(id_, inputs, outputs, &failure);
    if (status != Status::kSuccess) throw DiagnosticException(*failure);
    return results;
  }

  static std::int64_t FindLikeliest(const ResultTensor& logits) {
    if (logits.info.data_type != DataType::kFloat32) {
      throw std::invalid_argument(std::string("the logits are ") +
                                  GetDataTypeName(logits.info.data_type) +
                                  ", expected float32: export the decoder so");
    }
    const std::int64_t num_tokens = logits.info.shape[2];
    const float* const last =
        static_cast<const float*>(logits.data.get()) + (logits.info.shape[1] - 1) * num_tokens;
    return std::max_element(last, last + num_tokens) - last;
  }

  std::unique_ptr<IRuntime> runtime_ = IRuntime::Create({});
  std::vector<NetworkBinding> inputs_;
  std::vector<NetworkBinding> outputs_;
  NetworkId id_ = 0;
  std::int64_t period_;
  std::int64_t num_seen_ = 0;
  std::map<std::string, CachePart> cache_;  // by the names of the inputs
};

constexpr std::int64_t kLetters = 128;

Tokens ReadPrompt(const std::string& prompt, bool has_letters) {
  if (has_letters) return {prompt.begin(), prompt.end()};
  Tokens tokens;
  std::istringstream words(prompt);
  for (std::int64_t token = 0; words >> token;) tokens.push_back(token);
  if (!words.eof()) throw std::invalid_argument("the prompt is no list of numbers of tokens");
  return tokens;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 4) throw std::invalid_argument("usage: generate_text DECODER.onnx PROMPT COUNT");
  const std::string prompt = argv[2];
  const int count = std::stoi(argv[3]);
  const auto length = static_cast<std::int64_t>(prompt.size());
  Decoder decoder(argv[1], length, length + count + 1);
  const bool has_letters = decoder.GetVocabulary() == kLetters;
  Tokens tokens = ReadPrompt(prompt, has_letters);
  if (tokens.empty() || tokens.size() > 64)
    throw std::invalid_argument("a prompt has 1 to 64 tokens");
  std::cout << prompt << std::flush;
  tokens = {decoder.Next(tokens)};
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < count; ++i) {
    if (has_letters) {
      std::cout << static_cast<char>(tokens[0]) << std::flush;
    } else {
      std::cout << ' ' << tokens[0] << std::flush;
    }
    if (i + 1 < count) tokens = {decoder.Next(tokens)};
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  std::cout << '\n';
  decoder.PrintTransfers();
  if (count > 1) std::cout << (count - 1) / seconds.count() << " tokens a second\n";
} catch (const std::exception& exception) {
  std::cerr << exception.what() << '\n';
  return 1;
}
