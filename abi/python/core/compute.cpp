/* abi/python/core/compute.cpp: elementwise functions, reductions, products and transforms of Tenon's own arrays, with
 * the defaults of everything else. Each function here returns None where the call is another one, which then is
 * Python's as a whole; nothing has been launched then. */
#include "arguments.hpp"
#include "direct.hpp"
#include "module.hpp"
#include "operation.hpp"

namespace tenon_python {

namespace {

/* A call without a stream runs on the current stream of a library that has one: in Python. */
std::atomic<bool> streams_are_asked{false};

/* A live array of exactly the package's class, or NULL. */
tenon_array* plain_array(PyObject* object) {
  return Py_TYPE(object) == array_type ? reinterpret_cast<Array*>(object)->get() : nullptr;
}

tenon_arg argument_of(tenon_array* array) { return {TENON_ARG_ARRAY, 0, 0, {array}}; }

/* An array, or one of Python's numbers, which has no dtype. */
bool read_operand(PyObject* object, tenon_arg* out) {
  *out = argument_of(plain_array(object));
  if (out->value.array) return true;
  int overflow = 0;
  if (PyFloat_CheckExact(object)) {
    out->dtype = TENON_FLOAT64;
    out->value.f64 = PyFloat_AsDouble(object);
  } else if (PyLong_CheckExact(object)) {
    out->dtype = TENON_INT64;
    out->value.i64 = PyLong_AsLongLongAndOverflow(object, &overflow);
  } else {
    return false;
  }
  out->kind = TENON_ARG_WEAK;
  out->size = 8;
  return !overflow;
}

bool read_int(PyObject* object, int32_t* out) {
  if (!PyLong_CheckExact(object)) return false;
  int overflow;
  long number = PyLong_AsLongAndOverflow(object, &overflow);
  *out = static_cast<int32_t>(number);
  return !overflow && number == *out;
}

/* The new array that call(&out) makes. */
template <class Call> PyObject* made_by(Call&& call) {
  tenon_array* out = nullptr;
  int32_t status;
  {
    Unlocked unlocked;
    status = call(&out);
  }
  return status ? fail(status) : own_array(out);
}

/* unary(code, x) */
PyObject* unary(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
  int32_t code;
  if (count != 2) return PyErr_Format(PyExc_TypeError, "unary takes a code and an operand");
  tenon_array* x = plain_array(arguments[1]);
  if (streams_are_asked || !x || !read_int(arguments[0], &code)) Py_RETURN_NONE;
  tenon_arg operand = argument_of(x);
  return made_by([&](tenon_array** out) { return api->unary(code, &operand, nullptr, nullptr, out); });
}

/* binary(code, x, y): of two arrays, or an array and a number. */
PyObject* binary(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
  int32_t code;
  tenon_arg x, y;
  if (count != 3) return PyErr_Format(PyExc_TypeError, "binary takes a code and two operands");
  if (streams_are_asked || !read_int(arguments[0], &code) || !read_operand(arguments[1], &x) ||
      !read_operand(arguments[2], &y) || (x.kind != TENON_ARG_ARRAY && y.kind != TENON_ARG_ARRAY))
    Py_RETURN_NONE;
  return made_by([&](tenon_array** out) { return api->binary(code, &x, &y, nullptr, nullptr, out); });
}

/* Real and complex numbers of single and double precision. */
bool is_of_blas(uint32_t dtype) {
  return dtype == TENON_FLOAT32 || dtype == TENON_FLOAT64 || dtype == TENON_COMPLEX64 || dtype == TENON_COMPLEX128;
}

/* Operands that are Tenon's arrays, PyTorch's tensors of which PyTorch wants to know nothing, or numbers. */
struct Operands {
  Arguments taken{2};
  PyTypeObject* tensor = nullptr;

  /* False: Python has to do the call, or (with an exception) it failed. */
  bool take(Py_ssize_t index, PyObject* value) {
    PyTypeObject* type = Py_TYPE(value);
    if (type == array_type) return plain_array(value) && taken.take_array(index, value);
    if (type == &PyFloat_Type || type == &PyLong_Type) return read_operand(value, &taken.values[index]);
    if (!is_plain_tensor(type) || (!tensor && !is_left_alone())) return false;
    if (!tensor) tensor = type;
    return taken.read_array(index, value);
  }

