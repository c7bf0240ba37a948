#pragma once

#include "kind_maker.hpp"
#include "least_moves.hpp"
#include "placed_layers.hpp"

#include <random>
#include <string>
#include <vector>

namespace backplane {

/// Backends with kinds of random properties, and networks of random layers placed on them. The same
/// seed gives the same.
class RandomNetworks {
 public:
  explicit RandomNetworks(std::uint32_t seed) : random_(seed) {}

  static constexpr std::uint32_t kNumBackends = 3;
  static constexpr std::uint32_t kKindsPerBackend = 4;

  void MakeKinds(KindMaker& maker, std::vector<KindWish>& wishes) {
    wishes.assign(1, {64, 0, LayerType::kUndefined});
    for (std::uint32_t backend = 0; backend < kNumBackends; ++backend) {
      const std::string id = "B" + std::to_string(backend);
      maker.AddBackend(id);
      for (std::uint32_t i = 0; i < kKindsPerBackend; ++i) {
        wishes.push_back(MakeWish());
        maker.Add(backend, "A/" + id + "/K" + std::to_string(i), MakeProperties(),
                  Answer(wishes.back()));
      }
    }
    for (std::uint32_t backend = 0; backend < kNumBackends; ++backend) {
      maker.Prefer(backend, MakePreferences(backend));
    }
  }

  void AddLayers(PlacedLayers& layers, std::uint32_t count) {
    tensors_.clear();
    Take(layers, layers.AddInput({4}));
    if (Below(2) == 0) Take(layers, layers.AddInput({2, 2}));
    if (Below(3) == 0) Take(layers, layers.AddConstant({4}));
    for (std::uint32_t i = 0; i < count; ++i) AddLayer(layers);
    const std::uint32_t num_outputs = 1 + Below(3);
    for (std::uint32_t i = 0; i < num_outputs; ++i) layers.AddOutput(Choose().slot);
  }

 private:
  struct Tensor {
    OutputSlot slot;
    TensorShape shape;
  };

  std::uint32_t Below(std::uint32_t end) { return static_cast<std::uint32_t>(random_() % end); }
  bool IsOneIn(std::uint32_t count) { return Below(count) == 0; }

  MemorySourceFlags ChooseSources() {
    MemorySourceFlags sources = 0;
    if (IsOneIn(2)) sources |= ToFlags(MemorySource::kMalloc);
    if (IsOneIn(4)) sources |= ToFlags(MemorySource::kFileDescriptor);
    if (IsOneIn(4)) sources |= ToFlags(MemorySource::kDmaBuf);
    return sources;
  }

  FactoryProperties MakeProperties() {
    FactoryProperties properties;
    properties.owns_memory = IsOneIn(4) ? 1 : 0;
    properties.copies_within_backend = IsOneIn(3) ? 1 : 0;
    if (IsOneIn(6)) properties.copy_to_sources = ChooseSources();
    if (IsOneIn(6)) properties.copy_from_sources = ChooseSources();
    if (IsOneIn(5)) {
      properties.layout = TensorLayout::kOpaque;
      properties.copies_within_backend = 1;
      return properties;
    }
    properties.supports_map_unmap = IsOneIn(2) ? 1 : 0;
    if (IsOneIn(2)) properties.import_sources = ChooseSources();
    if (IsOneIn(2)) properties.export_sources = ChooseSources();
    return properties;
  }

  KindWish MakeWish() {
    KindWish wish;
    wish.alignment_bytes = std::uint64_t{1} << Below(4) * 4;
    if (IsOneIn(5)) wish.padding_bytes = 16;
    if (IsOneIn(2)) wish.padded_beside = IsOneIn(2) ? LayerType::kActivation : LayerType::kReshape;
    return wish;
  }

  static FactoryAnswers Answer(const KindWish& wish) {
    FactoryAnswers answers;
    answers.get_requirements = [wish](const TensorRequirementsArgs& args) {
      const bool is_padded =
          wish.padded_beside == LayerType::kUndefined || wish.padded_beside == args.layer_type;
      MemoryRequirements requirements;
      requirements.size_bytes = args.info->GetSizeBytes() + (is_padded ? wish.padding_bytes : 0);
      requirements.alignment_bytes = wish.alignment_bytes;
      return requirements;
    };
    return answers;
  }

  // Most of them its own.
  std::vector<KindIndex> MakePreferences(std::uint32_t backend) {
    std::vector<KindIndex> kinds;
    const std::uint32_t count = 1 + Below(4);
    while (kinds.size() < count) {
      const std::uint32_t own = 1 + backend * kKindsPerBackend + Below(kKindsPerBackend);
      const KindIndex kind = IsOneIn(4) ? Below(1 + kNumBackends * kKindsPerBackend) : own;
      if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(kind);
    }
    return kinds;
  }

  // Rather one of the last.
  const Tensor& Choose() {
    const auto count = static_cast<std::uint32_t>(tensors_.size());
    return IsOneIn(3) ? tensors_[Below(count)] : tensors_[count - 1 - Below(std::min(count, 4U))];
  }
  void Take(const PlacedLayers& layers, OutputSlot slot) {
    tensors_.push_back({slot, GetTensor(layers.GetGraph(), slot).shape});
  }

  void AddLayer(PlacedLayers& layers) {
    const std::uint32_t backend = Below(kNumBackends);
    const Tensor input = Choose();
    const std::int64_t count = input.shape.GetNumElements();
    switch (Below(8)) {
      case 0:
        return Take(layers, layers.AddView(backend, input.slot, {count}));
      case 1:
        return Take(layers, layers.AddView(backend, input.slot, {1, count}));
      case 2:
        return Take(layers, layers.AddConcat(backend, {input.slot, input.slot}));
      case 3:
        if (input.shape[0] % 2 != 0) break;
        for (const OutputSlot part :
             layers.AddSplit(backend, input.slot, {input.shape[0] / 2, input.shape[0] / 2})) {
          Take(layers, part);
        }
        return;
      case 4: {
        const Tensor other = Choose();
        if (!(other.shape == input.shape)) break;
        return Take(layers, layers.AddSum(backend, input.slot, other.slot));
      }
      default:
        break;
    }
    Take(layers, layers.AddRelu(backend, input.slot));
  }

  std::mt19937 random_;
  std::vector<Tensor> tensors_;
};

}  // namespace backplane
