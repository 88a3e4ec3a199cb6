/* abi/python/core/python.hpp: CPython's stable interface, and what every file of the module shares.
 *
 * The module is written against CPython's limited C API, so one build serves Python 3.11 and everything later. Objects
 * are plain structs: a call into the module costs what CPython's own built-in functions cost, and nothing stands
 * between a method and the library's table of functions.
 */
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <tenon/api.h>
#include <tenon/tenon.h>
#include <unistd.h>

#include <utility>

namespace tenon_python {

inline PyObject* as_object(PyTypeObject* type) { return reinterpret_cast<PyObject*>(type); }

/* An owned reference to a Python object; empty after a failure, with the exception set. */
class Ref {
 public:
  Ref() = default;
  explicit Ref(PyObject* owned) : object_(owned) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() { Py_XDECREF(object_); }
  static Ref borrowed(PyObject* object) { return Ref(Py_NewRef(object)); }
  explicit operator bool() const { return object_ != nullptr; }
  PyObject* get() const { return object_; }
  PyObject* release() { return std::exchange(object_, nullptr); }

 private:
  PyObject* object_ = nullptr;
};

/* Takes Python's lock by `take`. While the interpreter ends, Python before 3.14 ends a thread that asks for the lock,
 * by pthread_exit, which unwinds its stack: through destructors, which terminates the process, and through the
 * library's frames. Such a thread waits here for the end of the process, as it does in Python 3.14. */
template <class Take> auto lock_python(Take&& take) noexcept {
  try {
    return take();
  } catch (...) {
    for (;;) pause();
  }
}

/* Lets other threads of Python run while the library works. */
class Unlocked {
 public:
  Unlocked() : state_(PyEval_SaveThread()) {}
  ~Unlocked() {
    lock_python([this] { PyEval_RestoreThread(state_); });
  }
  Unlocked(const Unlocked&) = delete;

 private:
  PyThreadState* state_;
};

/* The functions of the library that was opened; set once, by open(). */
extern const tenon_api* api;

/* Raises the library's last error and returns NULL. */
PyObject* fail(int32_t status);

/* Python functions that the package hands over: what is rare, and whatever ends in a message, is written in Python. */
enum class Hook {
  raise_last,
  dtype,
  device,
  from_dlpack,
  asarray,
  export_capsule,
  recording,
  written,
  named_dtype,
  count
};
PyObject* hook(Hook which);

}  // namespace tenon_python
