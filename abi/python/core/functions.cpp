/* abi/python/core/functions.cpp: the raw layer. The rows are derived from the headers; how each argument is taken
 * follows from its C type.
 *
 * An integer may be a bool or have __index__; what does not fit is cut off, as ctypes does. A pointer is None, an
 * address, an object of the package that owns a handle, bytes, what ctypes has for pointers (c_void_p, pointer(),
 * byref(), functions), or an object whose memory it points to, such as a ctypes structure or array.
 */
#include "functions.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "handle.hpp"
#include "module.hpp"

namespace tenon_python {

PyTypeObject* out_type;

namespace {

/* Classes of ctypes that need care, known from the first of its objects that comes along. */
struct CTypes {
  PyTypeObject *void_pointer, *char_pointer, *pointer, *function, *reference;

  static const CTypes* get() {
    static std::atomic<const CTypes*> known{nullptr};
    if (const CTypes* found = known.load(std::memory_order_acquire)) return found;
    Ref module(PyImport_ImportModule("ctypes"));
    if (!module) return nullptr;
    CTypes found = {};
    auto named = [&](const char* name) {
      return reinterpret_cast<PyTypeObject*>(PyObject_GetAttrString(module.get(), name));
    };
    Ref integer(reinterpret_cast<PyObject*>(named("c_int"))), byref(reinterpret_cast<PyObject*>(named("byref")));
    Ref value(integer ? PyObject_CallNoArgs(integer.get()) : nullptr);
    Ref reference(value && byref ? PyObject_CallFunctionObjArgs(byref.get(), value.get(), nullptr) : nullptr);
    found.void_pointer = named("c_void_p"), found.char_pointer = named("c_char_p");
    found.pointer = named("_Pointer"), found.function = named("_CFuncPtr");
    if (!reference || !found.void_pointer || !found.char_pointer || !found.pointer || !found.function) return nullptr;
    found.reference = reinterpret_cast<PyTypeObject*>(Py_NewRef(as_object(Py_TYPE(reference.get()))));
    const CTypes* first = nullptr;  // or another thread's, which are the same classes
    const CTypes* made = new CTypes(found);
    return known.compare_exchange_strong(first, made) ? made : (delete made, first);
  }

