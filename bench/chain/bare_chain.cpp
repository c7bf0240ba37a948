// The floor: the same arithmetic behind one virtual call for each layer. Prints microseconds.

#include "timing.hpp"

#include <cstdio>
#include <cstdlib>
#include <memory>

namespace {

class Operation {
 public:
  virtual ~Operation() = default;
  virtual void Run(const float* input, float* output, int count) const = 0;
};

class Relu final : public Operation {
 public:
  void Run(const float* input, float* output, int count) const override {
    for (int i = 0; i < count; ++i) output[i] = input[i] < 0.0F ? 0.0F : input[i];
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s LAYERS ELEMENTS\n", argv[0]);
    return 64;
  }
  std::vector<std::unique_ptr<Operation>> chain(static_cast<std::size_t>(std::atoi(argv[1])));
  for (auto& operation : chain) operation = std::make_unique<Relu>();
  std::vector<float> tensor(static_cast<std::size_t>(std::atoi(argv[2])), 1.0F);
  const double took = bench::MeasureMicroseconds([&] {
    for (const auto& operation : chain) {
      operation->Run(tensor.data(), tensor.data(), static_cast<int>(tensor.size()));
    }
  });
  std::printf("us %.4f layers %zu\n", took, chain.size());
}
