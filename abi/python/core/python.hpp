/* abi/python/core/python.hpp: CPython's stable interface, and what every file of the module shares.
 *
 * The module is written against CPython's limited C API, so one build serves Python 3.11 and everything later. Objects
 * are plain structs: a call into the module costs what CPython's own built-in functions cost, and nothing stands
 * between a method and the library's table of functions.
 *
 * A free-threaded Python needs a build of its own, in which threads run all of this at once: what they share is atomic,
 * only grows (known.hpp), or is used by one at a time (Locked).
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

/* Keeps other threads out of what is locked by the same object, where the GIL does not. Nothing in it may run Python
 * code or wait. */
class Locked {
 public:
  Locked(const Locked&) = delete;
#ifdef Py_GIL_DISABLED
  explicit Locked(PyObject* object) { PyCriticalSection_Begin(&section_, object); }
  ~Locked() { PyCriticalSection_End(&section_); }

 private:
  PyCriticalSection section_;
#else
  explicit Locked(PyObject*) {}
  ~Locked() {}  // so that it is no unused variable
#endif
};

/* The value of a key in a dictionary that other threads may change; empty where it has none, also with an exception. */
inline Ref item_of(PyObject* dictionary, PyObject* key) {
#ifdef Py_GIL_DISABLED
  PyObject* value;
  PyDict_GetItemRef(dictionary, key, &value);
  return Ref(value);
#else
  return Ref(Py_XNewRef(PyDict_GetItemWithError(dictionary, key)));
#endif
}

/* The elements of a list or tuple; of a list, which other threads may change, what they were when this was made. */
class Elements {
 public:
  Elements() = default;
  explicit Elements(PyObject* sequence) { take(sequence); }
  /* False: it is neither a list nor a tuple, or (with an exception) it failed. */
  bool take(PyObject* sequence) {
    if (PyTuple_CheckExact(sequence)) tuple_ = Ref::borrowed(sequence);
    else if (PyList_CheckExact(sequence)) tuple_ = Ref(PyList_AsTuple(sequence));
    return static_cast<bool>(tuple_);
  }
  explicit operator bool() const { return static_cast<bool>(tuple_); }
  Py_ssize_t count() const { return tuple_ ? PyTuple_Size(tuple_.get()) : 0; }
  PyObject* operator[](Py_ssize_t index) const { return PyTuple_GetItem(tuple_.get(), index); }

 private:
  Ref tuple_;
};

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