  /* Whether the object is a pointer itself, and not something to point to. */
  bool is_pointer(PyTypeObject* type) const {
    return type == void_pointer || type == char_pointer || PyType_IsSubtype(type, pointer) ||
           PyType_IsSubtype(type, function);
  }
};

bool memory_of(PyObject* object, void** out) {
  Py_buffer view;
  if (PyObject_GetBuffer(object, &view, PyBUF_SIMPLE)) {
    PyErr_Format(PyExc_TypeError, "%R is not a pointer, and has no memory to point to", Py_TYPE(object));
    return false;
  }
  *out = view.buf;  // the argument itself keeps it alive during the call
  PyBuffer_Release(&view);
  return true;
}

/* place: the parameter is the address of a pointer, which the call fills. */
bool address_of_other(PyObject* object, bool place, void** out) {
  const CTypes* known = CTypes::get();
  if (!known) return false;
  if (Py_TYPE(object) == known->reference) {
    Ref inside(PyObject_GetAttrString(object, "_obj"));
    return inside && memory_of(inside.get(), out);
  }
  if (!memory_of(object, out)) return false;
  if (!place && known->is_pointer(Py_TYPE(object))) *out = *static_cast<void**>(*out);
  return true;
}

bool address_of(PyObject* object, bool place, void** out) {
  if (object == Py_None) {
    *out = nullptr;
    return true;
  }
  if (PyLong_Check(object)) {
    *out = PyLong_AsVoidPtr(object);
    return *out || !PyErr_Occurred();
  }
  if (Py_TYPE(object) == out_type) {
    Out* handed = reinterpret_cast<Out*>(object);
    *out = place ? static_cast<void*>(&handed->value) : handed->value;
    return true;
  }
  if (PyBytes_Check(object)) {
    *out = PyBytes_AsString(object);
    return true;
  }
  if (is_handle(object)) return (*out = handle_of(object)) != nullptr;
  return address_of_other(object, place, out);
}

template <class T> bool take(PyObject* object, T* out) {
  if constexpr (std::is_pointer_v<T>) {
    using Target = std::remove_pointer_t<T>;
    void* address;
    if (!address_of(object, std::is_pointer_v<Target> && !std::is_const_v<Target>, &address)) return false;
    *out = reinterpret_cast<T>(address);
  } else if constexpr (std::is_floating_point_v<T>) {
    *out = static_cast<T>(PyFloat_AsDouble(object));
    return *out != T(-1) || !PyErr_Occurred();
  } else {
    static_assert(std::is_integral_v<T>);
    unsigned long long number = PyLong_AsUnsignedLongLongMask(object);
    *out = static_cast<T>(number);
    return number != ~0ull || !PyErr_Occurred();
  }
  return true;
}

template <class T> PyObject* give(T value) {
  if constexpr (std::is_same_v<T, const char*>) {
    if (value) return PyBytes_FromString(value);
    Py_RETURN_NONE;
  } else if constexpr (std::is_pointer_v<T>) {
    if (value) return PyLong_FromVoidPtr(const_cast<void*>(static_cast<const void*>(value)));
    Py_RETURN_NONE;
  } else if constexpr (std::is_signed_v<T>) {
    return PyLong_FromLongLong(value);
  } else {
    return PyLong_FromUnsignedLongLong(value);
  }
}

/* One function: `slot` is its row in the table; `quick`: it neither waits nor calls back, so that the GIL is kept. */
template <auto slot, bool quick> struct ApiFunction;

template <class R, class... A, R (*tenon_api::*slot)(A...), bool quick> struct ApiFunction<slot, quick> {
  static PyObject* call(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    return call_with(arguments, count, std::index_sequence_for<A...>());
  }

  template <size_t... index> static PyObject* call_with([[maybe_unused]] PyObject* const* arguments, Py_ssize_t count,
                                                        std::index_sequence<index...>) {
    if (count != sizeof...(A))
      return PyErr_Format(PyExc_TypeError, "the function takes %zu arguments; %zd were given", sizeof...(A), count);
    std::tuple<A...> values;
    if (!(take(arguments[index], &std::get<index>(values)) && ...)) return nullptr;
    if constexpr (std::is_void_v<R>) {
      run(std::get<index>(values)...);
      Py_RETURN_NONE;
    } else {
      return give(run(std::get<index>(values)...));
    }
  }

  static R run(A... values) {
    if constexpr (quick) {
      return (api->*slot)(values...);
    } else {
      Unlocked unlocked;
      return (api->*slot)(values...);
    }
  }
};

struct Row {
  const char* name;
  PyObject* (*call)(PyObject*, PyObject* const*, Py_ssize_t);
  size_t offset;
  const char* doc;
};

constexpr Row rows[] = {
#define FUNCTION(name, quick, doc) \
  {"tenon_" #name, ApiFunction<&tenon_api::name, quick>::call, offsetof(tenon_api, name), doc},
#include "generated_functions.inc"
#undef FUNCTION
};
constexpr size_t row_count = sizeof rows / sizeof *rows;

PyMethodDef definitions[row_count];
PyObject* mark; /* what the built-in functions of the raw layer have as `self` */

int find_row(PyObject* function) {
  if (!PyCFunction_CheckExact(function) || PyCFunction_GetSelf(function) != mark) return -1;
  PyCFunction code = PyCFunction_GetFunction(function);
  for (size_t i = 0; i < row_count; i++)
    if (definitions[i].ml_meth == code) return static_cast<int>(i);
  return -1;
}

PyObject* call_any(PyObject* function, PyObject* const* arguments, Py_ssize_t count) {
  Ref tuple(PyTuple_New(count));
  if (!tuple) return nullptr;
  for (Py_ssize_t i = 0; i < count; i++) PyTuple_SetItem(tuple.get(), i, Py_NewRef(arguments[i]));
  return PyObject_CallObject(function, tuple.get());
}

constexpr Py_ssize_t most_arguments = 24, most_outs = 4;

/* Calls arguments[0], a function of the library or one in Python that calls it and returns the status, with the other
 * arguments and, behind them, new places for output handles. False with an exception if that fails. */
bool call_with_outs(PyObject* const* arguments, Py_ssize_t count, Ref* outs, Py_ssize_t out_count) {
  if (count < 1 || count > most_arguments) {
    PyErr_Format(PyExc_TypeError, "a function and at most %zd arguments are needed", most_arguments - 1);
    return false;
  }
  PyObject* function = arguments[0];
  PyObject* all[most_arguments + most_outs];
  Py_ssize_t given = 0;
  for (Py_ssize_t i = 1; i < count; i++) all[given++] = arguments[i];
  for (Py_ssize_t i = 0; i < out_count; i++) {
    outs[i] = Ref(PyObject_CallNoArgs(as_object(out_type)));
    if (!outs[i]) return false;
    all[given++] = outs[i].get();
  }
  const bool library = PyCFunction_CheckExact(function) && PyCFunction_GetSelf(function) == mark;
  auto call = reinterpret_cast<PyObject* (*)(PyObject*, PyObject* const*, Py_ssize_t)>(
      reinterpret_cast<void*>(library ? PyCFunction_GetFunction(function) : nullptr));
  Ref status(library ? call(mark, all, given) : call_any(function, all, given));
  if (!status) return false;
  if (long number = PyLong_AsLong(status.get())) {
    if (!PyErr_Occurred()) fail(static_cast<int32_t>(number));
    return false;
  }
  return true;
}

/* make(function, *arguments) */
PyObject* make(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
  Ref out;
  return call_with_outs(arguments, count, &out, 1) ? out.release() : nullptr;
}

/* make_arrays(count, function, *arguments) */
PyObject* make_arrays(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
  const Py_ssize_t out_count = count ? PyLong_AsSsize_t(arguments[0]) : 0;
  if (PyErr_Occurred()) return nullptr;
  if (out_count < 1 || out_count > most_outs)
    return PyErr_Format(PyExc_TypeError, "make_arrays takes a number of arrays, 1 to %zd, a function and its arguments",
                        most_outs);
  Ref outs[most_outs];
  if (!call_with_outs(arguments + 1, count - 1, outs, out_count)) return nullptr;
  Ref result(PyList_New(out_count));
  for (Py_ssize_t i = 0; i < out_count; i++) {
    auto* handle = static_cast<tenon_array*>(reinterpret_cast<Out*>(outs[i].get())->value);
    PyObject* array = result ? own_array(handle) : nullptr;  // on failure it has been released
    if (array) PyList_SetItem(result.get(), i, array);
    else if (result) result = Ref();
    else api->array_release(handle);
  }
  return result.release();
}

/* check(status): nothing, or the exception. */
PyObject* check(PyObject*, PyObject* status) {
  long number = PyLong_AsLong(status);
  if (number == 0) Py_RETURN_NONE;
  return PyErr_Occurred() ? nullptr : fail(static_cast<int32_t>(number));
}

PyMethodDef function_makers[] = {
    {"make", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(make)), METH_FASTCALL,
     "make(function, *arguments)\n--\n\nCalls a function whose last parameter is an owned output "
     "handle; returns the handle, as its `value`."},
    {"make_arrays", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(make_arrays)), METH_FASTCALL,
     "make_arrays(count, function, *arguments)\n--\n\nCalls a function whose last `count` parameters are owned output "
     "arrays; returns them in a list."},
    {"check", check, METH_O, "check(status)\n--\n\nTurns a status into nothing or an exception."},
    {}};

PyObject* out_value(PyObject* self, void*) {
  void* value = reinterpret_cast<Out*>(self)->value;
  if (value) return PyLong_FromVoidPtr(value);
  Py_RETURN_NONE;
}

void out_dealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_Free(self);
  Py_DECREF(as_object(type));
}

