// Recognises handwritten digits: imports a model, places it on whatever backends there are, and
// runs it on images. No backend is named anywhere.

#include <backplane/onnx/import_model.hpp>
#include <backplane/runtime/i_runtime.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSide = 28;  // of an image, in pixels
constexpr int kNumDigits = 10;

using Pixels = std::vector<unsigned char>;

Pixels ReadPgm(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string kind;
  std::size_t width = 0;
  std::size_t height = 0;
  int white = 0;
  stream >> kind >> width >> height >> white;
  stream.get();  // the one blank before the pixels
  Pixels pixels(kSide * kSide);
  stream.read(reinterpret_cast<char*>(pixels.data()), static_cast<std::streamsize>(pixels.size()));
  if (!stream || kind != "P5" || width != kSide || height != kSide || white != 255) {
    throw std::runtime_error(path.string() + " is no binary PGM image of 28x28 pixels, 0 to 255");
  }
  return pixels;
}

// Two rows of pixels in one line of text; rows without ink are left out.
void Draw(const Pixels& pixels) {
  const auto is_ink = [&](std::size_t y, std::size_t x) { return pixels.at(y * kSide + x) > 96; };
  for (std::size_t y = 0; y < kSide; y += 2) {
    std::string line;
    for (std::size_t x = 0; x < kSide; ++x) {
      const bool is_upper = is_ink(y, x);
      const bool is_lower = is_ink(y + 1, x);
      line += is_upper ? (is_lower ? "█" : "▀") : (is_lower ? "▄" : " ");
    }
    if (line.find_first_not_of(' ') == std::string::npos) continue;
    std::cout << line.substr(0, line.find_last_not_of(' ') + 1) << '\n';
  }
}

/// The digit model, loaded on the available backends.
class Recogniser {
 public:
  explicit Recogniser(const fs::path& model) : runtime_(backplane::IRuntime::Create({})) {
    backplane::onnx::ImportOptions options;
    options.input_shapes["image"] = {1, 1, kSide, kSide};
    const auto imported = backplane::onnx::ImportModel(model.string(), options);
    const auto network = backplane::Optimize(*imported.network, {}, runtime_->GetDeviceSpec());
    input_ = network->GetInputs().at(0);
    output_ = network->GetOutputs().at(0);
    network_ = runtime_->LoadNetwork(network);
  }

  /// How likely each digit is, from 0 to 1.
  std::vector<float> Recognise(const Pixels& pixels) {
    std::vector<float> image;
    for (const unsigned char pixel : pixels) image.push_back(static_cast<float>(pixel) / 255.0F);
    std::vector<float> scores(kNumDigits);
    std::optional<backplane::Diagnostic> failure;
    const auto status = runtime_->EnqueueWorkload(
        network_, {{input_.id, {input_.info, image.data()}}},
        {{output_.id, scores.data(), scores.size() * sizeof(float)}}, &failure);
    if (failure) throw backplane::DiagnosticException(*failure);
    if (status != backplane::Status::kSuccess) throw std::runtime_error(GetStatusText(status));
    return scores;
  }

 private:
  std::unique_ptr<backplane::IRuntime> runtime_;
  backplane::NetworkBinding input_;
  backplane::NetworkBinding output_;
  backplane::NetworkId network_ = 0;
};

std::vector<fs::path> ChooseImages(int argc, char** argv, const fs::path& folder) {
  std::vector<fs::path> images(argv + 1, argv + argc);
  if (!images.empty()) return images;
  for (const auto& entry : fs::directory_iterator(folder / "images")) images.push_back(entry);
  std::sort(images.begin(), images.end());
  return images;
}

}  // namespace

int main(int argc, char** argv) try {
  const fs::path folder = DIGITS_FOLDER;
  Recogniser recogniser(folder / "digits.onnx");
  for (const fs::path& path : ChooseImages(argc, argv, folder)) {
    const Pixels pixels = ReadPgm(path);
    const std::vector<float> scores = recogniser.Recognise(pixels);
    const auto best = std::max_element(scores.begin(), scores.end());
    Draw(pixels);
    std::printf("%s: %d (%.1f %%)\n", path.filename().c_str(),
                static_cast<int>(best - scores.begin()), 100.0 * static_cast<double>(*best));
  }
} catch (const std::exception& exception) {
  std::cerr << exception.what() << '\n';
  return 1;
}
