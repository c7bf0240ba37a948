#pragma once

/// How the elements of a tensor lie in memory: one after the other, or as oneDNN wants them.

#include <backplane/api/tensor_info.hpp>

#include <dnnl.hpp>

#include <cstdint>
#include <memory>

namespace backplane {
namespace cpuacc {

/// Plain: dense, outermost first. Otherwise as the descriptor says, with padding of zeros that
/// every writer keeps.
class Layout {
 public:
  /// Plain.
  Layout() = default;
  /// Plain when the descriptor says nothing else.
  Layout(const dnnl::memory::desc& desc, const TensorInfo& info);

  bool IsPlain() const { return blocked_ == nullptr; }
  /// Only of one that is not plain.
  const dnnl::memory::desc& GetBlocked() const { return *blocked_; }
  /// With the padding.
  std::uint64_t GetSizeBytes(const TensorInfo& info) const;

  friend bool operator==(const Layout& a, const Layout& b) {
    return a.blocked_ == b.blocked_ ||
           (a.blocked_ != nullptr && b.blocked_ != nullptr && *a.blocked_ == *b.blocked_);
  }
  friend bool operator!=(const Layout& a, const Layout& b) { return !(a == b); }

 private:
  std::shared_ptr<const dnnl::memory::desc> blocked_;  // null: plain. A description has 0.7 kB
};

/// Whether oneDNN has the data type.
bool HasDnnlType(DataType type);
/// Of a type that it has.
dnnl::memory::data_type ToDnnlType(DataType type);

/// A plain tensor as oneDNN describes it. A scalar is described with one axis.
dnnl::memory::desc DescribePlain(const TensorInfo& info);
/// The same with other dims, of as many elements.
dnnl::memory::desc DescribePlain(const dnnl::memory::dims& dims, DataType type);

/// A tensor in its layout.
dnnl::memory::desc Describe(const TensorInfo& info, const Layout& layout);

/// Dims of any layout that oneDNN may choose.
dnnl::memory::desc DescribeAny(const TensorInfo& info);
dnnl::memory::desc DescribeAny(const dnnl::memory::dims& dims, DataType type);

dnnl::memory::dims ToDims(const TensorShape& shape);

}  // namespace cpuacc
}  // namespace backplane
