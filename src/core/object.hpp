// core/object.hpp: reference-counted objects, and the reference that owns one.
#pragma once
#include <atomic>
#include <cstdint>
#include <utility>

namespace tenon {

// Everything a handle can point to. Starts with one reference, which Ref::adopt takes over.
class Object {
 public:
  Object() = default;
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  void retain() const noexcept { count_.fetch_add(1, std::memory_order_relaxed); }
  // For holders of a pointer without a reference: false if the object is being destroyed already.
  bool try_retain() const noexcept {
    int64_t count = count_.load(std::memory_order_relaxed);
    while (count > 0)
      if (count_.compare_exchange_weak(count, count + 1, std::memory_order_acquire, std::memory_order_relaxed))
        return true;
    return false;
  }
  void release() const noexcept {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

 protected:
  virtual ~Object() = default;
  // release() of classes on which nobody calls try_retain: whoever holds the last reference need not write the count,
  // since there is nobody else who could.
  void release_or_delete() const noexcept {
    if (count_.load(std::memory_order_acquire) == 1) delete this;
    else release();
  }

 private:
  mutable std::atomic<int64_t> count_{1};
};

template <class T> class Ref {
 public:
  Ref() = default;
  Ref(std::nullptr_t) {}
  static Ref adopt(T* object) noexcept { return Ref(object, 0); }
  explicit Ref(T* object) noexcept : object_(object) {
    if (object_) object_->retain();
  }
  Ref(const Ref& other) noexcept : Ref(other.object_) {}
  template <class U> Ref(const Ref<U>& other) noexcept : Ref(other.get()) {}
  template <class U> Ref(Ref<U>&& other) noexcept : object_(other.detach()) {}
  Ref(Ref&& other) noexcept : object_(other.detach()) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() {
    if (object_) object_->release();
  }

  T* get() const noexcept { return object_; }
  T* detach() noexcept { return std::exchange(object_, nullptr); }
  T& operator*() const noexcept { return *object_; }
  T* operator->() const noexcept { return object_; }
  explicit operator bool() const noexcept { return object_ != nullptr; }

 private:
  Ref(T* object, int) noexcept : object_(object) {}
  T* object_ = nullptr;
};

template <class T, class... Args> Ref<T> make(Args&&... args) {
  return Ref<T>::adopt(new T(std::forward<Args>(args)...));
}

}  // namespace tenon
