#include "mutation_collector.hpp"

namespace backplane::fuzz {
namespace {

using ::onnx::GraphProto;
using ::onnx::TensorProto;

void AddDims(int tensor, MutationCollector& to) {
  const std::vector<std::vector<std::int64_t>> shapes = {
      {},
      {-1},
      {std::numeric_limits<std::int64_t>::max()},
      {std::numeric_limits<std::int64_t>::min()},
      {std::int64_t{1} << 32, std::int64_t{1} << 32},
      {std::int64_t{1} << 31, std::int64_t{1} << 31, 4},
      {0, std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::max()},
      {std::int64_t{1} << 29},  // 2 GiB of floats
      std::vector<std::int64_t>(9, 1),
      std::vector<std::int64_t>(100000, 1)};
  for (const std::vector<std::int64_t>& dims : shapes) {
    std::string text = "dims";
    for (std::size_t i = 0; i < dims.size() && i < 4; ++i) text += " " + std::to_string(dims[i]);
    to.AddToInitializer(tensor, text, [=](TensorProto& changed) {
      changed.clear_dims();
      for (const std::int64_t dim : dims) changed.add_dims(dim);
    });
  }
}

void AddInitializers(const GraphProto& graph, MutationCollector& to) {
  for (int tensor = 0; tensor < graph.initializer_size(); ++tensor) {
    AddDims(tensor, to);
    for (int type = -1; type <= 20; ++type) {
      to.AddToInitializer(tensor, "data type " + std::to_string(type),
                          [=](TensorProto& changed) { changed.set_data_type(type); });
    }
    for (const std::int64_t number : kOddNumbers) {
      to.AddToInitializer(tensor, "values " + std::to_string(number), [=](TensorProto& changed) {
        for (std::int64_t& value : *changed.mutable_int64_data()) value = number;
      });
    }
    to.AddToInitializer(tensor, "without data", [](TensorProto& changed) {
      changed.clear_float_data();
      changed.clear_int64_data();
      changed.clear_raw_data();
    });
    to.AddToInitializer(tensor, "data twice",
                        [](TensorProto& changed) { changed.set_raw_data("1234"); });
    to.AddToInitializer(tensor, "a segment", [](TensorProto& changed) {
      changed.mutable_segment()->set_begin(std::numeric_limits<std::int64_t>::min());
      changed.mutable_segment()->set_end(std::numeric_limits<std::int64_t>::max());
    });
    to.AddToGraph("initializer " + std::to_string(tensor) + " twice", [=](GraphProto& changed) {
      *changed.add_initializer() = changed.initializer(tensor);
    });
  }
}

void SetEntry(TensorProto& tensor, const std::string& key, const std::string& value) {
  tensor.set_data_location(TensorProto::EXTERNAL);
  tensor.clear_raw_data();
  tensor.clear_float_data();
  tensor.clear_int64_data();
  for (auto& entry : *tensor.mutable_external_data()) {
    if (entry.key() == key) return entry.set_value(value);
  }
  auto& entry = *tensor.add_external_data();
  entry.set_key(key);
  entry.set_value(value);
}

// Data in files that are not the model's own, or not files, or too short.
void AddExternalData(const GraphProto& graph, MutationCollector& to) {
  if (graph.initializer_size() == 0) return;
  for (const char* location :
       {"", ".", "..", "/", "/etc/passwd", "../secret.bin", "a/../../secret.bin", "link.bin",
        "/dev/zero", "pipe.bin", "no.bin", "folder", "weights.bin/", "./weights.bin"}) {
    to.AddToInitializer(0, std::string("data in \"") + location + "\"",
                        [=](TensorProto& tensor) { SetEntry(tensor, "location", location); });
  }
  for (const char* key : {"offset", "length", "checksum", "other"}) {
    for (const char* value : {"", "-1", "x", "63", "65", "4294967296", "9223372036854775807",
                              "18446744073709551615", "99999999999999999999999"}) {
      to.AddToInitializer(0, std::string(key) + " " + value, [=](TensorProto& tensor) {
        SetEntry(tensor, "location", "weights.bin");
        SetEntry(tensor, key, value);
      });
    }
  }
}

}  // namespace

void AddTensorMutations(const GraphProto& graph, MutationCollector& to) {
  AddInitializers(graph, to);
  AddExternalData(graph, to);
}

}  // namespace backplane::fuzz