PyGetSetDef out_properties[] = {{"value", out_value, nullptr, "The address, or None.", nullptr}, {}};
PyType_Slot out_slots[] = {{Py_tp_getset, out_properties},
                           {Py_tp_dealloc, reinterpret_cast<void*>(out_dealloc)},
                           {Py_tp_doc, const_cast<char*>("A place for an output handle.")},
                           {}};
PyType_Spec out_spec = {"tenon._core.Out", sizeof(Out), 0, Py_TPFLAGS_DEFAULT, out_slots};

}  // namespace

PyObject* functions() {
  Ref found(PyDict_New());
  for (size_t i = 0; found && i < row_count; i++) {
    Ref function(PyCFunction_New(&definitions[i], mark));
    if (!function || PyDict_SetItemString(found.get(), rows[i].name, function.get())) return nullptr;
  }
  return found.release();
}

void (*release_function(PyObject* function))(void*) {
  int row = find_row(function);
  if (row < 0) {
    PyErr_Format(PyExc_TypeError, "%R is not a release function of the library", function);
    return nullptr;
  }
  return *reinterpret_cast<void (*const*)(void*)>(reinterpret_cast<const char*>(api) + rows[row].offset);
}

int add_functions(PyObject* module) {
  for (size_t i = 0; i < row_count; i++)
    definitions[i] = {rows[i].name, reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(rows[i].call)), METH_FASTCALL,
                      rows[i].doc};
  mark = PyCapsule_New(definitions, "tenon._core.functions", nullptr);
  out_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&out_spec));
  return !mark || !out_type || PyModule_AddType(module, out_type) || PyModule_AddFunctions(module, function_makers) ? -1
                                                                                                                    : 0;
}

}  // namespace tenon_python
