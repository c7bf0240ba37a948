#pragma once

#include "files/external_data.hpp"
#include "tensors/memory_budget.hpp"
#include "tensors/tensor_proto.hpp"
#include "values/value.hpp"

#include <onnx/onnx_pb.h>

#include <memory>
#include <string>
#include <unordered_map>

namespace backplane::onnx {

/// Makes constants of the tensors in a model.
class TensorReader {
 public:
  /// External data is looked for beside the model. `budget` must outlive this object.
  TensorReader(const std::string& model_path, MemoryBudget& budget)
      : external_(model_path), budget_(budget) {}

  /// The tensor, without a copy where the message holds the data as it is needed.
  /// Ownership: with `owner`, which keeps the message, the constant keeps it, and what has to be
  /// converted is so once. Null: the message may go, what it holds is copied, out of the budget.
  /// Errors: as DecodeTensor, and when external data cannot be read.
  Value Read(const ::onnx::TensorProto& proto, const TensorOrigin& origin,
             const std::shared_ptr<const void>& owner);

  /// A sparse tensor, made dense.
  /// Errors: DiagnosticException with the code of `origin`: as Read, indices that are not there
  /// or outside of the shape, more than the budget allows.
  Value ReadSparse(const ::onnx::SparseTensorProto& proto, const TensorOrigin& origin);

 private:
  Value ReadExternal(const ::onnx::TensorProto& proto, const TensorOrigin& origin);
  void TakeMemory(std::uint64_t size_bytes, const TensorOrigin& origin);

  ExternalData external_;
  MemoryBudget& budget_;
  struct Converted {
    std::shared_ptr<const void> owner;  // no other message may come to lie there
    std::shared_ptr<const NamedTensor> tensor;
  };
  std::unordered_map<const ::onnx::TensorProto*, Converted> converted_;
};

}  // namespace backplane::onnx