  bool are_matrices() {
    uint32_t dtypes[2];
    for (Py_ssize_t i = 0; i < 2; i++) {
      if (!taken.is_array(i)) return false;
      const tenon_array_info* info = taken.lent[i] ? nullptr : taken.info(i);
      if (!taken.lent[i] && !info) return false;
      if ((info ? info->rank : taken.views[i].ndim) < 2) return false;
      dtypes[i] = info ? info->dtype : taken.dtype(i);
    }
    return dtypes[0] == dtypes[1] && is_of_blas(dtypes[0]);
  }

  template <class Function> PyObject* made_by(Function&& function) {
    tenon_array* out = nullptr;
    int32_t status;
    {
      Unlocked unlocked;
      status = function(taken.values, &out);
      if (!status) taken.release();
    }
    if (status) return fail(status);
    return tensor ? export_new(tensor, out, taken.lent[0] || taken.lent[1]) : own_array(out);
  }
};

/* The axes of a reduction: None, an integer or a tuple of them. */
struct Axes {
  int32_t numbers[TENON_MAX_RANK];
  tenon_reduce_options options = {};

  bool read(PyObject* axis) {
    options.struct_size = sizeof options;
    if (axis == Py_None) return true;
    options.axes = numbers;
    options.axis_count = 1;
    if (!PyTuple_CheckExact(axis)) return read_int(axis, numbers);
    Py_ssize_t given = PyTuple_Size(axis);
    if (given > TENON_MAX_RANK) return false;
    for (Py_ssize_t i = 0; i < given; i++)
      if (!read_int(PyTuple_GetItem(axis, i), numbers + i)) return false;
    options.axis_count = static_cast<int32_t>(given);
    options.no_axes = given == 0;
    return true;
  }
};

/* Reduces an array or a plain tensor along `axis`, or along all axes for None. NotImplemented: Python has to do it. */
PyObject* reduced(int32_t code, PyObject* x, PyObject* axis, PyObject* keepdims) {
  const bool with_options = axis != Py_None || keepdims != Py_False;
  Axes axes;
  Operands given;
  if (streams_are_asked || (keepdims != Py_True && keepdims != Py_False) || (with_options && !axes.read(axis)) ||
      !given.take(0, x) || !given.taken.is_array(0)) {
    PyErr_Clear();
    Py_RETURN_NOTIMPLEMENTED;
  }
  axes.options.keep_axes = keepdims == Py_True;
  return given.made_by([&](const tenon_arg* operand, tenon_array** out) {
    return api->reduce(code, operand, with_options ? &axes.options : nullptr, nullptr, out);
  });
}

/* reduce(code, x, axis, keepdims): reduces an array; axis is None, an integer, or a tuple of integers. */
PyObject* reduce_array(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
  int32_t code;
  if (count != 4) return PyErr_Format(PyExc_TypeError, "reduce takes a code, an array, axes and keepdims");
  if (!plain_array(arguments[1]) || !read_int(arguments[0], &code)) Py_RETURN_NONE;
  Ref made(reduced(code, arguments[1], arguments[2], arguments[3]));
  if (made.get() == Py_NotImplemented) Py_RETURN_NONE;
  return made.release();
}

/* matmul(a, b): of matrices of one dtype, or batches of them. */
PyObject* matmul(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
  if (count != 2) return PyErr_Format(PyExc_TypeError, "matmul takes two arrays");
  tenon_array *a = plain_array(arguments[0]), *b = plain_array(arguments[1]);
  if (streams_are_asked || !a || !b) Py_RETURN_NONE;
  const tenon_array_info* left = info_of(reinterpret_cast<Array*>(arguments[0]));
  const tenon_array_info* right = left ? info_of(reinterpret_cast<Array*>(arguments[1])) : nullptr;
  if (!right) return nullptr;
  if (left->rank < 2 || right->rank < 2 || left->dtype != right->dtype || !is_of_blas(left->dtype)) Py_RETURN_NONE;
  return made_by([&](tenon_array** out) { return api->gemm(nullptr, a, b, nullptr, nullptr, nullptr, out); });
}

/* fft(x, axis, direction, norm): the complex transform over one axis, of C-ordered numbers of single or double
 * precision. */
PyObject* fft(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
  int32_t axis;
  tenon_fft_options options = {};
  options.struct_size = sizeof options;
  if (count != 4) return PyErr_Format(PyExc_TypeError, "fft takes an array, an axis, a direction and a norm");
  tenon_array* x = plain_array(arguments[0]);
  if (streams_are_asked || !x || !read_int(arguments[1], &axis) || !read_int(arguments[2], &options.direction) ||
      !read_int(arguments[3], &options.norm))
    Py_RETURN_NONE;
  const tenon_array_info* info = info_of(reinterpret_cast<Array*>(arguments[0]));
  if (!info) return nullptr;
  if (!is_of_blas(info->dtype) || !(info->flags & TENON_ARRAY_C_CONTIGUOUS)) Py_RETURN_NONE;
  const uint32_t complex = info->dtype == TENON_FLOAT32   ? TENON_COMPLEX64
                           : info->dtype == TENON_FLOAT64 ? TENON_COMPLEX128
                                                          : 0;
  return made_by([&](tenon_array** out) {
    if (!complex) return api->fft(x, &axis, 1, &options, nullptr, out);
    tenon_arg operand = argument_of(x);
    tenon_array* converted = nullptr;
    int32_t status = api->cast(&operand, complex, nullptr, nullptr, &converted);
    if (!status) status = api->fft(converted, &axis, 1, &options, nullptr, out);
    api->array_release(converted);
    return status;
  });
}

bool is_constant(PyObject* value) {
  return value == Py_None || PyLong_CheckExact(value) || PyFloat_CheckExact(value) || PyBool_Check(value) ||
         PyUnicode_CheckExact(value);
}

/* on_tensors(function, arguments): calls a function that writes to none of its arguments, with arrays of the memory of
 * PyTorch's tensors, and returns its array as a tensor, or what else it returned. NotImplemented: PyTorch has something
 * to do with the call, or there are arguments of other kinds. */
PyObject* on_tensors(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
  if (count != 2 || !PyTuple_CheckExact(arguments[1]))
    return PyErr_Format(PyExc_TypeError, "on_tensors takes a function and a tuple of arguments");
  Py_ssize_t given = PyTuple_Size(arguments[1]);
  PyTypeObject* kind = nullptr;
  for (Py_ssize_t i = 0; i < given; i++) {
    PyObject* value = PyTuple_GetItem(arguments[1], i);
    if (Py_TYPE(value) == array_type || is_constant(value)) continue;
    if (!is_plain_tensor(Py_TYPE(value))) Py_RETURN_NOTIMPLEMENTED;
    if (!kind) kind = Py_TYPE(value);
  }
  if (!kind || !is_left_alone()) Py_RETURN_NOTIMPLEMENTED;
  Ref converted(PyTuple_New(given));
  for (Py_ssize_t i = 0; converted && i < given; i++) {
    PyObject* value = PyTuple_GetItem(arguments[1], i);
    bool other = Py_TYPE(value) == array_type || is_constant(value);
    Ref one = other ? Ref::borrowed(value) : import_fast(value);
    if (!one) {  // such as one that requires a gradient
      PyErr_Clear();
      Py_RETURN_NOTIMPLEMENTED;
    }
    PyTuple_SetItem(converted.get(), i, one.release());
  }
  Ref made(converted ? PyObject_CallObject(arguments[0], converted.get()) : nullptr);
  return !made || Py_TYPE(made.get()) != array_type ? made.release() : export_as(kind, made.get());
}

std::atomic<bool> direct_calls_are_wanted{true};

/* A function of the package that is one call of the library if it is given nothing but operands, and axes for a
 * reduction. */
struct Direct {
  enum Kind { unary = 1, binary, reduce, matmul } kind;
  int32_t code;

