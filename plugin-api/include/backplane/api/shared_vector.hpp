#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace backplane {

/// A std::vector whose copies share the elements until one of them is changed, so that a copy costs
/// the same however many there are.
///
/// Threads: as std::vector; copies of one are apart.
template <typename Element>
class SharedVector {
 public:
  using value_type = Element;
  using const_iterator = const Element*;

  SharedVector() = default;
  SharedVector(std::initializer_list<Element> elements)
      : SharedVector(std::vector<Element>(elements)) {}
  SharedVector(std::vector<Element> elements) {  // NOLINT: as a vector is
    if (!elements.empty()) shared_ = Share(std::move(elements));
  }
  template <typename Iterator>
  SharedVector(Iterator begin, Iterator end) : SharedVector(std::vector<Element>(begin, end)) {}

  bool empty() const { return size() == 0; }
  std::size_t size() const { return shared_ ? shared_->size() : 0; }
  const Element* data() const { return shared_ ? shared_->data() : nullptr; }
  const Element* begin() const { return data(); }
  const Element* end() const { return data() + size(); }
  const Element& operator[](std::size_t index) const { return (*shared_)[index]; }
  const Element& front() const { return shared_->front(); }
  const Element& back() const { return shared_->back(); }

  Element& operator[](std::size_t index) { return Own()[index]; }
  void push_back(const Element& element) { Own().push_back(element); }
  void reserve(std::size_t count) { Own().reserve(count); }
  void resize(std::size_t count, const Element& element = Element()) {
    Own().resize(count, element);
  }
  void assign(std::size_t count, const Element& element) {
    *this = std::vector<Element>(count, element);
  }
  template <typename Iterator>
  void assign(Iterator begin, Iterator end) {
    *this = std::vector<Element>(begin, end);
  }
  void clear() { shared_.reset(); }

  friend bool operator==(const SharedVector& a, const SharedVector& b) {
    if (a.shared_ == b.shared_) return true;
    if (a.size() != b.size()) return false;
    return a.empty() || *a.shared_ == *b.shared_;
  }
  friend bool operator!=(const SharedVector& a, const SharedVector& b) { return !(a == b); }

 private:
  /// make_shared would leave a symbol behind that keeps a library mapped.
  static std::shared_ptr<std::vector<Element>> Share(std::vector<Element> elements) {
    return std::shared_ptr<std::vector<Element>>(new std::vector<Element>(std::move(elements)));
  }

  /// The elements, which no copy has any more.
  std::vector<Element>& Own() {
    // One more owner is counted in the order of those that have gone, whose reading comes before.
    const std::shared_ptr<std::vector<Element>> counted = shared_;
    if (!counted || counted.use_count() > 2) {
      shared_ = Share(counted ? *counted : std::vector<Element>());
    }
    return *shared_;
  }

  std::shared_ptr<std::vector<Element>> shared_;  // null: no elements
};

}  // namespace backplane
