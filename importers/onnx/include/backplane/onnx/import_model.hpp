#pragma once

/// From an ONNX model to a network.

#include <backplane/api/tensor_info.hpp>
#include <backplane/host/diagnostic.hpp>
#include <backplane/onnx/export.hpp>
#include <backplane/onnx/tensor_file.hpp>
#include <backplane/runtime/i_network.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace backplane::onnx {

struct ImportOptions {
  /// The shapes of inputs whose dimensions the model leaves open, by name; kOpenExtent leaves an
  /// axis open. A shape given for an input that states its own must agree with it.
  std::map<std::string, TensorShape> input_shapes;
  /// Inputs that are constants of the network instead, by name: what shapes depend on has to be
  /// known when the network is made. Copied; the name within the tensor does not matter. Data type
  /// and shape must be those that the model states.
  std::map<std::string, NamedTensor> constants{};
  /// Given shapes win over what the model states, such as a batch of 1, as far as its nodes allow.
  bool may_override_shapes = false;
  /// Refuses what is known only when a run begins or goes on: open dimensions (kUnknownDimension),
  /// what depends on data (kDataDependentShape), control flow on data and sequences
  /// (kUnsupportedOperator). Else the network of such a model makes plans when it runs.
  bool must_be_fixed = false;
  /// After so many rounds a loop is given up (kLoopTooLong).
  std::int64_t max_loop_rounds = std::int64_t{1} << 31;
};

struct ImportedModel {
  std::unique_ptr<INetwork> network;  // inputs and outputs have the model's names
  /// A version of ONNX that is newer than what is known, outputs whose shape is not the one that
  /// the model states.
  std::vector<Diagnostic> warnings;
  /// Plans are made when the network runs (INetworkSource), because of open dimensions, or because
  /// values decide on shapes or layers.
  bool is_open = false;
};

/// Reads an ONNX model and makes a network of it. IR versions 1 to 13 and operator sets 1 to 28 are
/// known; newer ones are tried, with a warning. Layers are named after their nodes; those without a
/// name are <operator>_<index of the node>, and those of functions and of the branches of an If
/// begin with the name of the node that they stand for: <node>/<node within>.
///
/// What follows from constants, and from shapes, becomes constant: it takes no layer, and shapes
/// may depend on it. Constants share the memory of the model, which stays as long as they do. Data
/// in other files is read from the folder of the model, and from nowhere else.
///
/// Errors: DiagnosticException with
///   kModelNotFound, kNotAModel as ReadModelInputs,
///   kUnsupportedOpset for a model that states no operator set,
///   kUnsupportedOperator, with every node that has one as a cause, and with all else that keeps
///     the model from being imported,
///   kInvalidModel for what the checker of ONNX refuses, for tensors and layers that do not fit
///     together, and for data in other files that is not there; the reason is the cause,
///   kWrongInput for a shape or constant given for an input that does not exist, or that disagrees,
///     and for inputs that are neither tensors nor sequences or optionals of such;
///     kUnknownDimension for dimensions that stay open,
///   kUnsupportedAttribute, kDataDependentShape, with every such node as a cause.
/// Of an open network, what is wrong with nodes that depend on what is not known is told by a run,
/// with kStageFailed. [any thread]
BACKPLANE_ONNX_API ImportedModel ImportModel(const std::string& path,
                                             const ImportOptions& options = {});

/// As ImportModel, of the content of a file, which is not needed afterwards. `path` is for
/// messages; data in other files is looked for beside it. [any thread] Since: 0.1
BACKPLANE_ONNX_API ImportedModel ImportModelFromMemory(const std::string& content,
                                                       const std::string& path = "model",
                                                       const ImportOptions& options = {});

/// An input that a model asks for.
struct ModelInput {
  /// Neither a sequence nor an optional. Since: 0.1
  bool IsTensor() const { return !is_sequence && !is_optional; }

  std::string name;
  /// kUndefined: neither a tensor of a known type nor a sequence or an optional of such.
  DataType data_type = DataType::kUndefined;
  bool is_rank_known = true;
  std::vector<std::int64_t> dims;      // -1: left open
  std::vector<std::string> dim_names;  // for each dimension: its name in the model, or ""
  bool is_sequence = false;            // of tensors, each as stated. Since: 0.1
  bool is_optional = false;            // may be nothing. Since: 0.1
};

/// Reads only what inputs a model has, in the order of the model; initializers are left out.
/// Errors: DiagnosticException with kModelNotFound for a file that cannot be read, kNotAModel for
/// one that is something else; it says what it looks like.
/// [any thread]
BACKPLANE_ONNX_API std::vector<ModelInput> ReadModelInputs(const std::string& path);

/// What a model says of itself.
struct ModelDescription {
  std::string name;      // of its graph
  std::string producer;  // with its version
  std::string domain;
  std::string documentation;
  std::int64_t model_version = 0;
  std::int64_t ir_version = 0;
  std::map<std::string, std::int64_t> operator_sets;  // by domain, "" for ai.onnx
  std::map<std::string, std::string> properties;      // what its producer noted
  std::vector<ModelInput> inputs;
  std::vector<ModelInput> outputs;  // as stated, which need not be all that is true of them
  std::uint64_t num_nodes = 0;      // of its graph
};

/// Reads a model without importing it. Errors: as ReadModelInputs.
/// [any thread] Since: 0.1
BACKPLANE_ONNX_API ModelDescription DescribeModel(const std::string& path);
/// The same of the content of a file; `path` is for messages. [any thread] Since: 0.1
BACKPLANE_ONNX_API ModelDescription DescribeModelFromMemory(const std::string& content,
                                                            const std::string& path = "model");

/// A model that is read once, to be described and then imported.
/// Threads: one at a time. Since: 0.1
class BACKPLANE_ONNX_API ModelFile {
 public:
  /// Errors: as ReadModelInputs.
  explicit ModelFile(std::string path);
  ~ModelFile();
  ModelFile(const ModelFile&) = delete;
  ModelFile& operator=(const ModelFile&) = delete;

  const ModelDescription& GetDescription() const { return description_; }
  /// As ImportModel. Gives what was read to the network; the next import reads the file again.
  ImportedModel Import(const ImportOptions& options = {});

 private:
  struct Content;
  std::string path_;
  std::unique_ptr<Content> content_;
  ModelDescription description_;
};

}  // namespace backplane::onnx