  static constexpr const char* name = "tenon._core.Direct";
  Py_ssize_t operands() const { return kind == binary || kind == matmul ? 2 : kind == unary ? 1 : -1; }
};

/* The call with these arguments, or NotImplemented. */
PyObject* call_direct(PyObject* self, PyObject* arguments) {
  const Direct* direct = static_cast<const Direct*>(PyCapsule_GetPointer(self, Direct::name));
  if (!direct || !PyTuple_CheckExact(arguments)) return PyErr_Format(PyExc_TypeError, "a tuple is needed");
  Py_ssize_t count = PyTuple_Size(arguments), operands = direct->operands();
  if (!direct_calls_are_wanted || streams_are_asked) Py_RETURN_NOTIMPLEMENTED;
  if (direct->kind == Direct::reduce && (count == 1 || count == 2))
    return reduced(direct->code, PyTuple_GetItem(arguments, 0), count == 2 ? PyTuple_GetItem(arguments, 1) : Py_None,
                   Py_False);
  if (count != operands) Py_RETURN_NOTIMPLEMENTED;
  Operands given;
  bool good = true;
  for (Py_ssize_t i = 0; good && i < operands; i++) good = given.take(i, PyTuple_GetItem(arguments, i));
  good = good && given.taken.first >= 0 && (direct->kind != Direct::matmul || given.are_matrices());
  if (!good) {  // such as a tensor that requires a gradient
    PyErr_Clear();
    Py_RETURN_NOTIMPLEMENTED;
  }
  return given.made_by([&](const tenon_arg* args, tenon_array** out) {
    switch (direct->kind) {
      case Direct::unary: return api->unary(direct->code, args, nullptr, nullptr, out);
      case Direct::binary: return api->binary(direct->code, args, args + 1, nullptr, nullptr, out);
      default: break;
    }
    return api->gemm(nullptr, args[0].value.array, args[1].value.array, nullptr, nullptr, nullptr, out);
  });
}

PyMethodDef direct_method = {"direct", call_direct, METH_O, "The call with a tuple of arguments, or NotImplemented."};

/* direct(kind, code): a function of a tuple of arguments; see Direct. It is kept for the life of the process. */
PyObject* direct(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
  int32_t kind, code;
  if (count != 2 || !read_int(arguments[0], &kind) || !read_int(arguments[1], &code) || kind < Direct::unary ||
      kind > Direct::matmul)
    return PyErr_Format(PyExc_TypeError, "direct takes a kind of function and a code");
  Ref known(PyCapsule_New(new Direct{static_cast<Direct::Kind>(kind), code}, Direct::name, nullptr));
  return known ? PyCFunction_NewEx(&direct_method, known.get(), nullptr) : nullptr;
}

/* direct_calls(wanted): whether functions that direct() made take calls from now on. */
PyObject* direct_calls(PyObject*, PyObject* value) {
  int yes = PyObject_IsTrue(value);
  if (yes < 0) return nullptr;
  direct_calls_are_wanted = yes;
  Py_RETURN_NONE;
}

/* ask_streams(): from now on a call without a stream has to ask for one. */
PyObject* ask_streams(PyObject*, PyObject*) {
  streams_are_asked = true;
  Py_RETURN_NONE;
}

template <PyObject* function(PyObject*, PyObject* const*, Py_ssize_t)> PyCFunction fast() {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(function));
}

PyMethodDef compute_functions[] = {
    {"unary", fast<unary>(), METH_FASTCALL, "unary(code, x)"},
    {"binary", fast<binary>(), METH_FASTCALL, "binary(code, x, y)"},
    {"reduce", fast<reduce_array>(), METH_FASTCALL, "reduce(code, x, axis, keepdims)"},
    {"matmul", fast<matmul>(), METH_FASTCALL, "matmul(a, b)"},
    {"fft", fast<fft>(), METH_FASTCALL, "fft(x, axis, direction, norm)"},
    {"direct", fast<direct>(), METH_FASTCALL, "direct(kind, code): see compute.cpp"},
    {"direct_calls", direct_calls, METH_O,
     "direct_calls(wanted): whether functions that direct() made take calls from now on."},
    {"on_tensors", fast<on_tensors>(), METH_FASTCALL, "on_tensors(function, arguments)"},
    {"ask_streams", ask_streams, METH_NOARGS, "From now on a call without a stream has to ask for one."},
    {}};

}  // namespace

int add_compute(PyObject* module) { return PyModule_AddFunctions(module, compute_functions); }

}  // namespace tenon_python
