/* abi/python/core/direct.hpp: functions, methods and properties of other libraries that are asked at every call,
 * without looking them up and without Python's calling convention where CPython's stable interface tells their C
 * functions.
 *
 * What a class or module had when it was first seen is asked from then on. */
#pragma once

#include <atomic>

#include "python.hpp"

namespace tenon_python {

inline PyObject* attribute_or_null(PyObject* object, const char* name) {
  PyObject* found = PyObject_GetAttrString(object, name);
  if (!found) PyErr_Clear();
  return found;
}

/* An attribute of a module that is imported already, or NULL. */
inline PyObject* loaded(const char* module, const char* name) {
  Ref key(PyUnicode_FromString(module)), found(key ? PyImport_GetModule(key.get()) : nullptr);
  PyErr_Clear();
  return found ? attribute_or_null(found.get(), name) : nullptr;
}

/* The C function of a built-in function that takes no arguments, or NULL. */
inline PyCFunction without_arguments(PyObject* function) {
  return PyCFunction_CheckExact(function) && PyCFunction_GetFlags(function) == METH_NOARGS
             ? PyCFunction_GetFunction(function)
             : nullptr;
}

/* A function without arguments; it is kept for the life of the process. */
class Function {
 public:
  Function() = default;
  explicit Function(PyObject* owned) : function_(owned), direct_(owned ? without_arguments(owned) : nullptr) {
    if (direct_) self_ = PyCFunction_GetSelf(owned);
  }
  explicit operator bool() const { return function_ != nullptr; }
  PyObject* operator()() const {
    return direct_ ? direct_(self_, nullptr) : PyObject_CallFunctionObjArgs(function_, nullptr);
  }

 private:
  PyObject *function_ = nullptr, *self_ = nullptr;
  PyCFunction direct_ = nullptr;
};

/* A method without arguments of the objects of one class. */
class Method {
 public:
  Method() = default;
  Method(PyObject* type, const char* name) : method_(attribute_or_null(type, name)), name_(name) {}
  Method(Method&& other) : method_(other.method_), name_(other.name_) {}
  Method& operator=(Method&& other) {
    method_ = other.method_, name_ = other.name_;
    return *this;
  }
  explicit operator bool() const { return method_ != nullptr; }
  PyObject* operator()(PyObject* object) const {
    PyCFunction direct = direct_.load(std::memory_order_relaxed);
    if (!direct) direct_.store(direct = found(object), std::memory_order_relaxed);
    return direct != by_python ? direct(object, nullptr) : PyObject_CallFunctionObjArgs(method_, object, nullptr);
  }

 private:
  static PyObject* by_python(PyObject*, PyObject*) { return nullptr; } /* stands for a method that C does not tell */

  /* A method of C is known from what it is bound to an object. */
  PyCFunction found(PyObject* object) const {
    Ref bound(attribute_or_null(object, name_));
    bool its = bound && PyCFunction_CheckExact(bound.get()) && PyCFunction_GetSelf(bound.get()) == object;
    PyCFunction direct = its ? without_arguments(bound.get()) : nullptr;
    return direct ? direct : by_python;
  }

  PyObject* method_ = nullptr;
  const char* name_ = nullptr;
  mutable std::atomic<PyCFunction> direct_{nullptr}; /* NULL: not looked for yet */
};

/* A property of the objects of one class. */
class Property {
 public:
  Property() = default;
  Property(PyObject* type, const char* name) : name_(PyUnicode_InternFromString(name)) {
    Ref found(attribute_or_null(type, name));
    if (!found) return;
    // a class's own lookup may answer something else, and an object's attribute hides what cannot be set
    bool usual = PyType_GetSlot(reinterpret_cast<PyTypeObject*>(type), Py_tp_getattro) ==
                 reinterpret_cast<void*>(PyObject_GenericGetAttr);
    if (!usual || !PyType_GetSlot(Py_TYPE(found.get()), Py_tp_descr_set)) return;
    get_ = reinterpret_cast<descrgetfunc>(PyType_GetSlot(Py_TYPE(found.get()), Py_tp_descr_get));
    if (get_) descriptor_ = found.release();
  }
  PyObject* operator()(PyObject* object) const {
    return get_ ? get_(descriptor_, object, as_object(Py_TYPE(object))) : PyObject_GetAttr(object, name_);
  }

 private:
  PyObject *name_ = nullptr, *descriptor_ = nullptr;
  descrgetfunc get_ = nullptr;
};

}  // namespace tenon_python
