/* abi/python/core/module.cpp: the module tenon._core: opening the library, and the Python functions that it is
 * given. */
#include "module.hpp"

#include <dlfcn.h>

#include "arguments.hpp"
#include "ffi.hpp"
#include "functions.hpp"
#include "handle.hpp"

namespace tenon_python {

const tenon_api* api = nullptr;

static std::atomic<PyObject*> hooks[static_cast<int>(Hook::count)];

PyObject* hook(Hook which) { return hooks[static_cast<int>(which)].load(std::memory_order_acquire); }

PyObject* fail(int32_t status) {
  if (Ref number{PyLong_FromLong(status)})
    Ref(PyObject_CallFunctionObjArgs(hook(Hook::raise_last), number.get(), nullptr));
  return nullptr;
}

/* open(path, level): loads the library and returns its functions by name. */
static PyObject* open_library(PyObject*, PyObject* arguments) {
  const char* path;
  unsigned int level;
  if (!PyArg_ParseTuple(arguments, "sI", &path, &level)) return nullptr;
  // the classes and hooks of the module are the first interpreter's
  if (PyInterpreterState_GetID(PyInterpreterState_Get()) != 0)
    return PyErr_Format(PyExc_ImportError,
                        "tenon can be imported in the main interpreter only, not in a sub-interpreter");
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) return PyErr_Format(PyExc_OSError, "%s", dlerror());
  auto get = reinterpret_cast<const tenon_api* (*)(uint32_t)>(dlsym(library, "tenon_get_api"));
  if (!get) return PyErr_Format(PyExc_OSError, "%s: it has no tenon_get_api, so it is not a library of Tenon", path);
  const tenon_api* found = get(level);
  if (!found)
    return PyErr_Format(PyExc_OSError, "%s: it is a library of another level of Tenon's interface than %x", path,
                        level);
  if (found->struct_size < sizeof(tenon_api))
    return PyErr_Format(PyExc_OSError, "%s: it is older than this module, which needs functions that it does not have",
                        path);
  api = found;
  return functions();
}

/* set_hooks(raise_last, dtype, ...): in the order of the enumeration. */
static PyObject* set_hooks(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
  if (count > static_cast<Py_ssize_t>(Hook::count))
    return PyErr_Format(PyExc_TypeError, "set_hooks takes fewer functions");
  for (Py_ssize_t i = 0; i < count; i++) {
    if (arguments[i] == Py_None) continue;                               // left as it is
    hooks[i].store(Py_NewRef(arguments[i]), std::memory_order_release);  // an older one may be in use
  }
  Py_RETURN_NONE;
}

static PyMethodDef module_methods[] = {
    {"open", open_library, METH_VARARGS, "open(path, level) -> the library's functions by name"},
    {"set_hooks", reinterpret_cast<PyCFunction>(set_hooks), METH_FASTCALL,
     "The Python functions that the module calls; None leaves one as it is."},
    {}};

static PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                                 "tenon._core",
                                 "The compiled part of the package.",
                                 -1,
                                 module_methods,
                                 nullptr,
                                 nullptr,
                                 nullptr,
                                 nullptr};

}  // namespace tenon_python

PyMODINIT_FUNC PyInit__core() {
  using namespace tenon_python;
  Ref module(PyModule_Create(&definition));
#ifdef Py_GIL_DISABLED
  if (module && PyUnstable_Module_SetGIL(module.get(), Py_MOD_GIL_NOT_USED)) return nullptr;
#endif
  if (!module || add_functions(module.get()) || add_handle_types(module.get()) || add_array_type(module.get()) ||
      add_exchange(module.get()) || add_compute(module.get()) || add_creation(module.get()) ||
      add_kernel_types(module.get()) || add_operation_type(module.get()) || add_interrupt(module.get()) ||
      add_lists(module.get()) || add_ffi(module.get()))
    return nullptr;
  return module.release();
}
