#pragma once

#include "placement/transfer_tree.hpp"

#include <cstdint>
#include <random>
#include <vector>

namespace backplane {

/// Makes problems of one tensor and backends that offer kinds of memory with random properties.
/// Each kind is two places: a tensor that was allocated so, and one that was imported. The first
/// backend makes the tensor; the others, and at times the first, read it.
class RandomTransfers {
 public:
  explicit RandomTransfers(std::uint32_t seed) : random_(seed) {}

  TransferProblem Make(std::uint32_t num_backends, std::uint32_t kinds_per_backend,
                       std::uint32_t num_readers) {
    num_backends_ = num_backends;
    kinds_per_backend_ = kinds_per_backend;
    kinds_.resize(std::size_t{num_backends} * kinds_per_backend);
    for (Kind& kind : kinds_) kind = MakeKind();
    TransferProblem problem;
    problem.num_places = GetNumKinds() * 2;
    AddArcs(problem);
    for (std::uint32_t i = 0; i < kinds_per_backend; ++i) {
      if (Below(4) != 0) problem.roots.push_back({Allocated(i), {0, i, 0}});
    }
    for (std::uint32_t i = 0; i < num_readers; ++i) {
      problem.readers.push_back(MakeReader((i + 1) % num_backends));
    }
    return problem;
  }

 private:
  struct Kind {
    std::uint32_t exports = 0;  // flags
    std::uint32_t imports = 0;
    bool maps = false;
    bool shows_imported = false;  // what it imported can be exported again
  };

  std::uint32_t Below(std::uint32_t end) { return static_cast<std::uint32_t>(random_() % end); }
  std::uint32_t GetNumKinds() const { return num_backends_ * kinds_per_backend_; }
  static std::uint32_t Allocated(std::uint32_t kind) { return kind * 2; }
  static std::uint32_t Imported(std::uint32_t kind) { return kind * 2 + 1; }

  Kind MakeKind() {
    Kind kind;
    if (Below(2) == 0) kind.exports = 1U << Below(3);
    if (Below(2) == 0) kind.imports = 1U << Below(3);
    kind.maps = Below(2) == 0;
    kind.shows_imported = Below(2) == 0;
    return kind;
  }

  void AddArcs(TransferProblem& problem) {
    for (std::uint32_t from = 0; from < GetNumKinds(); ++from) {
      for (std::uint32_t to = 0; to < GetNumKinds(); ++to) {
        if (from != to) AddArcsBetween(problem, from, to);
      }
      if (Below(6) == 0) problem.arcs.push_back({Imported(from), Allocated(from), {}});
      if (Below(6) == 0) problem.arcs.push_back({Allocated(from), Imported(from), {}});
    }
  }

  void AddArcsBetween(TransferProblem& problem, std::uint32_t from, std::uint32_t to) {
    const bool has_device_copy = Below(12) == 0;
    for (const std::uint32_t place : {Allocated(from), Imported(from)}) {
      const bool is_shown = place == Allocated(from) || kinds_[from].shows_imported;
      if (is_shown && (kinds_[from].exports & kinds_[to].imports) != 0) {
        problem.arcs.push_back({place, Imported(to), {0, 0, Below(3)}});
      }
      if (kinds_[from].maps && kinds_[to].maps) {
        problem.arcs.push_back({place, Allocated(to), {1, 0, 2}});
      }
      if (has_device_copy) problem.arcs.push_back({place, Allocated(to), {1, 0, Below(2)}});
    }
  }

  std::vector<TransferPlace> MakeReader(std::uint32_t backend) {
    std::vector<TransferPlace> places;
    for (std::uint32_t i = 0; i < kinds_per_backend_; ++i) {
      const std::uint32_t kind = backend * kinds_per_backend_ + i;
      if (Below(4) != 0) places.push_back({Allocated(kind), {0, i, 0}});
      if (Below(4) != 0) places.push_back({Imported(kind), {0, i, Below(2)}});
    }
    return places;
  }

  std::mt19937 random_;
  std::uint32_t num_backends_ = 0;
  std::uint32_t kinds_per_backend_ = 0;
  std::vector<Kind> kinds_;
};

}  // namespace backplane
